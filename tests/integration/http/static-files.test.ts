import Fastify, { type FastifyInstance } from "fastify";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveAssets } from "../../../src/server/pages/static-files.ts";
import { documentHeaders } from "../../../src/server/http/security-headers.ts";

const script = "export const owls = 'many';\n".repeat(100);
const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };

let root: string;
let folders: string[];
let server: FastifyInstance;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "reprise-assets-"));
  folders = ["dist/new/client/assets", "data/assets/old"].map((folder) => path.join(root, folder));
  const [folder = "", previous = ""] = folders;
  for (const each of folders) await mkdir(each, { recursive: true });
  await writeFile(path.join(previous, "page-0f.js"), script);
  await writeFile(path.join(previous, "page-0f.js.br"), brotliCompressSync(script));
  await writeFile(path.join(folder, "page-1a.js"), script);
  await writeFile(path.join(folder, "page-1a.js.br"), brotliCompressSync(script));
  await writeFile(path.join(folder, "page-1a.js.gz"), gzipSync(script));
  await writeFile(path.join(folder, "face-1a.woff2"), "a face");
  await writeFile(path.join(folder, "owl-1a.svg"), "<svg/>");
  await writeFile(path.join(root, "secret.js"), "secret");
  server = Fastify();
  server.addHook("onRequest", async (_request, reply) => {
    for (const header of documentHeaders) void reply.header(header, "set");
  });
  server.setNotFoundHandler(async (_request, reply) => reply.code(404).send("nothing here"));
  await serveAssets(server, folders);
});
afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

const fetchAsset = (name: string, encodings?: string) =>
  server.inject({
    url: `/assets/${name}`,
    headers: encodings === undefined ? {} : { "accept-encoding": encodings },
  });

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["gzip, br;q=0", "gzip"],
  ["identity", "none"],
  [undefined, "none"],
] as const)(
  "serves a script in an encoding that `accept-encoding: %s` accepts",
  async (encodings, encoding) => {
    const answer = await fetchAsset("page-1a.js", encodings);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-encoding"] ?? "none").toBe(encoding);
    expect(answer.headers).toMatchObject({ vary: "accept-encoding" });
    expect(answer.headers["content-type"]).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(unpack[encoding](answer.rawPayload).toString()).toBe(script);
  },
);

test("serves the files of the previous release, which pages opened before an upgrade still load", async () => {
  const { statusCode, headers, rawPayload } = await fetchAsset("page-0f.js", "br");
  expect([statusCode, headers["content-encoding"]]).toEqual([200, "br"]);
  expect(brotliDecompressSync(rawPayload).toString()).toBe(script);
});

test("lets browsers cache every file for good", async () => {
  for (const name of ["page-1a.js", "face-1a.woff2", "owl-1a.svg"])
    expect((await fetchAsset(name, "br")).headers["cache-control"], name).toBe(
      "public, max-age=31536000, immutable",
    );
});

test("sends headers of documents only with files that a browser can show as one", async () => {
  const headersOf = async (name: string) => {
    const { headers } = await fetchAsset(name, "br");
    return documentHeaders.filter((header) => header in headers);
  };
  expect(await headersOf("page-1a.js")).toEqual([]);
  expect(await headersOf("face-1a.woff2")).toEqual([]);
  expect(await headersOf("owl-1a.svg")).toEqual(documentHeaders);
});

test.each([
  "page-1a.js.br",
  "page-1a.js.gz",
  "page-2b.js",
  "",
  "..%2f..%2f..%2f..%2fsecret.js",
  "%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.js",
  "..%5c..%5csecret.js",
  ".%2fpage-1a.js",
  "PAGE-1A.js",
  "page-1a.js%00",
])("answers /assets/%s with 404", async (name) => {
  for (const encodings of ["br", undefined]) {
    const answer = await fetchAsset(name, encodings);
    expect([answer.statusCode, answer.payload]).toEqual([404, "nothing here"]);
  }
});
