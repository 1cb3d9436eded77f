import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import type { FastifyError, FastifyInstance } from "fastify";
import { limits } from "../../shared/limits.ts";
import type { Parts } from "../context.ts";
import { accountCalls } from "../users/rest.ts";
import { blogCalls } from "../blogs/rest.ts";
import { commentCalls } from "../comments/rest.ts";
import { socialCalls } from "../social/rest.ts";
import { Calls, noSuchCall } from "./call.ts";
import { corsOptions } from "./cors.ts";
import { answerError } from "../answer-error.ts";
import { takeJson } from "./json-body.ts";
import { describeCalls } from "./openapi.ts";

/** The scope of /api/v1: any origin without credentials, JSON in and out, errors as `{ success, message }`. */
export async function restScope(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(cors, corsOptions);
  await app.register(multipart, {
    limits: {
      fileSize: limits.body.upload,
      files: 22,
      fields: 20,
      fieldSize: limits.body.field,
      parts: 60,
      headerPairs: 100,
    },
    throwFileSizeLimit: false,
  });
  takeJson(app, parts);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    void reply.header("cache-control", "no-store");
    return answerError.call(app, error, request, reply);
  });
  const answerUnknown = () => {
    throw noSuchCall();
  };
  // What no route is for whatever the path, as PROPFIND.
  app.setNotFoundHandler(answerUnknown);
  // Without a route of its own, an unknown path of the API would be a page's.
  for (const url of ["/", "/*"])
    app.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url,
      schema: { hide: true },
      handler: answerUnknown,
    });
  app.addHook(
    "onSend",
    async (_request, reply) =>
      void (reply.hasHeader("cache-control") || reply.header("cache-control", "private, no-store")),
  );

  await describeCalls(app, parts.config);
  const calls = new Calls(app, parts);
  accountCalls(calls);
  blogCalls(calls);
  commentCalls(calls);
  socialCalls(calls);
}
