import { afterEach, describe, expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { blogForm } from "../../support/api-client.ts";
import { expectIntact, expectReadableResponse, startHostileSetup } from "../../support/hostile-inputs.ts";
import { paint } from "../../support/pictures.ts";
import { aBlog } from "../../support/test-site.ts";

/* Multipart forms of /api/v1 and the pictures in them. */

const { testSite, ana, anas } = await startHostileSetup();
afterEach(() => expectIntact(testSite));

describe("multipart forms", () => {
  const line = "\r\n";
  const field = (name: string, value: string, more = "") =>
    `--x${line}content-disposition: form-data; name="${name}"${more}${line}${line}${value}${line}`;
  const lastBoundary = `--x--${line}`;
  const fields = field("title", "A form") + field("content", JSON.stringify("<p>x</p>"));
  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    type = "multipart/form-data; boundary=x",
    method = "POST",
    path = "/blogs",
  ) =>
    expectReadableResponse(
      `${method} ${typeof body === "string" ? body.slice(0, 200) : "bytes"}`,
      await fetch(`${testSite.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${anas.token}`, "content-type": type },
        // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- the method is never GET
        body,
      }),
    );
  const manyFields = (count: number) =>
    Array.from({ length: count }, (_, index) => field(`f${index}`, "x")).join("");

  test.each<[string, string, number]>([
    ["that is right", fields + lastBoundary, 200],
    [
      "with fields nobody knows",
      fields + field("isAdmin", "true") + field("authorId", "x") + field("_id", "x") + lastBoundary,
      400,
    ],
    ["with a field named as a part of every object", fields + field("__proto__", "x") + lastBoundary, 400],
    [
      "with names of fields that are odd",
      fields + field("", "x") + field("a[b][c]", "x") + field("title\u0000", "x") + lastBoundary,
      400,
    ],
    ["without a title", field("content", "{}") + lastBoundary, 400],
    ["without anything", lastBoundary, 400],
    ["that is empty", "", 400],
    ["with the title twice", field("title", "one") + fields + lastBoundary, 400],
    ["with the content twice", fields + field("content", "{}") + lastBoundary, 400],
    ["without its end", fields, 400],
    ["that stops within a field", fields + field("description", "half of").slice(0, -5), 400],
    ["that stops within a head", `${fields}--x${line}content-disp`, 400],
    ["with another boundary", fields.replaceAll("--x", "--y") + lastBoundary, 400],
    [
      "with a part without a name",
      `${fields}--x${line}content-disposition: form-data${line}${line}x${line}${lastBoundary}`,
      400,
    ],
    ["with a part without a head", `${fields}--x${line}${line}x${line}${lastBoundary}`, 200],
    [
      "with a head of a megabyte",
      `${fields}--x${line}x: ${"y".repeat(1_000_000)}${line}${line}x${line}${lastBoundary}`,
      200,
    ],
    ["with more fields than there are", fields + manyFields(25) + lastBoundary, 400],
    [
      "with more pictures than a form has parts",
      fields + field("images", "x").repeat(70) + lastBoundary,
      413,
    ],
    ["with thousands of fields", fields + manyFields(5_000) + lastBoundary, 400],
    [
      "with a title as a file",
      field("title", "x", `; filename="t.txt"`) + field("content", "{}") + lastBoundary,
      400,
    ],
    ["with tags that are a text", fields + field("tags", `"a,b"`) + lastBoundary, 400],
    ["with tags that are numbers", fields + field("tags", "[1,2]") + lastBoundary, 400],
    [
      "with tags deep in each other",
      fields + field("tags", "[".repeat(20_000) + "]".repeat(20_000)) + lastBoundary,
      400,
    ],
    [
      "with tags that are longer than a form's fields",
      fields + field("tags", "[".repeat(50_000) + "]".repeat(50_000)) + lastBoundary,
      413,
    ],
    ["with a draft that is a number", fields + field("draft", "1") + lastBoundary, 400],
    ["with content that is a number", field("title", "x") + field("content", "3") + lastBoundary, 400],
    ["with content that is a list", field("title", "x") + field("content", "[]") + lastBoundary, 400],
    [
      "with content that is deep",
      field("title", "x") + field("content", JSON.stringify("<div>".repeat(5_000))) + lastBoundary,
      400,
    ],
    ["with a null byte in the title", field("title", "a\u0000b") + lastBoundary, 400],
    ["with bytes that are no text", field("title", "\u00ff\u00fe") + lastBoundary, 200],
    ["with a cover that is a word", fields + field("image", "hello") + lastBoundary, 200],
  ])("answers a form %s with the expected status", async (_what, body, status) => {
    const before = testSite.rows(
      "select count(*) as total from blogs where author_id <> '" + ana.me.id + "'",
    );
    expect((await send(body)).status).toBe(status);
    expect(
      testSite.rows("select count(*) as total from blogs where author_id <> '" + ana.me.id + "'"),
    ).toEqual(before);
  });

  test.each<[string, string, number]>([
    ["has no boundary", "multipart/form-data", 400],
    ["has an empty boundary", "multipart/form-data; boundary=", 400],
    ["has a boundary of a kilobyte", `multipart/form-data; boundary=${"x".repeat(1_000)}`, 400],
    ["is of another kind", "multipart/mixed; boundary=x", 415],
    ["says that it is a text", "text/plain", 415],
    ["says that it is a form of another kind", "application/x-www-form-urlencoded", 415],
    ["says that it is JSON", "application/json", 400],
  ])("refuses a form whose content type %s", async (_what, type, status) => {
    expect((await send(fields + lastBoundary, type)).status).toBe(status);
  });

  test("an empty PATCH keeps the blog, and an invalid one changes nothing", async () => {
    const blog = await ana.api.blogs.create.mutate(aBlog({ title: "As it was", tags: ["one"] }));
    const state = () =>
      ana.api.blogs.bySlug
        .query({ slug: blog.slug })
        .then(({ title, description, tags, html, draft, private: closed, cover }) => ({
          title,
          description,
          tags,
          html,
          draft,
          closed,
          cover,
        }));
    const before = await state();
    const change = async (body: string) =>
      (await send(body, undefined, "PATCH", `/blogs/${blog.slug}`)).status;
    expect(await change(lastBoundary)).toBe(200);
    expect(await change(field("image", "null") + lastBoundary)).toBe(200);
    expect(await state()).toEqual(before);
    expect(await change(field("title", "New") + field("tags", "no list") + lastBoundary)).toBe(400);
    expect(await change(field("title", "New") + field("title", "Newer") + lastBoundary)).toBe(400);
    expect(await change(field("title", "New") + field("draft", "maybe") + lastBoundary)).toBe(400);
    expect(await change(field("title", "New"))).toBe(400);
    expect(await state()).toEqual(before);
  });
});

describe("pictures sent over the API", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>`;
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  /** One case for each refusal. The store alone decides, and bad-input.test.ts has every kind. */
  const bad: [string, () => Promise<Buffer>, number][] = [
    ["a drawing", async () => Buffer.from(svg), 415],
    ["half a JPEG", async () => (await paint(300, 300, "jpeg")).subarray(0, 400), 400],
    [
      "more bytes than are taken",
      async () => Buffer.concat([await paint(), Buffer.alloc(limits.image.bytes)]),
      413,
    ],
  ];
  const asFile = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: "image/png" });
  const asData = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;
  const stored = () => testSite.rows<{ total: number }>("select count(*) as total from media")[0]?.total;

  test.each(bad)(
    "refuses %s as a cover and as a profile picture, and stores nothing",
    async (_what, makeImage, status) => {
      const bytes = await makeImage();
      const before = stored();
      const cover = await anas.call("POST", "/blogs", blogForm({}, { image: asFile(bytes) }));
      expect([cover.status, cover.body.success, cover.body.message]).toEqual([
        status,
        false,
        expect.stringMatching(/./),
      ]);
      const portrait = await anas.call("PATCH", `/users/${ana.me.id}`, { profilePic: asData(bytes) });
      expect([portrait.status, portrait.body.success]).toEqual([status, false]);
      expect(stored()).toBe(before);
    },
  );

  test.each(bad)(
    "refuses %s within a blog's content, and stores nothing",
    async (_what, makeImage, status) => {
      const before = stored();
      const { status: actualStatus, body } = await anas.call(
        "POST",
        "/blogs",
        blogForm({
          content: JSON.stringify(`<p>Look <img src="${asData(await makeImage())}" alt="owl"></p>`),
        }),
      );
      // Content that contains a picture above the size limit is itself too long.
      expect([actualStatus, body.success]).toEqual([
        status === 413 && actualStatus === 400 ? 400 : status,
        false,
      ]);
      expect(stored()).toBe(before);
    },
  );

  test("refuses a GIF as a cover, but accepts it as a profile picture", async () => {
    expect((await anas.call("POST", "/blogs", blogForm({}, { image: asFile(gif) }))).status).toBe(415);
    expect(
      (await anas.call("PATCH", `/users/${ana.me.id}`, { profilePic: asData(gif, "image/gif") })).status,
    ).toBe(200);
  });

  test("goes by the bytes of a picture whatever type is claimed, and refuses other addresses", async () => {
    const bytes = await paint(20, 20, "jpeg");
    for (const type of ["image/png", "image/svg+xml", "image/gif"])
      expect(
        (await anas.call("PATCH", `/users/${ana.me.id}`, { profilePic: asData(bytes, type) })).status,
      ).toBe(200);
    for (const address of [
      "data:text/html;base64,PHNjcmlwdD4=",
      "data:image/png,xyz",
      "data:image/png;base64,",
      "data:;base64,AAAA",
      "javascript:alert(1)",
      "https://evil.example/x.png",
      "/media/../../etc/passwd",
      "x".repeat(100_000),
    ])
      expect([
        address.slice(0, 40),
        (await anas.call("PATCH", `/users/${ana.me.id}`, { profilePic: address })).status,
      ]).toEqual([address.slice(0, 40), 400]);
  });

  test("refuses two covers, and accepts 20 pictures beside the text but not 22", async () => {
    const form = blogForm({}, { image: asFile(await paint()) });
    form.append("image", asFile(await paint()), "second.png");
    expect((await anas.call("POST", "/blogs", form)).status).toBe(400);
    const formWithImages = blogForm();
    for (let count = 0; count < 20; count++)
      formWithImages.append("images", asFile(await paint()), `../../${count}.svg`);
    expect((await anas.call("POST", "/blogs", formWithImages)).status).toBe(200);
    formWithImages.append("images", asFile(await paint()), "one too many.png");
    formWithImages.append("images", asFile(await paint()), "two too many.png");
    expect((await anas.call("POST", "/blogs", formWithImages)).status).toBe(413);
  });
});
