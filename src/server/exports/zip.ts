import { open, rm, stat, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

type Content = Buffer | AsyncIterable<Buffer>;

/** A ZIP that streams its files to disk. */
export class Zip {
  readonly #file: string;
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;
  /** The error of every later `add`. */
  #error: Error | undefined;
  #stop: (error: Error) => void = () => undefined;

  /** Throws when the file exists, which must not be changed or deleted. */
  static async create(file: string, signal?: AbortSignal): Promise<Zip> {
    signal?.throwIfAborted();
    return new Zip(file, await open(file, "wx", 0o600), signal);
  }

  private constructor(file: string, handle: FileHandle, signal?: AbortSignal) {
    this.#file = file;
    this.#written = pipeline(
      this.#zip.outputStream,
      // Flushed before the caller reports success.
      handle.createWriteStream({ flush: true }),
      signal ? { signal } : {},
    );
    // The error reaches the caller of `add` or `close`.
    this.#zip.on("error", (error: Error) => this.#end(error));
    this.#written.then(
      () => this.#end(new Error("The ZIP was closed before its end.")),
      (error: Error) => this.#end(error),
    );
  }

  #end(error: Error): void {
    this.#error ??= error;
    this.#stop(this.#error);
  }

  /** Waits until the file is consumed. Throws when writing fails or is aborted. */
  add(name: string, content: Content, { compress = true } = {}): Promise<void> {
    const bytes = Readable.from(Buffer.isBuffer(content) ? [content] : content, { objectMode: false });
    return this.#add(name, { bytes }, compress);
  }

  /**
   * yazl keeps every name and callback to the end: the callback must not keep the stream, nor the name a slice of Node's shared
   * buffer pool (hence size 0).
   */
  #add(name: string, source: { bytes: Readable | null }, compress: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error);
      this.#stop = reject;
      source.bytes?.once("end", resolve).once("error", reject);
      const { poolSize } = Buffer;
      Buffer.poolSize = 0;
      this.#zip.addReadStreamLazy(name, { compress, mode: 0o100644 }, (callback) => {
        const { bytes } = source;
        source.bytes = null;
        if (bytes) callback(null, bytes);
      });
      Buffer.poolSize = poolSize;
    });
  }

  /** Returns the size in bytes. */
  async close(): Promise<number> {
    this.#zip.end();
    await this.#written;
    return (await stat(this.#file)).size;
  }

  /** Stops writing and deletes the file. */
  async abandon(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#file, { force: true });
  }
}

/** Characters per write. */
const charactersPerWrite = 64 * 1024;

/** Yields a JSON array, one row per line. */
export async function* jsonLines(rows: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Buffer> {
  let [text, separator] = ["[", "\n"];
  for await (const row of rows) {
    text += separator + JSON.stringify(row);
    separator = ",\n";
    if (text.length < charactersPerWrite) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}\n]\n`);
}
