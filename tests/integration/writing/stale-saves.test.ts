import { expect, test } from "vitest";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { aBlog, paragraphs, refusal, startTestSite, type SignedInBrowser } from "../../support/test-site.ts";

const currentBlog = async (who: SignedInBrowser, slug: string) => {
  const { title, etag } = await who.api.blogs.forEdit.query({ slug });
  const { html } = await who.api.blogs.bySlug.query({ slug });
  return { title, etag, text: html.match(/>([^<]+)</)?.[1] };
};

test("refuses the second of two saves from one version without changing anything", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug, etag } = await ana.api.blogs.create.mutate(aBlog());
  expect(etag).toBe(1);
  const save = (text: string, from?: number) =>
    ana.api.blogs.update.mutate({ id, title: text, document: paragraphs(text), etag: from });
  expect(await save("Hers", etag)).toMatchObject({ id, slug, etag: 2 });
  expect(await refusal(save("His", etag))).toMatchObject({ code: "CONFLICT", field: "etag" });
  expect(await currentBlog(ana, slug)).toEqual({ title: "Hers", etag: 2, text: "Hers" });
  expect(await save("Both", 2)).toMatchObject({ etag: 3 });
  // A single field counts like the text.
  expect(await refusal(ana.api.blogs.update.mutate({ id, private: true, etag: 2 }))).toMatchObject({
    code: "CONFLICT",
  });
  expect(await currentBlog(ana, slug)).toMatchObject({ title: "Both", etag: 3 });
});

test("accepts one of many concurrent saves", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const saves = await Promise.allSettled(
    Array.from({ length: 20 }, (_, round) =>
      ana.api.blogs.update.mutate({
        id,
        title: `Turn ${round}`,
        document: paragraphs(`${round}`),
        etag: 1,
      }),
    ),
  );
  expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await currentBlog(ana, slug)).etag).toBe(2);
});

test("accepts a save repeated after a lost response without changing anything twice", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
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
    etag: 1,
  };
  const first = await ana.api.blogs.update.mutate(save);
  expect(await ana.api.blogs.update.mutate(save)).toEqual(first);
  expect((await currentBlog(ana, slug)).etag).toBe(2);
});

test("applies what was added to a repeated creation, but never over a later edit", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog();
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  expect(await ana.api.blogs.create.mutate({ ...blog, title: "Written on" })).toMatchObject({
    slug,
    etag: 2,
  });
  await ana.api.blogs.update.mutate({ id, title: "Elsewhere", etag: 2 });
  for (const creation of [blog, { ...blog, title: "Written on" }, { ...blog, document: paragraphs("Late.") }])
    expect(await refusal(ana.api.blogs.create.mutate(creation))).toMatchObject({
      code: "CONFLICT",
      field: "etag",
    });
  expect(await currentBlog(ana, slug)).toMatchObject({ title: "Elsewhere", etag: 3 });
});

test("reports the time of the last save as a draft's last change", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const age = 1_000_000;
  const updatedAt = async () => Date.parse((await ana.api.blogs.forEdit.query({ slug })).updatedAt);
  await testSite.write(async (tx) => {
    const { blogs } = await import("../../../src/server/database/schema/blogs.ts");
    const old = Date.now() - age;
    await tx.drizzle.update(blogs).set({ createdAt: old, publishedAt: old });
  });
  const before = await updatedAt();
  await ana.api.blogs.update.mutate({ id, description: "Saved again." });
  expect((await updatedAt()) - before).toBeGreaterThanOrEqual(age);
});

test("sends the author an ETag over REST, and refuses a stale one with 412", async () => {
  await using testSite = await startTestSite();
  const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
  const api = await ApiClient.of(testSite, ana);
  const created = await api.call("POST", "/blogs", blogForm());
  const first = created.headers.get("etag") ?? "";
  expect(first).toMatch(/^"[^"]+"$/);
  const path = `/blogs/${created.body.blog.blogId}`;
  expect((await api.call("GET", path)).headers.get("etag")).toBe(first);
  expect((await (await ApiClient.of(testSite, ben)).call("GET", path)).headers.get("etag")).toBeNull();
  expect((await new ApiClient(testSite).call("GET", path)).headers.get("etag")).toBeNull();

  const change = (title: string, match?: string) =>
    api.call("PATCH", path, { title }, match === undefined ? {} : { "if-match": match });
  const second = (await change("Second", first)).headers.get("etag") ?? "";
  expect(second).not.toBe(first);
  const staleTags = [first, `W/${second}`, `"other", ${first}`, '"a, b"', `W/${second},"c"`];
  for (const match of staleTags)
    expect(await change("Third", match), match).toMatchObject({ status: 412, body: { success: false } });
  for (const match of ["", "*,", "second", `${second} and more`, '* , "a"'])
    expect(await change("Third", match), match).toMatchObject({ status: 400 });
  expect((await api.call("GET", path)).body.blog.title).toBe("Second");
  // A change that is in effect already succeeds.
  expect(await change("Second", first)).toMatchObject({ status: 200 });

  const third = (await change("Third", `"other",, W/"weak" , ${second}`)).headers.get("etag") ?? "";
  expect(await change("Fourth", "*")).toMatchObject({ status: 200 });
  expect(await change("Fifth")).toMatchObject({ status: 200 });
  expect(await api.call("DELETE", path, undefined, { "if-match": third })).toMatchObject({ status: 412 });
  expect(await api.call("PATCH", "/blogs/nowhere", {}, { "if-match": "*" })).toMatchObject({ status: 404 });
  const last = (await api.call("GET", path)).headers.get("etag") ?? "";
  expect(await api.call("DELETE", path, undefined, { "if-match": last })).toMatchObject({ status: 200 });
});

test("allows pages of any origin to send If-Match and to read the ETag, as documented", async () => {
  await using testSite = await startTestSite();
  const preflight = await fetch(`${testSite.url}/api/v1/blogs/x`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "if-match",
    },
  });
  expect(preflight.headers.get("access-control-allow-headers")).toContain("if-match");
  const answer = await fetch(`${testSite.url}/api/v1/blogs`, {
    headers: { origin: "https://elsewhere.example" },
  });
  expect(answer.headers.get("access-control-expose-headers")).toContain("etag");
  const { paths } = (await (await fetch(`${testSite.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<string, { description: string; parameters: { in: string; name: string }[] }>
    >;
  };
  const call = paths["/api/v1/blogs/{blogId}"]?.patch ?? paths["/blogs/{blogId}"]?.patch;
  expect(call?.parameters).toContainEqual(expect.objectContaining({ in: "header", name: "if-match" }));
  expect(call?.description).toContain("ETag");
});
