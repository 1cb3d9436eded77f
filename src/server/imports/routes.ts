import path from "node:path";
import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { importUpload, StartImport } from "../../shared/imports.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { mayArriveSlowly } from "../arrivals.ts";
import { contextOfRequest } from "../asking.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import { BytesUnderWay } from "../bodies.ts";
import type { Parts } from "../context.ts";
import { keepPart, readingForm } from "../media/form.ts";
import { asMember } from "../trpc.ts";
import { mayImport, startImport, tooLarge } from "./service.ts";

/** A file and what a form has around it. */
const most = importUpload + 64 * 1024;

/** `POST /settings/import`: a file to import from, straight to the disk. */
export async function importRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  // Apart from pictures, which are not to wait for them.
  const bytes = { ...parts.bytes, disk: new BytesUnderWay(2 * most) };
  await app.register(multipart, {
    limits: { files: 1, fields: 0, fileSize: importUpload + 1, parts: 1 },
  });
  app.post("/settings/import", { bodyLimit: most }, async (request, reply) => {
    if (!isOwnOrigin(parts.config, request.headers))
      throw new AppError("forbidden", "This request came from another site.");
    const ctx = asMember(await contextOfRequest(parts, request, reply));
    const { data: asked, error } = StartImport.safeParse(request.query);
    if (!asked)
      throw new AppError("bad_request", error.issues[0]?.message ?? messages.wrong, { cause: error });
    if (!request.isMultipart())
      throw new AppError("wrong_type", "Please send the file as a multipart form with a field named file.");
    await mayImport(ctx, Number(request.headers["content-length"] ?? 0));
    mayArriveSlowly(request.raw);
    return ctx.temporary.folder(async (folder) => {
      const file = path.join(folder, "upload");
      const size = await readingForm({ bytes }, { request, reply, most, tooLarge }, async (begin) => {
        const part = await request.file();
        if (!part) return 0;
        begin(part.file);
        return keepPart(part.file, file, importUpload, tooLarge);
      });
      if (size === 0) throw new AppError("bad_request", "Please choose a file.", { field: "file" });
      return startImport(ctx, asked, file);
    });
  });
}
