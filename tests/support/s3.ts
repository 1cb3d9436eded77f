import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createServer, request as forward, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

/* An S3 server for tests, which checks signatures, and a proxy that delays or breaks what it sends. */

const require = createRequire(import.meta.url);
// It has no types.
const S3rver = require("@20minutes/s3rver") as new (options: object) => {
  run: () => Promise<AddressInfo>;
  httpServer: Server;
};

/** What the proxy does with a request: passes it on, never answers, or stops in the middle of the body. */
export type S3Fault = "none" | "silent" | "stalls" | "away";

export const s3Key = "S3RVER:S3RVER";
const bucket = "reprise";

/** An S3 server in this process with an empty bucket, behind a proxy that has its faults and notes its requests. */
export class S3 implements AsyncDisposable {
  fault: S3Fault = "none";
  /** The method and path of each request. */
  readonly requests: string[] = [];
  /** How many requests have no end yet. */
  openAnswers = 0;
  /** A folder that is deleted with it. */
  readonly folder: string;
  readonly #server: Server;
  readonly #proxy: Server;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.#proxy = createServer((incoming, outgoing) => {
      const { url, method, headers } = incoming;
      this.openAnswers++;
      outgoing.once("close", () => this.openAnswers--);
      this.requests.push(`${method} ${url}`);
      if (this.fault === "away") return void incoming.socket.destroy();
      if (this.fault === "silent") return void incoming.resume();
      const forwarded = forward({ port, path: url, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        if (this.fault === "stalls")
          answer.once("data", (chunk: Buffer) => void outgoing.write(chunk.subarray(0, 100)));
        else answer.pipe(outgoing);
      });
      forwarded.on("error", () => outgoing.destroy());
      outgoing.on("close", () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
  }

  static async start(): Promise<S3> {
    const folder = mkdtempSync(path.join(tmpdir(), "reprise-s3-"));
    const rver = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: path.join(folder, "buckets"),
      vhostBuckets: false,
      configureBuckets: [{ name: bucket }],
    });
    await rver.run();
    const s3 = new S3(folder, rver.httpServer);
    s3.#proxy.listen(0, "127.0.0.1");
    await once(s3.#proxy, "listening");
    // A test process that shares it need not stop it.
    for (const server of [rver.httpServer, s3.#proxy]) server.unref();
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return s3;
  }

  get host(): string {
    return `127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
  }

  /** Returns the setting of a site that has a prefix of the bucket. */
  url(prefix = "site", key = s3Key): string {
    return `http://${key}@${this.host}/${bucket}/${prefix}`;
  }

  /** Makes a stored file as old as a time in milliseconds. */
  age(key: string, time: number): void {
    const file = path.join(this.folder, "buckets", bucket, `${key}._S3rver_object`);
    utimesSync(file, new Date(time), new Date(time));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#proxy, this.#server]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let shared: Promise<S3> | undefined;

/** The setting of the part of a bucket that belongs to a data folder, where the tests run on S3. */
export async function fileSettings(dataDir: string): Promise<{ S3_URL?: string }> {
  if (!process.env.TEST_ON_S3) return {};
  const s3 = await (shared ??= S3.start());
  return { S3_URL: s3.url(hash("sha1", dataDir)) };
}
