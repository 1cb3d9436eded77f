import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { browserSecret } from "../auth/cookies.ts";
import { sealedChallenge } from "../auth/challenges.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Context, Services } from "../context.ts";
import { joinSnapshots } from "../database/joined-snapshots.ts";

interface RequestInput {
  headers: IncomingHttpHeaders;
  address: string;
  transport: Context["transport"];
  setCookie: (cookie: string) => void;
  signal?: AbortSignal;
}

/** Returns the context of a session token, or of a guest. Renews a prolonged session's cookie. */
export async function contextOf(
  services: Services,
  token: string | null,
  input: RequestInput,
): Promise<Context> {
  const expectedAccount = input.headers["x-account"];
  const signedIn = await services.sessions.find(token);
  // Another account's page must not act as the one signed in since.
  const session = !expectedAccount || expectedAccount === signedIn?.userId ? signedIn : null;
  if (session?.cookie) input.setCookie(session.cookie);
  return {
    ...services,
    database: joinSnapshots(services.database),
    viewer: session && { id: session.userId, isAdmin: session.isAdmin },
    session: session && { hash: session.hash, handle: session.handle },
    // Browsers send the origin with every changing request; programs do not.
    browser:
      input.headers.origin !== undefined && isOwnOrigin(services.config, input.headers)
        ? browserOf(services, input.headers.cookie)
        : null,
    address: input.address,
    userAgent: input.headers["user-agent"] ?? "",
    transport: input.transport,
    costly: input.transport === "local" ? null : { calls: 0 },
    setCookie: input.setCookie,
    signal: input.signal,
  };
}

/** Aborts if the connection closes before the response ends. */
export function abortOnClose({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableEnded)
      controller.abort(new AppError("bad_request", "The client closed the connection."));
  });
  return controller.signal;
}

/** Returns a browser's cookies; see `Context`. */
export const browserOf = (
  { config, sessions }: Services,
  cookie: string | undefined,
): NonNullable<Context["browser"]> => ({
  token: sessions.fromCookie(cookie),
  secret: browserSecret(cookie, config.https),
  begun: sealedChallenge(cookie, config.https),
});

/** Returns the context of a request with a session cookie. */
export function contextOfRequest(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  transport: Context["transport"] = "http",
): Promise<Context> {
  return contextOf(services, services.sessions.fromCookie(request.headers.cookie), {
    headers: request.headers,
    address: request.ip,
    transport,
    signal: abortOnClose(reply),
    setCookie: (cookie) => void reply.header("set-cookie", cookie),
  });
}

/** Returns the API's bearer token; null if missing or "null" (docs/specification.md, 7.33). */
export function bearerOf(headers: IncomingHttpHeaders): string | null {
  const token = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? "")?.[1]?.trim();
  return token && token !== "null" && token !== "undefined" ? token : null;
}
