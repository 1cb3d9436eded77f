import type { FastifyServerOptions } from "fastify";

/** Paths whose last part is a secret that came by mail. */
const secretPath =
  /^(\/(?:api\/v1\/)?(?:verify-email|reset-password|change-email|delete-account|unsubscribe)\/)[^/?]+/;

/** An address as it may stand in a log: no token, and of the query only that there was one. */
export const loggable = (url: string): string => url.replace(secretPath, "$1…").replace(/\?.*$/, "?…");

/** One JSON line for each request, with its id; no cookie, token, body or query reaches the log. */
export const logging = (level: string): FastifyServerOptions["logger"] =>
  level === "silent"
    ? false
    : {
        level,
        redact: ["req.headers.cookie", "req.headers.authorization", "res.headers['set-cookie']"],
        serializers: {
          req: (request: { method: string; url: string; ip?: string }) => ({
            method: request.method,
            url: loggable(request.url),
            ip: request.ip,
          }),
        },
      };
