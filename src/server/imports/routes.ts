import path from "node:path";
import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { importUpload, StartImport } from "../../shared/imports.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { allowSlowUpload } from "../http/request-timeouts.ts";
import { contextOfRequest } from "../http/request-context.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import { PendingBytes } from "../http/bodies.ts";
import type { Services } from "../context.ts";
import { savePart, readMultipartForm } from "../media/form.ts";
import { asMember } from "../http/trpc.ts";
import { reportText } from "./report.ts";
import { requireCanImport, startImport, tooLarge, wholeReport } from "./service.ts";

/** A file with its multipart framing. */
const maxBodyBytes = importUpload + 64 * 1024;

/** Handles `POST /settings/import`, streamed to disk, and `GET /settings/import/{id}.txt`, an own import's report. */
export async function importRoutes(app: FastifyInstance, services: Services): Promise<void> {
  // Separate, so that pictures do not wait for imports.
  const bytes = { ...services.bytes, disk: new PendingBytes(2 * maxBodyBytes) };
  await app.register(multipart, {
    limits: { files: 1, fields: 0, fileSize: importUpload + 1, parts: 1 },
  });
  app.get<{ Params: { id: string } }>("/settings/import/:id.txt", async (request, reply) => {
    const ctx = asMember(await contextOfRequest(services, request, reply));
    await ctx.limits.take("read", ctx.address);
    void reply.header("cache-control", "private, no-store");
    const report = await wholeReport(ctx, request.params);
    return reply
      .header("content-disposition", 'attachment; filename="import-report.txt"')
      .type("text/plain; charset=utf-8")
      .send(report ? reportText(report) : "");
  });
  app.post("/settings/import", { bodyLimit: maxBodyBytes }, async (request, reply) => {
    if (!isOwnOrigin(services.config, request.headers))
      throw new AppError("forbidden", "This request came from another site.");
    const ctx = asMember(await contextOfRequest(services, request, reply));
    const { data: input, error } = StartImport.safeParse(request.query);
    if (!input)
      throw new AppError("bad_request", error.issues[0]?.message ?? messages.wrong, { cause: error });
    if (!request.isMultipart())
      throw new AppError("wrong_type", "Please send the file as a multipart form with a field named file.");
    await requireCanImport(ctx, Number(request.headers["content-length"] ?? 0));
    allowSlowUpload(request.raw);
    return ctx.temporary.folder(async (folder) => {
      const file = path.join(folder, "upload");
      const size = await readMultipartForm(
        { ...ctx, bytes },
        { request, reply, most: maxBodyBytes, tooLarge },
        async (begin) => {
          const part = await request.file();
          if (!part) return 0;
          begin(part.file);
          return savePart(part.file, file, importUpload, tooLarge);
        },
      );
      if (size === 0) throw new AppError("bad_request", "Please choose a file.", { field: "file" });
      return startImport(ctx, input, file);
    });
  });
}
