import type { FastifyInstance } from "fastify";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ofDocuments } from "../security-headers.ts";
import { encodingOf, type KeptEncoding } from "./encoding.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
};
/** What no browser shows as a document, whoever leads it there. */
const parts = new Set([".js", ".css", ".woff2"]);
const worthCompressing = new Set([".js", ".css", ".svg", ".json"]);

/** The files of the build. Their names change with their content, so browsers keep them for good; so do we. The build has compressed them by brotli. */
export function serveAssets(server: FastifyInstance, root: string): void {
  const folder = path.join(root, "dist/client/assets");
  const kept = new Map<string, Promise<Buffer>>();
  const bytesOf = (name: string, encoding: KeptEncoding): Promise<Buffer> => {
    const key = `${encoding} ${name}`;
    let bytes = kept.get(key);
    if (!bytes) {
      bytes =
        encoding === "gzip"
          ? bytesOf(name, "identity").then((plain) => promisify(gzip)(plain, { level: 9 }))
          : readFile(path.join(folder, encoding === "br" ? `${name}.br` : name));
      kept.set(key, bytes);
      bytes.catch(() => kept.delete(key));
    }
    return bytes;
  };
  server.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
    const { name } = request.params;
    const extension = path.extname(name);
    const type = types[extension];
    if (!type || !/^[\w.-]+$/.test(name)) return reply.callNotFound();
    const encoding = worthCompressing.has(extension)
      ? encodingOf(request.headers["accept-encoding"])
      : "identity";
    try {
      const bytes = await bytesOf(name, encoding);
      if (parts.has(extension)) for (const header of ofDocuments) reply.removeHeader(header);
      if (encoding !== "identity") void reply.header("content-encoding", encoding);
      return await reply
        .headers({
          "content-type": type,
          "cache-control": "public, max-age=31536000, immutable",
          vary: "accept-encoding",
        })
        .send(bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return reply.callNotFound();
      throw error;
    }
  });
}
