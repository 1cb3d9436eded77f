import { expect, test } from "vitest";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { aBlog, paragraphs, refusal, startTown, type Resident } from "../support/town.ts";

const stands = async (who: Resident, slug: string) => {
  const { title, version } = await who.api.blogs.forEdit.query({ slug });
  const { html } = await who.api.blogs.bySlug.query({ slug });
  return { title, version, text: html.match(/>([^<]+)</)?.[1] };
};

test("of two who save what both began with, the second is told and changes nothing", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug, version } = await ana.api.blogs.create.mutate(aBlog());
  expect(version).toBe(1);
  const save = (text: string, from?: number) =>
    ana.api.blogs.update.mutate({ id, title: text, document: paragraphs(text), version: from });
  expect(await save("Hers", version)).toMatchObject({ id, slug, version: 2 });
  expect(await refusal(save("His", version))).toMatchObject({ code: "CONFLICT", field: "version" });
  expect(await stands(ana, slug)).toEqual({ title: "Hers", version: 2, text: "Hers" });
  expect(await save("Both", 2)).toMatchObject({ version: 3 });
  // One field counts as well as the text.
  expect(await refusal(ana.api.blogs.update.mutate({ id, private: true, version: 2 }))).toMatchObject({
    code: "CONFLICT",
  });
  expect(await stands(ana, slug)).toMatchObject({ title: "Both", version: 3 });
});

test("of many at once, one gets through", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const saves = await Promise.allSettled(
    Array.from({ length: 20 }, (_, turn) =>
      ana.api.blogs.update.mutate({ id, title: `Turn ${turn}`, document: paragraphs(`${turn}`), version: 1 }),
    ),
  );
  expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await stands(ana, slug)).version).toBe(2);
});

test("a save sent again after a lost answer is no conflict, and changes nothing twice", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const save = {
    id,
    title: "Later",
    description: "Other words.",
    tags: ["owls"],
    document: paragraphs("Later."),
    draft: false,
    private: true,
    coverId: null,
    version: 1,
  };
  const first = await ana.api.blogs.update.mutate(save);
  expect(await ana.api.blogs.update.mutate(save)).toEqual(first);
  expect((await stands(ana, slug)).version).toBe(2);
});

test("a text without the version it was written on is refused; a single field that it names is not", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  expect(
    await refusal(ana.api.blogs.update.mutate({ id, document: paragraphs("From an old page.") })),
  ).toMatchObject({ code: "CONFLICT", field: "version", message: expect.stringContaining("reload") });
  await ana.api.blogs.update.mutate({ id, title: "Another" });
  expect(await stands(ana, slug)).toEqual({ title: "Another", version: 2, text: "Owls, mostly." });
});

test("a creation sent again brings what was written meanwhile, and never overwrites a later edit", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = aBlog();
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  expect(await ana.api.blogs.create.mutate({ ...blog, title: "Written on" })).toMatchObject({
    slug,
    version: 2,
  });
  await ana.api.blogs.update.mutate({ id, title: "Elsewhere", version: 2 });
  for (const late of [blog, { ...blog, title: "Written on" }, { ...blog, document: paragraphs("Late.") }])
    expect(await refusal(ana.api.blogs.create.mutate(late))).toMatchObject({
      code: "CONFLICT",
      field: "version",
    });
  expect(await stands(ana, slug)).toMatchObject({ title: "Elsewhere", version: 3 });
});

test("a draft's last change is the time of its last save", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const long = 1_000_000;
  const updatedAt = async () => Date.parse((await ana.api.blogs.forEdit.query({ slug })).updatedAt);
  await town.write(async (tx) => {
    const { blogs } = await import("../../src/server/database/schema/blogs.ts");
    const old = Date.now() - long;
    tx.drizzle.update(blogs).set({ createdAt: old, publishedAt: old }).run();
  });
  const before = await updatedAt();
  await ana.api.blogs.update.mutate({ id, description: "Saved again." });
  expect((await updatedAt()) - before).toBeGreaterThanOrEqual(long);
});

test("over REST the author's answers have a tag, and a stale one is refused with 412", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const api = await ApiClient.of(town, ana);
  const made = await api.call("POST", "/blogs", blogForm());
  const first = made.headers.get("etag") ?? "";
  expect(first).toMatch(/^"[^"]+"$/);
  const at = `/blogs/${made.body.blog.blogId}`;
  expect((await api.call("GET", at)).headers.get("etag")).toBe(first);
  expect((await (await ApiClient.of(town, ben)).call("GET", at)).headers.get("etag")).toBeNull();
  expect((await new ApiClient(town).call("GET", at)).headers.get("etag")).toBeNull();

  const change = (title: string, match?: string) =>
    api.call("PATCH", at, { title }, match === undefined ? {} : { "if-match": match });
  const second = (await change("Second", first)).headers.get("etag") ?? "";
  expect(second).not.toBe(first);
  const refused = [first, `W/${second}`, `"other", ${first}`, '"a, b"', `W/${second},"c"`];
  for (const match of refused)
    expect(await change("Third", match), match).toMatchObject({ status: 412, body: { success: false } });
  for (const match of ["", "*,", "second", `${second} and more`, '* , "a"'])
    expect(await change("Third", match), match).toMatchObject({ status: 400 });
  expect((await api.call("GET", at)).body.blog.title).toBe("Second");
  // What has been done already needs no doing.
  expect(await change("Second", first)).toMatchObject({ status: 200 });

  const third = (await change("Third", `"other",, W/"weak" , ${second}`)).headers.get("etag") ?? "";
  expect(await change("Fourth", "*")).toMatchObject({ status: 200 });
  expect(await change("Fifth")).toMatchObject({ status: 200 });
  expect(await api.call("DELETE", at, undefined, { "if-match": third })).toMatchObject({ status: 412 });
  expect(await api.call("PATCH", "/blogs/nowhere", {}, { "if-match": "*" })).toMatchObject({ status: 404 });
  const last = (await api.call("GET", at)).headers.get("etag") ?? "";
  expect(await api.call("DELETE", at, undefined, { "if-match": last })).toMatchObject({ status: 200 });
});

test("pages of any origin may send the condition and read the tag, and the document says so", async () => {
  await using town = await startTown();
  const asked = await fetch(`${town.url}/api/v1/blogs/x`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "if-match",
    },
  });
  expect(asked.headers.get("access-control-allow-headers")).toContain("if-match");
  const answer = await fetch(`${town.url}/api/v1/blogs`, {
    headers: { origin: "https://elsewhere.example" },
  });
  expect(answer.headers.get("access-control-expose-headers")).toContain("etag");
  const { paths } = (await (await fetch(`${town.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<string, { description: string; parameters: { in: string; name: string }[] }>
    >;
  };
  const call = paths["/api/v1/blogs/{blogId}"]?.patch ?? paths["/blogs/{blogId}"]?.patch;
  expect(call?.parameters).toContainEqual(expect.objectContaining({ in: "header", name: "if-match" }));
  expect(call?.description).toContain("ETag");
});
