import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

export type Encoding = "zstd" | "br" | "gzip" | "identity";

export type CachedEncoding = Exclude<Encoding, "zstd">;

/** Returns the first encoding that a browser accepts; weights other than 0 are ignored. */
export function encodingOf<Of extends Encoding = CachedEncoding>(
  accepted: string | undefined,
  preferred = ["br", "gzip"] as Of[],
): Of | "identity" {
  const acceptedEncodings: (string | undefined)[] = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .map((offer) => offer.split(";").map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ""))
    .map(([name]) => name);
  return preferred.find((encoding) => acceptedEncodings.includes(encoding)) ?? "identity";
}

/** Bytes: smaller responses fit one packet; larger ones would block the thread. */
const minBytes = 1_024;
const maxSyncBytes = 128 * 1_024;

const compressibleType = /^text\/(?!event-stream)|[/+](?:json|xml|javascript)\b/;

type Compressed = Exclude<Encoding, "identity">;
export type Compress = (bytes: Buffer, encoding: Compressed) => Buffer | Promise<Buffer>;

const compressors = {
  zstd: { now: zstdCompressSync, later: promisify(zstdCompress) },
  br: { now: brotliCompressSync, later: promisify(brotliCompress) },
  gzip: { now: gzipSync, later: promisify(gzip) },
};
const { ZSTD_c_compressionLevel: zstdLevel, BROTLI_PARAM_QUALITY: quality } = constants;
const levels = {
  fast: {
    zstd: { params: { [zstdLevel]: 2 } },
    br: { params: { [quality]: 1 } },
    gzip: { level: 1 },
  },
  well: {
    zstd: { params: { [zstdLevel]: 9 } },
    br: { params: { [quality]: 5 } },
    gzip: { level: 6 },
  },
};
// A known size makes zstd's tables smaller.
const optionsFor = (level: keyof typeof levels, encoding: Compressed, { length }: Buffer) => ({
  ...levels[level][encoding],
  pledgedSrcSize: length,
});

/** Compresses for one reader, whom better compression would gain nothing, at a third of a stream's cost; what is large, off the thread. */
export const compressedFast: Compress = (bytes, encoding) => {
  const { now, later } = compressors[encoding];
  return (bytes.length <= maxSyncBytes ? now : later)(bytes, optionsFor("fast", encoding, bytes));
};

/** Compresses for many readers, off the thread. */
export const compressedWell: Compress = (bytes, encoding) =>
  compressors[encoding].later(bytes, optionsFor("well", encoding, bytes));

/** Compresses complete text responses, but no streams or encoded ones. `onJson` is called with the length of each in JSON. */
export function compressAnswers(
  server: FastifyInstance,
  onJson: (request: FastifyRequest, length: number) => void = () => undefined,
): void {
  server.addHook("onSend", async (request, reply, original) => {
    const payload = original instanceof Response ? await completeBody(original, reply) : original;
    const type = reply.getHeader("content-type");
    const isComplete = typeof payload === "string" || Buffer.isBuffer(payload);
    if (isComplete && String(type).startsWith("application/json")) onJson(request, payload.length);
    if (
      !isComplete ||
      payload.length < minBytes ||
      typeof type !== "string" ||
      !compressibleType.test(type) ||
      reply.hasHeader("content-encoding")
    )
      return payload;
    const vary = String(reply.getHeader("vary") ?? "");
    if (!vary.toLowerCase().includes("accept-encoding"))
      void reply.header("vary", vary ? `${vary}, accept-encoding` : "accept-encoding");
    const encoding = encodingOf<Encoding>(request.headers["accept-encoding"], ["zstd", "br", "gzip"]);
    if (encoding === "identity") return payload;
    void reply.header("content-encoding", encoding).removeHeader("content-length");
    return compressedFast(typeof payload === "string" ? Buffer.from(payload) : payload, encoding);
  });
}

/** Returns tRPC's body after copying status and headers; streams stay as they are. */
async function completeBody(response: Response, reply: FastifyReply): Promise<unknown> {
  if (
    response.headers.get("content-type") !== "application/json" ||
    response.headers.has("transfer-encoding")
  )
    return response;
  void reply.code(response.status).headers(Object.fromEntries(response.headers));
  return response.text();
}
