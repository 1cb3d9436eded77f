import { createWriteStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { isKnownEtag } from "../http/page-cache.ts";
import { limitConcurrency } from "../runtime/concurrency.ts";
import { Temporary } from "../runtime/temporary-folders.ts";
import { bucketAt } from "./s3-address.ts";
import { contentOf, S3Client, S3Problem, textOf, type Answer } from "./s3-client.ts";
import { checkedKey, type Entry, type FileStore, type OpenedFile } from "./store.ts";

/** The most bytes that S3 takes in one request. */
const maxBytes = 5 * 1024 ** 3;
/** Seconds after which a client should try again. */
const retryAfter = 10;
/** Milliseconds between log lines about S3. */
const logInterval = 60_000;

/** Files in a bucket. Files that a program needs by a path are in `DATA_DIR/tmp` meanwhile. */
export class S3Store implements FileStore {
  readonly #client: S3Client;
  readonly #temporary: Temporary;
  readonly #log: Pick<FastifyBaseLogger, "warn"> | undefined;
  readonly #fewAtOnce = limitConcurrency(16);
  #loggedAt = 0;

  constructor(url: string, dataDir: string, log?: Pick<FastifyBaseLogger, "warn">) {
    const bucket = bucketAt(url);
    if (!bucket) throw new Error("The setting S3_URL is wrong.");
    this.#client = new S3Client(bucket);
    this.#temporary = new Temporary(dataDir);
    this.#log = log;
  }

  /** As those of the client, for a checked key. Throws `unavailable`. */
  #request(...[method, key, options]: Parameters<S3Client["request"]>): Promise<Answer> {
    return this.#forPeople(this.#client.request(method, checkedKey(key), options));
  }

  #finish(...[method, key, options]: Parameters<S3Client["finish"]>): Promise<Answer> {
    return this.#forPeople(this.#client.finish(method, checkedKey(key), options));
  }

  #forPeople<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#unavailable(error);
    });
  }

  /** Logs why S3 failed, and returns the error for people. */
  #unavailable(error: unknown): unknown {
    if (!(error instanceof S3Problem)) return error;
    if (Date.now() - this.#loggedAt >= logInterval) {
      this.#loggedAt = Date.now();
      this.#log?.warn(
        { problem: error.message, host: this.#client.bucket.host },
        "S3 failed; people are asked to try again",
      );
    }
    return new AppError(
      "unavailable",
      "The site can’t reach its files right now. Please try again in a moment.",
      {
        retryAfter,
        cause: error,
      },
    );
  }

  put<T>(key: string, write: (part: string) => Promise<T>): Promise<T> {
    return this.#temporary.folder(async (folder) => {
      const part = path.join(folder, "part");
      const result = await write(part);
      if (!(await stat(part)).isDirectory()) {
        await this.#upload(key, part);
        return result;
      }
      const names = (await readdir(part)).sort();
      const last = names.splice(-1);
      try {
        for (const some of [names, last])
          await Promise.all(some.map((name) => this.#upload(`${key}/${name}`, path.join(part, name))));
      } catch (error) {
        // Nobody waits: what stays is swept.
        void this.remove(key).catch(() => undefined);
        throw error;
      }
      return result;
    });
  }

  async #upload(key: string, file: string): Promise<void> {
    const { size: bytes } = await stat(file);
    if (bytes > maxBytes) throw new AppError("too_large", "The site can store files of up to 5 GB.");
    await this.#finish("PUT", key, { body: { file, bytes } });
  }

  async copy(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
    const { name: bucket, prefix } = this.#client.bucket;
    const files = (await this.#filesOf(from)).filter((key) => isWanted(path.basename(key)));
    if (files.length === 0) throw new Error("There are no files to copy.");
    // In their order: the last one says that all are there.
    for (const key of files) {
      const headers = { "x-amz-copy-source": `/${bucket}/${prefix}${key}` };
      // A failed copy can be answered with 200.
      const answer = await textOf(await this.#request("PUT", to + key.slice(from.length), { headers }));
      if (!answer.includes("<CopyObjectResult")) throw this.#unavailable(new S3Problem("it copied no file"));
    }
  }

  async read(key: string): Promise<OpenedFile | null> {
    const answer = await this.#request("GET", key, { passes: [404] });
    if (answer.statusCode === 404) {
      answer.resume();
      return null;
    }
    const { "content-length": bytes, "last-modified": changedAt = "" } = answer.headers;
    return { bytes: Number(bytes), changedAt: Date.parse(changedAt), content: streamOf(answer) };
  }

  async size(key: string): Promise<number | null> {
    const { statusCode, headers } = await this.#finish("HEAD", key, { passes: [404] });
    return statusCode === 404 ? null : Number(headers["content-length"]);
  }

  /** Lists the folder, since asking for each file would take hours. A file that came later is asked for. */
  async finder(folder: string, name: string): Promise<(key: string) => Promise<boolean>> {
    const found = new Set<string>();
    for await (const files of this.#list(`${folder}/`))
      for (const { key } of files) if (key.endsWith(`/${name}`)) found.add(key);
    return async (key) => found.has(key) || (await this.size(key)) !== null;
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    { lastModified = true } = {},
  ): Promise<FastifyReply> {
    // The file never changes.
    const etag = `"${checkedKey(key)}"`;
    if (isKnownEtag(request.headers["if-none-match"], etag))
      return reply.code(304).header("etag", etag).send();
    const answer = await this.#request(request.method === "HEAD" ? "HEAD" : "GET", key, {
      headers: conditionsOf(request, etag, lastModified),
      passes: [304, 404, 416],
    }).catch((error: unknown) => {
      throw uncached(reply, error);
    });
    const { statusCode: status, headers } = answer;
    if (status >= 300) answer.resume();
    if (status === 404) throw uncached(reply, new AppError("not_found", "This file doesn’t exist."));
    void reply.code(status).headers({ etag, "accept-ranges": "bytes" });
    if (status === 304) return reply.send();
    if (status === 416) return reply.header("content-range", `bytes */${await this.size(key)}`).send();
    for (const name of ["content-length", "content-range", ...(lastModified ? ["last-modified"] : [])])
      if (headers[name] !== undefined) void reply.header(name, headers[name]);
    return reply.type(typeOf(key)).send(streamOf(answer));
  }

  local<T>(key: string, work: (file: string) => Promise<T>): Promise<T> {
    return this.#temporary.folder(async (folder) => {
      const file = path.join(folder, path.basename(key));
      const stored = await this.read(key);
      if (stored) await pipeline(stored.content, createWriteStream(file, { mode: 0o600 }));
      return work(file);
    });
  }

  remove(key: string): Promise<void> {
    return this.#fewAtOnce(async () => {
      for (const file of await this.#filesOf(key)) await this.#finish("DELETE", file);
    });
  }

  /** Returns the keys of a file or of a folder's files. */
  async #filesOf(key: string): Promise<string[]> {
    const found: string[] = [];
    for await (const files of this.#list(key))
      for (const file of files) if (file.key === key || file.key.startsWith(`${key}/`)) found.push(file.key);
    return found;
  }

  async *#list(beginning: string): AsyncGenerator<Entry[]> {
    checkedKey(beginning.replace(/\/$/, ""));
    try {
      yield* this.#client.list(beginning);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  async *entries(folder: string, depth: number): AsyncGenerator<Entry[]> {
    const names = folder.split("/").length + depth;
    let last: Entry | undefined;
    for await (const files of this.#list(`${folder}/`)) {
      const found: Entry[] = [];
      for (const file of files) {
        const key = file.key.split("/").slice(0, names).join("/");
        if (last?.key === key) last.changedAt = Math.max(last.changedAt, file.changedAt);
        else {
          if (last) found.push(last);
          last = { ...file, key };
        }
      }
      if (found.length > 0) yield found;
    }
    if (last) yield [last];
  }
}

const streamOf = (answer: Answer): Readable =>
  Readable.from(contentOf(answer), { objectMode: false, highWaterMark: 64 * 1024 });

const types: Record<string, string> = {
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".zip": "application/zip",
};
const typeOf = (key: string): string => types[path.extname(key)] ?? "application/octet-stream";

/** Returns the headers that ask S3 for the part that a client asks for, if it has changed for the client. */
function conditionsOf(
  { headers }: FastifyRequest,
  etag: string,
  lastModified: boolean,
): Record<string, string> {
  const { range, "if-range": ifRange = etag, "if-modified-since": since, "if-none-match": known } = headers;
  const hasOneRange = range !== undefined && /^bytes=(?:\d+-\d*|-\d+)$/.test(range);
  return {
    ...(hasOneRange && ifRange === etag && { range }),
    ...(lastModified && since !== undefined && known === undefined && { "if-modified-since": since }),
  };
}

/** Keeps caches from storing an error as if it were the file. */
function uncached(reply: FastifyReply, error: unknown): unknown {
  void reply.header("cache-control", "private, no-store");
  return error;
}
