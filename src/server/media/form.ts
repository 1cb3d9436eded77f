import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";

/** A form that comes in, how large it may be in all, and what is said beyond that. */
interface Coming {
  request: FastifyRequest;
  reply: FastifyReply;
  most: number;
  tooLarge: () => AppError;
}

/**
 * Runs what reads a multipart form to the disk, which names each file that it reads; its bytes are counted as they come.
 * Throws `too_large`, `unavailable` where too much comes in at once, `bad_request` where the form is broken or ends too soon.
 */
export async function readingForm<T>(
  { bytes }: Pick<Context, "bytes">,
  { request, reply, most, tooLarge }: Coming,
  read: (begin: (file: Readable) => void) => Promise<T>,
): Promise<T> {
  const said = Number(request.headers["content-length"] ?? 0);
  bytes.disk.expect(said);
  if (said > most) throw tooLarge();
  let current: Readable | undefined;
  let refused: Error | undefined;
  let come = 0;
  const count = (chunk: Buffer) => {
    try {
      if ((come += chunk.length) > most) throw tooLarge();
      bytes.disk.add(reply, chunk.length);
    } catch (error) {
      refused ??= error as Error;
      void reply.header("connection", "close");
      request.raw.off("data", count).unpipe();
      current?.destroy(refused);
    }
  };
  request.raw.on("data", count);
  try {
    const result = await read((file) => (current = file));
    if (!refused) return result;
  } catch (cause) {
    // Nobody looks for parts in what is refused.
    request.raw.off("data", count).unpipe().resume();
    // What Fastify and we refuse names a status; what the parser can't make sense of does not.
    if (refused === undefined && !(cause instanceof AppError) && !("statusCode" in (cause as object)))
      throw new AppError("bad_request", "The form was incomplete. Please send it again.", {
        cause,
      });
    throw refused ?? cause;
  }
  throw refused;
}

/** Writes a part of a form to the disk; answers with its size. Throws `too_large` where it is. */
export async function keepPart(
  part: Readable,
  file: string,
  most: number,
  tooLarge = pictureTooLarge,
): Promise<number> {
  let size = 0;
  await pipeline(
    part,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if ((size += chunk.length) > most) throw tooLarge();
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  return size;
}

export const pictureTooLarge = () => new AppError("too_large", "A picture can have up to 8 MB.");
