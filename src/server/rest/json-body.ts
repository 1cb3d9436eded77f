import type { FastifyInstance, FastifyRequest } from "fastify";
import { DocumentError } from "../../shared/document/document-error.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { countedAs } from "../auth/limits.ts";
import type { Parts } from "../context.ts";

const pictures = new WeakMap<FastifyRequest, Buffer>();

/** The picture of a large JSON body, which came as a `data:` address. */
export const pictureIn = (request: FastifyRequest): Buffer | undefined => pictures.get(request);

/**
 * A JSON body that is cheap to parse: a large one is looked through by a worker, which gives its documents as texts and
 * refuses more values than any call asks for.
 */
export async function lightJson(
  { workers }: Pick<Parts, "workers">,
  request: FastifyRequest,
  text: string,
): Promise<string> {
  if (text.length <= limits.body.light) return text;
  try {
    const { json, picture } = await workers.run("lighten", { text }, countedAs(request.ip));
    if (picture) pictures.set(request, Buffer.from(picture.buffer));
    return json;
  } catch (cause) {
    throw cause instanceof DocumentError ? new AppError("bad_request", cause.message, { cause }) : cause;
  }
}

/** Takes JSON, and of old clients its type with no body at all; what is no JSON and no form is not read. */
export function takeJson(app: FastifyInstance, parts: Pick<Parts, "workers">): void {
  const parse = app.getDefaultJsonParser("error", "ignore");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.trim() === "") return done(null, {});
    void (async () => {
      try {
        const json = await lightJson(parts, request, body);
        void parse(request, json, done);
      } catch (error) {
        done(error as Error);
      }
    })();
  });
}
