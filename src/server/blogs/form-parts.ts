import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Context } from "../context.ts";
import { readingForm } from "../media/form.ts";

/** A form's small fields as they are, its content and its cover as files. */
export interface FormParts {
  values: Map<string, unknown>;
  content?: string;
  cover?: string;
}

/** Reads a multipart form into a folder, each large part to the disk as it comes. Throws `too_large` beyond 40 MB in all. */
export async function readFormParts(
  { bytes }: Pick<Context, "bytes">,
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
): Promise<FormParts> {
  bytes.disk.expect(Number(request.headers["content-length"] ?? 0));
  if (Number(request.headers["content-length"] ?? 0) > limits.body.upload) throw tooLarge();
  const form: FormParts = { values: new Map() };
  let refused: unknown;
  let read = 0;
  const count = (chunk: Buffer) => {
    try {
      if ((read += chunk.length) > limits.body.upload) throw tooLarge();
      bytes.disk.add(reply, chunk.length);
    } catch (error) {
      refused ??= error;
      void reply.header("connection", "close");
      request.raw.off("data", count).unpipe();
      current?.destroy(error as Error);
    }
  };
  let current: MultipartFile["file"] | undefined;
  const seen = new Set<string>();
  await readingForm(async () => {
    const parts = request.parts({
      // Content may be as large as a file, and is read as one whatever it says it is.
      isPartAFile: (name, type, fileName) =>
        name === "content" || type === "application/octet-stream" || fileName !== undefined,
    }) as AsyncIterableIterator<MultipartFile | MultipartValue>;
    request.raw.on("data", count);
    for await (const part of parts) {
      const name = part.fieldname;
      if (part.type === "field") {
        if (part.valueTruncated)
          throw new AppError("too_large", `The field ${name} is too large.`, { field: name });
        if (name !== "images") once(seen, name);
        form.values.set(name, part.value);
        continue;
      }
      current = part.file;
      // Pictures of the text come with its content; the repeated `images` beside it are read and let go.
      if (name !== "image" && name !== "content") {
        for await (const _chunk of part.file);
        continue;
      }
      const file = path.join(folder, `${name}-${seen.size}`);
      let size = 0;
      await pipeline(
        part.file,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            if (name === "image" && size > limits.image.bytes)
              throw new AppError("too_large", "A picture has at most 8 MB.");
            yield chunk;
          }
        },
        createWriteStream(file),
      );
      if (name === "image" && size === 0) continue;
      once(seen, name);
      form[name === "image" ? "cover" : "content"] = file;
    }
  }).catch((error: unknown) => {
    // Nobody looks for parts in what is refused.
    request.raw.off("data", count).unpipe().resume();
    throw refused ?? error;
  });
  if (refused) throw refused as Error;
  return form;
}

function once(seen: Set<string>, field: string): void {
  if (seen.has(field)) throw new AppError("bad_request", `The field ${field} was sent twice.`, { field });
  seen.add(field);
}

const tooLarge = () => new AppError("too_large", "That is too large to be taken: at most 40 MB in all.");
