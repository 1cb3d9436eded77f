import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../shared/errors.ts";
import { browserSecret } from "./auth/browsers.ts";
import { begunSecret } from "./auth/challenges.ts";
import { isOwnOrigin } from "./auth/origin.ts";
import type { Context, Parts } from "./context.ts";

interface Asking {
  headers: IncomingHttpHeaders;
  address: string;
  transport: Context["transport"];
  setCookie: (cookie: string) => void;
  signal?: AbortSignal;
}

/** The context of somebody who asks with a session token, or of a guest. A session whose time was prolonged gets its cookie anew. */
export async function contextOf(parts: Parts, token: string | null, asking: Asking): Promise<Context> {
  const meantFor = asking.headers["x-account"];
  const signedIn = await parts.sessions.find(token);
  // A page that was somebody's: what it does is not done as whoever has signed in since.
  const found = !meantFor || meantFor === signedIn?.userId ? signedIn : null;
  if (found?.cookie) asking.setCookie(found.cookie);
  return {
    ...parts,
    viewer: found && { id: found.userId, isAdmin: found.isAdmin },
    session: found && { hash: found.hash, handle: found.handle },
    // Browsers name the origin of whatever may change something; programs do not.
    browser:
      asking.headers.origin !== undefined && isOwnOrigin(parts.config, asking.headers)
        ? browserOf(parts, asking.headers.cookie)
        : null,
    address: asking.address,
    userAgent: asking.headers["user-agent"] ?? "",
    transport: asking.transport,
    costly: asking.transport === "local" ? null : { calls: 0 },
    setCookie: asking.setCookie,
    signal: asking.signal,
  };
}

/** Aborted where the connection ends before the answer. */
export function goneBefore({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableEnded) gone.abort(new AppError("bad_request", "Nobody waits for the answer any more."));
  });
  return gone.signal;
}

/** What a browser's cookies hold: see `Context`. */
export const browserOf = (
  { config, sessions }: Parts,
  cookie: string | undefined,
): NonNullable<Context["browser"]> => ({
  token: sessions.fromCookie(cookie),
  secret: browserSecret(cookie, config.https),
  begun: begunSecret(cookie, config.https),
});

/** The context of a browser's request: who asks is what its cookie says. */
export function contextOfRequest(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Context["transport"] = "http",
): Promise<Context> {
  return contextOf(parts, parts.sessions.fromCookie(request.headers.cookie), {
    headers: request.headers,
    address: request.ip,
    transport,
    signal: goneBefore(reply),
    setCookie: (cookie) => void reply.header("set-cookie", cookie),
  });
}

/** The bearer token of a request to the API: null where there is none, or a signed-out client says so (docs/specification.md, 7.33). */
export function bearerOf(headers: IncomingHttpHeaders): string | null {
  const token = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? "")?.[1]?.trim();
  return token && token !== "null" && token !== "undefined" ? token : null;
}
