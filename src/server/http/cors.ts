import type { FastifyCorsOptions } from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";

/** CORS of /api/v1: any origin, never with credentials (docs/specification.md, 7.34). */
export const corsOptions = {
  origin: "*",
  credentials: false,
  methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowedHeaders: ["authorization", "content-type", "if-match"],
  exposedHeaders: ["retry-after", "etag"],
  maxAge: 86_400,
  // Also preflights without a requested method.
  strictPreflight: false,
} satisfies FastifyCorsOptions;

const restPath = /^\/api\/v1(?:[/?]|$)/;

/** Sets these headers where no hook runs. Returns true after answering a preflight. */
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
