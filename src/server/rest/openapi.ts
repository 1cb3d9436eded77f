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

/** Markdown. */
const description = `Reading and writing over plain HTTP.

Reading what is public needs no account. For the rest, send the \`token\` that \`POST /api/v1/signin\` answers as
\`Authorization: Bearer …\`. It lasts as long as the session: thirty days, or until you sign out. Reads also accept the session
cookie of this site.

Bodies and answers are JSON; only blogs and entries of live blogs are sent as forms, since they bring pictures. Times are ISO 8601,
ids are text. A call that fails answers with a fitting status and \`{ "success": false, "message": "…" }\`, where the message is written for people; with
\`429\`, \`Retry-After\` says how many seconds to wait. Any origin may call. What you may not read answers \`404\`, as if it were
not there.

An array of ids has at most the newest 1,000 of a single blog or person, and at most the newest 100 on each card of a list (fewer in
a list of more than 200). The counts beside them are exact, and you are always among the people of an array that you are in. Where \`hasMore\` is true, the next \`page\` has more. People who do not show
what they like or save have a pseudonym in \`likes\` and \`totalSaves\`: an id of nobody, the same for a person in one blog. Large
answers count more towards how often you may ask.

Clients can be generated from the OpenAPI document at \`/api/v1/openapi.json\`.`;

/** Makes the OpenAPI 3.1 document of /api/v1 from the validation schemas of the endpoints that are added later. */
export async function describeApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `${config.siteName} API`,
        version: "1",
        description,
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig }),
  });
}
