import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { Config } from "../runtime/config.ts";

/** Responses may have more fields than described. */
const zodToJsonConfig = {
  override: ({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }) => {
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
};

/** Serves the OpenAPI 3.1 document of /api/v1, made from the validation schemas. */
export async function serveOpenApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `${config.siteName} API`,
        version: "1",
        description:
          "Reading and writing over plain HTTP. Sign in at /signin for a bearer token; reads also take the session cookie of the same site. Errors are { success: false, message }.",
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  });
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "public, max-age=300").send(app.swagger()),
  );
}
