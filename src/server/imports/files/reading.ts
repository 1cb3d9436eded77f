import { FileProblem } from "../source.ts";

/** Reads a whole stream. Throws `FileProblem` beyond `maxBytes` bytes, whatever size was announced. */
export async function readAll(stream: NodeJS.ReadableStream, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    if ((size += part.length) > maxBytes) throw tooLarge(size, maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export const tooLarge = (size: number, maxBytes: number): FileProblem =>
  new FileProblem(`too large: ${megabytes(size)} (at most ${megabytes(maxBytes)})`);

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
