import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { answerError } from "./answer-error.ts";
import { answerCors } from "./cors.ts";

/** Sends the page of a URL, or "not found". */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** APIs, answered in JSON. */
const calls = /^\/(?:api|trpc)(?:[/?]|$)/;

/** Returns the path of a request target, which may be a whole URL (RFC 9112, 3.2.2) or `*`. */
export function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  if (!URL.canParse(target)) return `/${target}`;
  const { pathname, search } = new URL(target);
  // Other schemes' paths may lack the slash and would extend the host name.
  return (pathname.startsWith("/") ? "" : "/") + pathname + search;
}

/** Answers a request with a malformed or too long URL, for which no route or hook runs. */
export async function answerUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  answerPage: AnswerPage,
): Promise<void> {
  const isUpgrade = request.headers.upgrade !== undefined;
  if (!isUpgrade && answerCors(request, reply)) return;
  const isCall = !["GET", "HEAD"].includes(request.method) || calls.test(request.url);
  try {
    if (isUpgrade || isCall) throw error;
    await answerPage(request, reply);
  } catch (cause) {
    answerError.call(request.server, cause as FastifyError, request, reply);
  }
  // Detached from the server for an upgrade, it would block shutdown forever.
  if (isUpgrade) request.raw.socket.destroySoon();
}
