import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import type { FastifyError, FastifyInstance } from "fastify";
import { limits } from "../../shared/limits.ts";
import type { Services } from "../context.ts";
import { accountCalls } from "./accounts.ts";
import { blogCalls } from "./blogs.ts";
import { commentCalls } from "./comments.ts";
import { entryCalls } from "./entries.ts";
import { likeCalls } from "./likes.ts";
import { peopleCalls } from "./people.ts";
import { Endpoints, unknownEndpoint } from "./endpoints.ts";
import { corsOptions } from "../http/cors.ts";
import { answerError } from "../http/answer-error.ts";
import { takeJson } from "../http/json-body.ts";
import { serveApiPage } from "./api-page.ts";
import { describeApi } from "./openapi.ts";

/** Registers /api/v1 and the page about it. */
export async function registerRestApi(app: FastifyInstance, services: Services): Promise<void> {
  await describeApi(app, services.config);
  await serveApiPage(app, services.config);
  await app.register(async (scope) => addEndpoints(scope, services), { prefix: "/api/v1" });
}

/** Any origin without credentials, JSON, errors as `{ success, message }`. */
async function addEndpoints(app: FastifyInstance, services: Services): Promise<void> {
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
  takeJson(app, services);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    void reply.header("cache-control", "no-store");
    return answerError.call(app, error, request, reply);
  });
  const answerUnknown = () => {
    throw unknownEndpoint();
  };
  // Methods without any route, such as PROPFIND.
  app.setNotFoundHandler(answerUnknown);
  // Otherwise, unknown paths of the API would get a page.
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

  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "public, max-age=300").send(app.swagger()),
  );
  const calls = new Endpoints(app, services);
  accountCalls(calls);
  blogCalls(calls);
  entryCalls(calls);
  commentCalls(calls);
  likeCalls(calls);
  peopleCalls(calls);
}
