import { readdirSync } from "node:fs";
import { crc32 } from "node:zlib";
import path from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { paint, send } from "../../support/pictures.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  refusal,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

const [testSite, ana] = await sharedSiteWith("Ana");
const blog = await ana.api.blogs.create.mutate(aBlog());

// The server still works, and the blog is unchanged.
afterEach(async () => {
  const [healthy, ready] = await Promise.all(
    ["/healthz", "/readyz"].map((address) => fetch(testSite.url + address)),
  );
  expect([healthy?.status, ready?.status]).toEqual([200, 200]);
  expect((await ana.api.blogs.card.query({ id: blog.id })).title).toBe("A walk at night");
});

const json = { "content-type": "application/json" };
const post = (
  procedure: string,
  body: BodyInit,
  headers: Record<string, string> = json,
  browser: Browser = ana,
) => browser.fetch(`/trpc/${procedure}`, { method: "POST", body, headers });

/** Fails without a message, or with a stack trace. */
async function answer(response: Response): Promise<{ status: number; message: string }> {
  const text = await response.text();
  const body = JSON.parse(text) as { message?: string; error?: { message: string } };
  const message = body.error?.message ?? body.message ?? "";
  expect(message).not.toBe("");
  expect(text).not.toMatch(/node_modules|at .+\.ts:\d+/);
  return { status: response.status, message };
}

describe("a request body", () => {
  test.each([
    ["is cut off", "{", 400],
    ["is empty", "", 400],
    ["is null", "null", 400],
    ["is a number", "3", 400],
    ["is a text", '"x"', 400],
    ["is a list", "[]", 400],
    ["names nothing it should", "{}", 400],
    [
      "tries to change what objects are",
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
      400,
    ],
    ["is nested thirty thousand deep", "[".repeat(30_000) + "]".repeat(30_000), 400],
    ["is not text at all", new Uint8Array([0xff, 0xfe, 0, 1]) as unknown as string, 400],
  ])("that %s is refused", async (_what, body, status) => {
    const result = await answer(await post("social.likeBlog", body));
    expect(result.status).toBe(status);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test("of ten megabytes is refused with 413", async () => {
    const hugeText = "x".repeat(10 * 1024 * 1024);
    expect(
      await answer(await post("comments.create", JSON.stringify(aComment(blog, { text: hugeText })))),
    ).toEqual({ status: 413, message: "This is too large." });
    expect(
      await answer(await post("blogs.create", JSON.stringify(aBlog({ document: paragraphs(hugeText) })))),
    ).toEqual({ status: 413, message: "This is too large." });
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/octet-stream",
    "application/json+evil",
    "nonsense",
    "",
  ])("of the type %j is refused with 415", async (type) => {
    const response = await post("comments.create", JSON.stringify(aComment(blog)), { "content-type": type });
    expect(response.status).toBe(415);
    expect((await answer(response)).status).toBe(415);
    expect((await ana.api.comments.list.query({ blogId: blog.id })).total).toBe(0);
  });
});

describe("a call", () => {
  test.each([
    ["of nothing", "/trpc/no.such", "GET", 404],
    ["of an object's own parts", "/trpc/__proto__.toString", "GET", 404],
    ["of an object's constructor", "/trpc/constructor", "GET", 404],
    ["of a change by a link", `/trpc/users.signOut`, "GET", 405],
    ["of a question as a change", "/trpc/users.me", "POST", 405],
    ["with an input that is no JSON", "/trpc/blogs.card?input=%7B", "GET", 400],
    ["with an input that is no text", "/trpc/blogs.card?input=%E0%A4%A", "GET", 400],
    ["with a null byte in its name", "/trpc/users.me%00", "GET", 404],
  ])("%s is refused", async (_what, address, method, status) => {
    const response = await ana.fetch(address, {
      method,
      ...(method === "POST" ? { headers: json, body: "{}" } : {}),
    });
    expect((await answer(response)).status).toBe(status);
  });

  test.each([
    ["blogs.list", { sort: "bogus" }, 'sort has to be "latest" or "likes".'],
    ["blogs.list", { page: 0 }, "page is at least 1."],
    ["blogs.list", { page: 1.5 }, "page has to be a whole number."],
    ["blogs.bySlug", { slug: "" }, "slug is empty."],
    ["blogs.bySlug", { slug: "x".repeat(201) }, "slug has at most 200 characters."],
    ["blogs.bySlug", {}, "slug is missing."],
    ["blogs.bySlug", undefined, "The input is missing."],
    ["blogs.card", { id: "x" }, "That id is not valid."],
  ])("of %s with %j is refused with a clear message: %s", async (procedure, input, message) => {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    expect(await answer(await ana.fetch(`/trpc/${procedure}${query}`))).toEqual({ status: 400, message });
  });

  test("is refused when its batch has more than twenty", async () => {
    const batch = (count: number) =>
      `/trpc/${Array.from({ length: count }, () => "users.me").join(",")}?batch=1&input=%7B%7D`;
    expect((await ana.fetch(batch(20))).status).toBe(200);
    expect((await answer(await ana.fetch(batch(21)))).status).toBe(400);
    const thousand = await ana.fetch(batch(1_000));
    expect([400, 404, 414]).toContain(thousand.status);
    const changes = await post(
      `${Array.from({ length: 500 }, () => "users.signOut").join(",")}?batch=1`,
      "{}",
    );
    expect(changes.status).toBe(414);
    expect(await ana.api.users.me.query()).toMatchObject({ id: ana.me.id });
  });
});

describe("an id", () => {
  test("that does not exist is not found", async () => {
    const calls = [
      ana.api.blogs.card.query({ id: newId() }),
      ana.api.blogs.remove.mutate({ id: newId() }),
      ana.api.comments.remove.mutate({ id: newId() }),
      ana.api.comments.list.query({ blogId: blog.id, before: newId() }),
      ana.api.blogs.bySlug.query({ slug: "no-such-blog" }),
      ana.api.users.profile.query({ username: "no such person" }),
    ];
    for (const error of await Promise.all(calls.map((call) => refusal(call))))
      expect(error.code).toBe("NOT_FOUND");
  });

  test("with a null byte leads nowhere", async () => {
    for (const address of [
      "/a%00b",
      "/@a%00b",
      "/blog/a%00b",
      "/tag/a%00b",
      "/api/v1/blogs/a%00b",
      "/api/v1/user/a%00b",
    ])
      expect([address, (await ana.fetch(address)).status]).toEqual([address, 404]);
  });

  test("cannot lead out of the folder of files served at an address", async () => {
    for (const address of [
      "/media/..%2f..%2freprise.db/full.webp",
      "/media/../reprise.db",
      `/media/${newId()}/full.webp`,
      `/media/${newId()}/..%2f..%2f..%2freprise.db`,
      `/media/${newId()}/9999999.webp`,
      "/media/%00/full.webp",
      "/assets/..%2f..%2fpackage.json",
      "/%2e%2e/%2e%2e/package.json",
    ]) {
      const response = await ana.fetch(address);
      expect([address, response.status]).toEqual([
        address,
        expect.toSatisfy((status: number) => status >= 400 && status < 500),
      ]);
      expect(await response.text()).not.toContain("SQLite format");
    }
  });
});

describe("a text", () => {
  test("with a null byte is refused in every field", async () => {
    const bad = "a\u0000b";
    const calls = [
      ana.api.blogs.create.mutate(aBlog({ title: bad })),
      ana.api.blogs.create.mutate(aBlog({ description: bad })),
      ana.api.comments.create.mutate(aComment(blog, { text: bad })),
      ana.api.users.updateProfile.mutate({ name: bad }),
      ana.api.users.updateProfile.mutate({ bio: bad }),
      ana.api.users.updateProfile.mutate({ username: bad }),
    ];
    for (const error of await Promise.all(calls.map((call) => refusal(call))))
      expect(error.code).toBe("BAD_REQUEST");
    // A lookup just finds nothing.
    await expectRefusal(ana.api.blogs.bySlug.query({ slug: bad }), "NOT_FOUND");
    await expectRefusal(ana.api.users.profile.query({ username: bad }), "NOT_FOUND");
  });
});

describe("a document", () => {
  const nestedJson = (levels: number) => `${'{"content":['.repeat(levels)}${"]}".repeat(levels)}`;
  const create = async (document: string) =>
    answer(
      await post(
        "blogs.create",
        JSON.stringify(aBlog({ document: 0 })).replace('"document":0', `"document":${document}`),
      ),
    );

  test.each([
    [
      "with an unknown part",
      '{"type":"doc","content":[{"type":"script","content":[{"type":"text","text":"alert(1)"}]}]}',
    ],
    ["a hundred thousand levels deep", `{"type":"doc","content":[${nestedJson(100_000)}]}`],
    [
      "of a hundred thousand parts",
      `{"type":"doc","content":[${Array.from({ length: 100_000 }, () => '{"type":"hr"}').join(",")}]}`,
    ],
  ])("%s is refused with a reason", async (_what, document) => {
    const { status, message } = await create(document);
    expect(status).toBe(400);
    expect(message).toMatch(/^This text /);
  });

  test("that was refused is not stored", () => {
    expect(testSite.rows("select count(*) as total from blogs")).toEqual([{ total: 1 }]);
  });
});

describe("an image upload", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  const text = (value: string) => async () => Buffer.from(value);

  test.each<[string, () => Promise<Buffer>, number, string?]>([
    ["that is empty", text(""), 400],
    ["that is a text", text("Hello."), 415],
    ["that is a page", text("<!doctype html><script>alert(1)</script>"), 415],
    ["that is a drawing", text(svg), 415, "drawing.svg"],
    ["that is a drawing under another name", text(`<?xml version="1.0"?>${svg}`), 415, "photo.png"],
    [
      "that begins like a PNG and goes on as a page",
      async () => Buffer.concat([(await paint()).subarray(0, 8), Buffer.from("<script>alert(1)</script>")]),
      415,
    ],
    [
      "that is a drawing behind a declaration",
      text(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`),
      415,
    ],
    [
      "that has a page behind the head of a PNG",
      async () =>
        Buffer.concat([(await paint()).subarray(0, 33), Buffer.from("<script>alert(1)</script>".repeat(20))]),
      415,
    ],
    ["that is a PDF", text("%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj"), 415],
    ["that is a TIFF", () => paint(10, 10, "tiff"), 415],
    ["that is cut off", async () => (await paintNoise(200, 200)).subarray(0, 40_000), 400],
    ["that is half a JPEG", async () => (await paint(300, 300, "jpeg")).subarray(0, 400), 400],
    ["that is cut off at its head", async () => (await paint()).subarray(0, 20), 415],
    ["of fifty megapixels", () => paint(10_000, 5_000), 413],
    ["of a thousand megapixels in a few kilobytes", paintBomb, 413],
    [
      "of more than eight megabytes",
      async () => Buffer.concat([await paint(), Buffer.alloc(limits.image.bytes)]),
      413,
    ],
  ])(
    "%s is refused and not stored",
    async (_what, makeImage, status, name) => {
      const result = await answer(await send(ana, await makeImage(), name));
      expect(result.status).toBe(status);
      expect(testSite.rows("select count(*) as total from media")).toEqual([{ total: 0 }]);
      expect(files(testSite)).toEqual([]);
    },
    60_000,
  );

  test("that is also a script is served as an image without the script", async () => {
    const scriptBytes = "<script>alert('polyglot')</script>PK\u0003\u0004";
    const response = await send(
      ana,
      Buffer.concat([await paint(30, 30, "jpeg"), Buffer.from(scriptBytes)]),
      "both.html",
    );
    expect(response.status).toBe(200);
    const { src } = (await response.json()) as { src: string };
    const served = await ana.fetch(src);
    expect(served.headers.get("content-type")).toBe("image/webp");
    expect(served.headers.get("x-content-type-options")).toBe("nosniff");
    expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await served.arrayBuffer()).toString("latin1")).not.toContain("polyglot");
  });

  test("loses the location and other EXIF data of the image", async () => {
    const bytes = await sharp(await paint(40, 40))
      .jpeg()
      .withExif({ IFD0: { Copyright: "Ana" }, IFD3: { GPSLatitude: "52/1 31/1 0/1" } })
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const { src } = (await (await send(ana, bytes)).json()) as { src: string };
    const metadata = await sharp(Buffer.from(await (await ana.fetch(src)).arrayBuffer())).metadata();
    expect(metadata.exif).toBeUndefined();
  });

  test("is refused unless it is a form with one file, by a signed-in person, from this site", async () => {
    const bytes = await paint();
    expect(
      (await answer(await ana.fetch("/upload", { method: "POST", headers: json, body: "{}" }))).status,
    ).toBe(415);
    expect(
      (
        await answer(
          await ana.fetch("/upload", {
            method: "POST",
            headers: { "content-type": "image/png" },
            body: new Uint8Array(bytes),
          }),
        )
      ).status,
    ).toBe(415);
    const emptyForm = new FormData();
    emptyForm.append("text", "no file");
    expect((await answer(await ana.fetch("/upload", { method: "POST", body: emptyForm }))).status).toBe(400);
    expect(
      (
        await answer(
          await ana.fetch("/upload", {
            method: "POST",
            headers: { "content-type": "multipart/form-data; boundary=x" },
            body: "--x\r\nbroken",
          }),
        )
      ).status,
    ).toBe(400);
    expect(
      (
        await answer(
          await ana.fetch("/upload", {
            method: "POST",
            headers: { "content-type": "multipart/form-data" },
            body: "no boundary",
          }),
        )
      ).status,
    ).toBeLessThan(500);
    expect((await answer(await send(testSite.browser(), bytes))).status).toBe(401);
    expect(
      (await answer(await send(ana, bytes, "picture.png", { origin: "https://evil.example" }))).status,
    ).toBe(403);
  });
});

const files = (site: TestSite): string[] => {
  try {
    return readdirSync(site.config.mediaDir, { recursive: true })
      .map(String)
      .filter((name) => path.extname(name) !== "");
  } catch {
    return [];
  }
};

function paintNoise(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
}

/** A tiny PNG whose header claims 32,000 by 32,000 pixels. */
async function paintBomb(): Promise<Buffer> {
  const png = await paint(1, 1);
  png.writeUInt32BE(32_000, 16);
  png.writeUInt32BE(32_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}
