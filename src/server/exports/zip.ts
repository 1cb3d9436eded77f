import { open, rm, stat, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

type Content = Buffer | AsyncIterable<Buffer>;

/** A ZIP that is written as its files come: none is held in memory longer than it takes to write it. */
export class Zip {
  readonly #file: string;
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;
  /** Why no more can be written. */
  #ended: Error | undefined;
  #stop: (error: Error) => void = () => undefined;

  /** Throws where the file is there already: what stood there before is nobody's here to change or to take away. */
  static async create(file: string, signal?: AbortSignal): Promise<Zip> {
    signal?.throwIfAborted();
    return new Zip(file, await open(file, "wx", 0o600), signal);
  }

  private constructor(file: string, handle: FileHandle, signal?: AbortSignal) {
    this.#file = file;
    this.#written = pipeline(
      this.#zip.outputStream,
      // Whole on the disk before anybody is told of it.
      handle.createWriteStream({ flush: true }),
      signal ? { signal } : {},
    );
    // Whoever adds a file hears of it, or whoever closes.
    this.#zip.on("error", (error: Error) => this.#end(error));
    this.#written.then(
      () => this.#end(new Error("The ZIP was closed before its end.")),
      (error: Error) => this.#end(error),
    );
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#stop(this.#ended);
  }

  /** Adds a file, and waits until it was taken. Throws what writing it throws: the disk is full, or it was stopped. */
  add(name: string, content: Content, { compress = true } = {}): Promise<void> {
    const bytes = Readable.from(Buffer.isBuffer(content) ? [content] : content, { objectMode: false });
    return this.#add(name, { bytes }, compress);
  }

  /**
   * The ZIP keeps each name until its end, and what asks for the file: neither the file with it, nor the stretch of memory that
   * Node cuts short names from, with all that was cut from it beside.
   */
  #add(name: string, given: { bytes: Readable | null }, compress: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#stop = reject;
      given.bytes?.once("end", resolve).once("error", reject);
      const { poolSize } = Buffer;
      Buffer.poolSize = 0;
      this.#zip.addReadStreamLazy(name, { compress, mode: 0o100644 }, (take) => {
        const { bytes } = given;
        given.bytes = null;
        if (bytes) take(null, bytes);
      });
      Buffer.poolSize = poolSize;
    });
  }

  /** Writes the end; answers with how many bytes it has. */
  async close(): Promise<number> {
    this.#zip.end();
    await this.#written;
    return (await stat(this.#file)).size;
  }

  /** Takes away what was written. */
  async abandon(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#file, { force: true });
  }
}

/** So many characters are written at once. */
const stretch = 64 * 1024;

/** Rows as a JSON array with one on each line. */
export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let [text, between] = ["[", "\n"];
  for await (const row of rows) {
    text += between + JSON.stringify(row);
    between = ",\n";
    if (text.length < stretch) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}\n]\n`);
}
