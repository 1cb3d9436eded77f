import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { answerError } from "./answer-error.ts";
import { answerCors } from "./rest/cors.ts";

/** Draws the page of a request's address, "not found" where there is none, and sends it. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Where programs ask: they are answered in JSON. */
const calls = /^\/(?:api|trpc)(?:[/?]|$)/;

/** The path that is asked for. A request may name the whole address, as to a proxy (RFC 9112, 3.2.2), or `*`. */
export function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  if (!URL.canParse(target)) return `/${target}`;
  const { pathname, search } = new URL(target);
  // Schemes that are not the web's have paths that begin otherwise, which would be read as a part of the site's own name.
  return (pathname.startsWith("/") ? "" : "/") + pathname + search;
}

/** Answers what no route is looked up for, since its address cannot be decoded or a part of it is too long. No hook sees it. */
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
  // Nobody else closes it: it was taken from the server to become a WebSocket, and would hold up its end for ever.
  if (isUpgrade) request.raw.socket.destroySoon();
}
