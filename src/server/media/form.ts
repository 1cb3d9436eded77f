import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { senderOf } from "../http/bodies.ts";
import type { MemberContext } from "../context.ts";

/** A member's request with a form, its limit in bytes, and the error beyond it. */
interface FormRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  most: number;
  tooLarge: () => AppError;
}

/**
 * Runs `read`, which writes a form to disk and passes each file to `begin`; counts the arriving bytes. Throws `too_large`,
 * `unavailable` when too much arrives at once, `bad_request` when broken or incomplete.
 */
export async function readMultipartForm<T>(
  { bytes, viewer, address }: Pick<MemberContext, "bytes" | "viewer" | "address">,
  { request, reply, most, tooLarge }: FormRequest,
  read: (begin: (file: Readable) => void) => Promise<T>,
): Promise<T> {
  const announcedBytes = Number(request.headers["content-length"] ?? 0);
  const sender = senderOf(viewer.id, address);
  bytes.disk.expect(sender, announcedBytes);
  if (announcedBytes > most) throw tooLarge();
  let current: Readable | undefined;
  let refusal: Error | undefined;
  let receivedBytes = 0;
  const countBytes = (chunk: Buffer) => {
    try {
      if ((receivedBytes += chunk.length) > most) throw tooLarge();
      bytes.disk.add(reply, sender, chunk.length);
    } catch (error) {
      refusal ??= error as Error;
      void reply.header("connection", "close");
      request.raw.off("data", countBytes).unpipe();
      current?.destroy(refusal);
    }
  };
  request.raw.on("data", countBytes);
  try {
    const result = await read((file) => (current = file));
    if (!refusal) return result;
  } catch (cause) {
    // Do not parse what is refused.
    request.raw.off("data", countBytes).unpipe().resume();
    // Errors of Fastify and ours have a status; the parser's do not.
    if (refusal === undefined && !(cause instanceof AppError) && !("statusCode" in (cause as object)))
      throw new AppError("bad_request", "The form was incomplete. Please send it again.", {
        cause,
      });
    throw refusal ?? cause;
  }
  throw refusal;
}

/** Writes a part of a form to disk. Returns its size; throws `too_large`. */
export async function savePart(
  part: Readable,
  file: string,
  maxBytes: number,
  tooLarge = pictureTooLarge,
): Promise<number> {
  let size = 0;
  await pipeline(
    part,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if ((size += chunk.length) > maxBytes) throw tooLarge();
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  return size;
}

export const pictureTooLarge = () => new AppError("too_large", "A picture can have up to 8 MB.");
