import type { FastifyCorsOptions } from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who may call /api/v1 from a page of their own: any origin, never with credentials (docs/specification.md, 7.34). */
export const corsOptions = {
  origin: "*",
  credentials: false,
  methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowedHeaders: ["authorization", "content-type", "if-match"],
  exposedHeaders: ["retry-after", "etag"],
  maxAge: 86_400,
  // Also to those who ask without saying what for.
  strictPreflight: false,
} satisfies FastifyCorsOptions;

const restPath = /^\/api\/v1(?:[/?]|$)/;

/** The same headers where no hook runs. True where the request only asked whether it may: then it is answered. */
export function answerCors({ url, method }: FastifyRequest, reply: FastifyReply): boolean {
  if (!restPath.test(url)) return false;
  void reply.headers({
    "access-control-allow-origin": corsOptions.origin,
    "access-control-expose-headers": corsOptions.exposedHeaders.join(", "),
    "cache-control": "no-store",
  });
  if (method !== "OPTIONS") return false;
  void reply
    .headers({
      "access-control-allow-methods": corsOptions.methods.join(", "),
      "access-control-allow-headers": corsOptions.allowedHeaders.join(", "),
      "access-control-max-age": corsOptions.maxAge,
    })
    .code(204)
    .send();
  return true;
}
