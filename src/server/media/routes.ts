import path from "node:path";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { contextOfRequest } from "../http/request-context.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Services } from "../context.ts";
import { asMember } from "../http/trpc.ts";
import { pictureAccess } from "./access.ts";
import { pictureKey, publicPictureCaching } from "./paths.ts";
import { savePart, pictureTooLarge, readMultipartForm } from "./form.ts";
import { addPicture, coverTypes } from "./service.ts";

/** Bytes of a picture and its form. */
const maxBytes = limits.image.bytes + 64 * 1024;

/** The rate-limit cost of a JPEG that is not yet made. */
const jpegCost = 10;

/** `POST /upload` (a member's page), `GET /media/{id}/{width}.webp` and `GET /media/{id}/preview.jpg`. */
export async function mediaRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(multipart, {
    limits: { files: 1, fields: 4, fileSize: limits.image.bytes + 1, fieldSize: 1_000, parts: 6 },
  });

  app.post("/upload", { bodyLimit: maxBytes }, async (request, reply) => {
    if (!isOwnOrigin(services.config, request.headers))
      throw new AppError("forbidden", "This request came from another site.");
    const ctx = asMember(await contextOfRequest(services, request, reply));
    if (!request.isMultipart())
      throw new AppError(
        "wrong_type",
        "Please send the picture as a multipart form with a field named file.",
      );
    const accepted = request.headers["x-picture-use"] === "cover" ? coverTypes : undefined;
    return ctx.temporary.folder(async (folder) => {
      const file = path.join(folder, "picture");
      const size = await readMultipartForm(
        ctx,
        { request, reply, most: maxBytes, tooLarge: pictureTooLarge },
        async (begin) => {
          const part = await request.file();
          if (!part) return 0;
          begin(part.file);
          return savePart(part.file, file, limits.image.bytes);
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
      if (
        !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ||
        !/^(?:(?:full|\d{2,4})\.webp|preview\.jpg)$/.test(file)
      )
        throw noSuchPicture(reply);
      const audience = await accessForRequest(services, request, reply, id);
      if (!audience) throw noSuchPicture(reply);
      if (file === "preview.jpg") {
        const takeCost = () => services.limits.take("read", request.ip, jpegCost);
        if ((await services.media.jpegBytes(id, "previews", takeCost)) === null) throw noSuchPicture(reply);
      }
      void reply
        .headers(headersFor[audience])
        .header("content-security-policy", "default-src 'none'; sandbox");
      return services.files.send(request, reply, pictureKey(id, file));
    },
  );
}

/** Returns for whom it can be sent: everyone, the viewer, or the bearer of a signed address. */
async function accessForRequest(
  services: Services,
  request: FastifyRequest<{ Querystring: { until?: unknown; key?: unknown } }>,
  reply: FastifyReply,
  id: string,
): Promise<keyof typeof headersFor | null> {
  const { read } = services.database;
  // Public pictures need no session.
  const publicAccess = await pictureAccess(read, null, id);
  if (publicAccess) return publicAccess;
  if (await services.signedAddresses.isValid(id, request.query)) return "bearer";
  const { viewer } = await contextOfRequest(services, request, reply);
  return viewer && pictureAccess(read, viewer, id);
}

const headersFor = {
  everyone: { ...crossOrigin, "cache-control": publicPictureCaching },
  bearer: { ...crossOrigin, "cache-control": "private, max-age=300" },
  viewer: { "cross-origin-resource-policy": "same-origin", "cache-control": "private, no-cache" },
};

function noSuchPicture(reply: FastifyReply): AppError {
  void reply.header("cache-control", "private, no-store");
  return new AppError("not_found", "This picture doesn’t exist.");
}
