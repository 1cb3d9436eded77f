import { once } from "node:events";
import { createReadStream } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { Bucket } from "./s3-address.ts";
import type { Entry } from "./store.ts";

/** The most milliseconds until the beginning of an answer, with all attempts, and between two parts of it. */
const [answerTime, silenceTime] = [8_000, 10_000];
/** Bytes a millisecond of a slow upload, which has more time. */
const slowUpload = 100;
const attempts = 3;
/** The most requests that wait for an answer: more would only wait longer. */
const maxPending = 256;

interface Request {
  headers?: Record<string, string>;
  /** The path and the bytes of a file to send. */
  body?: { file: string; bytes: number };
  query?: Record<string, string>;
  /** Statuses to return, beside those of success. */
  passes?: number[];
}

export interface Answer extends http.IncomingMessage {
  statusCode: number;
}

/** Why S3 did not do something, without its key. `status` is 0 without an answer. */
export class S3Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(
    message: string,
    { status = 0, code = "", cause }: { status?: number; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
  }

  /** Whether another attempt may succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Sends signed requests to a bucket: with a bound in time, in attempts and in how many wait. Not with `fetch`, which takes a file
 * that it uploads into memory.
 */
export class S3Client {
  readonly bucket: Bucket;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;
  #pending = 0;

  constructor(bucket: Bucket) {
    this.bucket = bucket;
    this.#protocol = bucket.address.startsWith("https:") ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true });
  }

  /** Sends a request for a key, or "" for the bucket. The body of the answer has to be read or destroyed. Throws `S3Problem`. */
  async request(
    method: string,
    key: string,
    { query = {}, passes = [], ...content }: Request = {},
  ): Promise<Answer> {
    if (this.#pending >= maxPending) throw new S3Problem("too many requests wait for it");
    this.#pending++;
    const { address, prefix } = this.bucket;
    const url = `${address}${key && `/${prefix}${key}`}?${new URLSearchParams(query)}`;
    const time = answerTime + (content.body?.bytes ?? 0) / slowUpload;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), time);
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await this.#send(method, url, content, stop.signal);
        const problem = answer instanceof S3Problem ? answer : await problemOf(answer, passes);
        if (!problem) return answer as Answer;
        if (stop.signal.aborted)
          throw new S3Problem(`it did not answer within ${Math.round(time / 1_000)} s`, { cause: problem });
        if (attempt === attempts || !problem.isPassing) throw problem;
        await wait(50 * 2 ** attempt, undefined, stop).catch(() => undefined);
      }
    } finally {
      clearTimeout(timer);
      this.#pending--;
    }
  }

  /** As `request`, without the body of the answer. */
  async finish(method: string, key: string, request?: Request): Promise<Answer> {
    return (await this.request(method, key, request)).resume();
  }

  async #send(
    method: string,
    url: string,
    { headers, body }: Request,
    signal: AbortSignal,
  ): Promise<Answer | S3Problem> {
    try {
      const signed = await new AwsV4Signer({ ...this.bucket, service: "s3", method, url, headers }).sign();
      const request = this.#protocol.request(signed.url, {
        method,
        headers: { ...Object.fromEntries(signed.headers), ...(body && { "content-length": body.bytes }) },
        agent: this.#agent,
        signal,
      });
      const answered = once(request, "response") as Promise<[Answer]>;
      // `answered` has the first error, and the body of the answer a later one.
      request.on("error", () => undefined);
      if (body) pipeline(createReadStream(body.file), request).catch(() => undefined);
      else request.end();
      return (await answered)[0];
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      return new S3Problem(code ?? message, { cause });
    }
  }

  /** Yields the files whose keys begin so, in the order of their keys, in batches. By the older call, which every S3 has. */
  async *list(beginning: string): AsyncGenerator<Entry[]> {
    const { prefix } = this.bucket;
    for (let marker = ""; ;) {
      const query = { prefix: prefix + beginning, ...(marker && { marker: prefix + marker }) };
      const xml = await textOf(await this.request("GET", "", { query }));
      const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, fields = ""]) => ({
        key: field(fields, "Key").slice(prefix.length),
        bytes: Number(field(fields, "Size")),
        changedAt: Date.parse(field(fields, "LastModified")),
      }));
      if (files.length > 0) yield files;
      marker = files.at(-1)?.key ?? "";
      if (marker === "" || field(xml, "IsTruncated") !== "true") return;
    }
  }
}

/** Returns a field of XML. Keys, times and codes have no characters that XML escapes. */
const field = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";

async function problemOf(answer: Answer, passes: number[]): Promise<S3Problem | undefined> {
  const { statusCode: status } = answer;
  if ((status >= 200 && status < 300) || passes.includes(status)) return undefined;
  const code = field(await textOf(answer).catch(() => ""), "Code");
  return new S3Problem(`it answered ${[status, code].filter(Boolean).join(" ")}`, { status, code });
}

/** Returns the text of a small answer. */
export async function textOf(answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of contentOf(answer)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Yields the bytes of an answer; ends the request when nobody reads on. Throws `S3Problem` when S3 falls silent. */
export async function* contentOf(answer: Answer): AsyncGenerator<Buffer> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { done, value } = await unlessSilent(chunks.next());
      if (done) return;
      yield value;
    }
  } finally {
    answer.destroy();
  }
}

async function unlessSilent<T>(work: Promise<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new S3Problem("it stopped sending")), silenceTime);
  try {
    return await Promise.race([work, silence]);
  } catch (error) {
    throw error instanceof S3Problem ? error : new S3Problem("the connection was lost", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
