import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
  zstdDecompressSync,
} from "node:zlib";
import { expect, test } from "vitest";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, startTestSite, type TestSite } from "../../support/test-site.ts";

const unpack: Record<string, (bytes: Buffer) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Returns the raw response: `fetch` would decompress it. */
const requestRaw = (testSite: TestSite, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer; text: string }>((resolve, reject) => {
    get(testSite.url + path, { headers }, (answer) => {
      buffer(answer).then((bytes) => {
        const decompress = unpack[answer.headers["content-encoding"] ?? ""];
        resolve({ headers: answer.headers, bytes, text: String(decompress ? decompress(bytes) : bytes) });
      }, reject);
    }).once("error", reject);
  });

test("compresses pages and API responses for a member with the best encoding that the client accepts", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ document: paragraphs(..."Owls, mostly – and a crow. ".repeat(200).split("– ")) }),
  );
  const { cookie } = ana;
  const input = encodeURIComponent(JSON.stringify({ slug }));
  for (const path of [`/blog/${slug}`, `/api/v1/blogs/${slug}`, `/trpc/blogs.bySlug?input=${input}`]) {
    const uncompressed = await requestRaw(testSite, path, { cookie });
    expect(uncompressed.headers["content-encoding"]).toBeUndefined();
    for (const [acceptedEncodings, encoding] of [
      ["gzip, deflate, br, zstd", "zstd"],
      ["gzip, deflate, br", "br"],
      ["gzip, zstd;q=0", "gzip"],
    ]) {
      const { headers, bytes, text } = await requestRaw(testSite, path, {
        cookie,
        "accept-encoding": acceptedEncodings!,
      });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers.vary).toContain("accept-encoding");
      expect(Number(headers["content-length"])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(uncompressed.bytes.length / 2);
      expect(text.length).toBe(uncompressed.text.length);
    }
  }
});

test("sends short responses and images uncompressed", async () => {
  await using testSite = await startTestSite();
  const encodings = { "accept-encoding": "gzip, br, zstd" };
  for (const path of ["/healthz", "/favicon.svg", "/trpc/users.me"])
    expect((await requestRaw(testSite, path, encodings)).headers["content-encoding"]).toBeUndefined();
});

test("compresses a guest's page well at its first request", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const longText = Array.from({ length: 3_000 }, (_, index) => `word${(index * 7_919) % 997}`).join(" ");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs(longText) }));
  const fast = {
    br: (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    gzip: (text: string) => gzipSync(text, { level: 1 }),
  };
  for (const encoding of ["br", "gzip"] as const) {
    const [first, second] = [
      await requestRaw(testSite, `/blog/${slug}`, { "accept-encoding": encoding }),
      await requestRaw(testSite, `/blog/${slug}`, { "accept-encoding": encoding }),
    ];
    expect(first.bytes.length).toBeLessThan(fast[encoding](first.text).length * 0.95);
    expect(second.bytes).toEqual(first.bytes);
    expect(second.headers.etag).toBe(first.headers.etag);
  }
});
