import path from "node:path";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { contextOfRequest } from "../asking.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Parts } from "../context.ts";
import { asMember } from "../trpc.ts";
import { sightOf } from "./access.ts";
import { keepPart, pictureTooLarge, readingForm } from "./form.ts";
import { addPicture, coverTypes } from "./service.ts";

/** A picture and what a form has around it. */
const most = limits.image.bytes + 64 * 1024;

/** `POST /upload` (a member's page) and `GET /media/{id}/{width}.webp`. */
export async function mediaRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(multipart, {
    limits: { files: 1, fields: 4, fileSize: limits.image.bytes + 1, fieldSize: 1_000, parts: 6 },
  });

  app.post("/upload", { bodyLimit: most }, async (request, reply) => {
    if (!isOwnOrigin(parts.config, request.headers))
      throw new AppError("forbidden", "This request came from another site.");
    const ctx = asMember(await contextOfRequest(parts, request, reply));
    if (!request.isMultipart())
      throw new AppError(
        "wrong_type",
        "Please send the picture as a multipart form with a field named file.",
      );
    const accepted = request.headers["x-picture-use"] === "cover" ? coverTypes : undefined;
    return ctx.temporary.folder(async (folder) => {
      const file = path.join(folder, "picture");
      const size = await readingForm(
        ctx,
        { request, reply, most, tooLarge: pictureTooLarge },
        async (begin) => {
          const part = await request.file();
          if (!part) return 0;
          begin(part.file);
          return keepPart(part.file, file, limits.image.bytes);
        },
      );
      if (size === 0) throw new AppError("bad_request", "Please choose a picture.");
      return addPicture(ctx, file, accepted);
    });
  });

  app.get<{ Params: { id: string; file: string }; Querystring: { until?: unknown; key?: unknown } }>(
    "/media/:id/:file",
    async (request, reply) => {
      const { id, file } = request.params;
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) || !/^(full|\d{2,4})\.webp$/.test(file))
        throw noSuchPicture(reply);
      const seenBy = await whoSees(parts, request, reply, id);
      if (!seenBy) throw noSuchPicture(reply);
      return reply
        .headers(headersFor[seenBy])
        .header("content-security-policy", "default-src 'none'; sandbox")
        .sendFile(file, parts.media.folderOf(id), { cacheControl: false });
    },
  );
}

/** For whom the picture may be sent: everybody, the viewer, or whoever has an address that was given to one who may. */
async function whoSees(
  parts: Parts,
  request: FastifyRequest<{ Querystring: { until?: unknown; key?: unknown } }>,
  reply: FastifyReply,
  id: string,
): Promise<keyof typeof headersFor | null> {
  const { read } = parts.database;
  // The usual case first: no session is looked for where everybody may see it.
  const sight = await sightOf(read, null, id);
  if (sight) return sight;
  if (await parts.signed.isGiven(id, request.query)) return "bearer";
  const { viewer } = await contextOfRequest(parts, request, reply);
  return viewer && sightOf(read, viewer, id);
}

const anywhere = { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" };
/** What was public may be private in the next moment: a cache asks again after five minutes. */
const headersFor = {
  everybody: { ...anywhere, "cache-control": "public, max-age=300" },
  bearer: { ...anywhere, "cache-control": "private, max-age=300" },
  viewer: { "cross-origin-resource-policy": "same-origin", "cache-control": "private, no-cache" },
};

function noSuchPicture(reply: FastifyReply): AppError {
  void reply.header("cache-control", "private, no-store");
  return new AppError("not_found", "This picture doesn’t exist.");
}
