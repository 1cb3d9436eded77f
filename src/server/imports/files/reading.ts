import { FileProblem } from "../source.ts";

/** Reads a whole stream. Throws `FileProblem` beyond `most` bytes, whatever size was announced. */
export async function readAll(stream: NodeJS.ReadableStream, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    if ((size += part.length) > most) throw tooLarge(size, most);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export const tooLarge = (size: number, most: number): FileProblem =>
  new FileProblem(`too large: ${megabytes(size)} (at most ${megabytes(most)})`);

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
