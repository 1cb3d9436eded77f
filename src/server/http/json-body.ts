import type { FastifyInstance, FastifyRequest } from "fastify";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Services } from "../context.ts";

const pictures = new WeakMap<FastifyRequest, Buffer>();

/** Returns the picture of a large JSON body, sent as a `data:` URL. */
export const pictureIn = (request: FastifyRequest): Buffer | undefined => pictures.get(request);

/**
 * Returns JSON that is cheap to parse: of a large body, a worker thread turns documents into strings and refuses too many
 * values.
 */
export async function lightJson(
  { workers }: Pick<Services, "workers">,
  request: FastifyRequest,
  text: string,
): Promise<string> {
  if (text.length <= limits.body.light) return text;
  try {
    const { json, picture } = await workers.run("lighten", { text }, addressKey(request.ip));
    if (picture) pictures.set(request, Buffer.from(picture.buffer));
    return json;
  } catch (cause) {
    throw cause instanceof DocumentError ? new AppError("bad_request", cause.message, { cause }) : cause;
  }
}

/** Accepts JSON, and an empty body from old clients. Other types, except forms, are refused. */
export function takeJson(app: FastifyInstance, services: Pick<Services, "workers">): void {
  const parse = app.getDefaultJsonParser("error", "ignore");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.trim() === "") return done(null, {});
    void (async () => {
      try {
        const json = await lightJson(services, request, body);
        void parse(request, json, done);
      } catch (error) {
        done(error as Error);
      }
    })();
  });
}
