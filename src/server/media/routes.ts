import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { contextOfRequest } from "../asking.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Parts } from "../context.ts";
import { asMember } from "../trpc.ts";
import { readingForm } from "./form.ts";
import { addPicture, coverTypes } from "./service.ts";

/** `POST /upload` (a member's page) and `GET /media/{id}/{width}.webp`. */
export async function mediaRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(multipart, {
    limits: { files: 1, fields: 4, fileSize: limits.image.bytes + 1, fieldSize: 1_000, parts: 6 },
  });

  app.post("/upload", { bodyLimit: limits.image.bytes + 64 * 1024 }, async (request, reply) => {
    if (!isOwnOrigin(parts.config, request.headers))
      throw new AppError("forbidden", "This request came from another site.");
    const ctx = asMember(await contextOfRequest(parts, request, reply));
    if (!request.isMultipart())
      throw new AppError(
        "wrong_type",
        "Please send the picture as a multipart form with a field named file.",
      );
    const bytes = await readingForm(async () => (await request.file())?.toBuffer());
    if (!bytes || bytes.length === 0) throw new AppError("bad_request", "Please choose a picture.");
    return addPicture(ctx, bytes, request.headers["x-picture-use"] === "cover" ? coverTypes : undefined);
  });

  app.get<{ Params: { id: string; file: string } }>("/media/:id/:file", async (request, reply) => {
    const { id, file } = request.params;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) || !/^(full|\d{2,4})\.webp$/.test(file))
      throw new AppError("not_found", "There is no such picture.");
    return reply
      .header("cross-origin-resource-policy", "cross-origin")
      .header("access-control-allow-origin", "*")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .sendFile(file, parts.media.folderOf(id), { immutable: true, maxAge: "365d", cacheControl: true });
  });
}
