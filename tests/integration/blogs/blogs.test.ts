import { existsSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { pictureKey } from "../../../src/server/media/paths.ts";
import { blogs } from "../../../src/server/database/schema/blogs.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { insertComments } from "../../support/insert-comments.ts";
import { siteWith } from "../../support/site-with.ts";
import { until } from "../../support/until.ts";
import { send, paint, upload } from "../../support/pictures.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  refusal,
  startTestSite,
  type SignedInBrowser,
  type TestSite,
} from "../../support/test-site.ts";

const total = (testSite: TestSite, table: string, where = "true") =>
  testSite.rows<{ total: number }>(`select count(*) as total from ${table} where ${where}`)[0]?.total;
const picture = (src: string) => ({
  type: "doc",
  content: [
    { type: "paragraph", content: [{ type: "image", attrs: { src } }] },
    ...paragraphs("Owls.").content,
  ],
});

test("creates no second blog when a publication is sent again", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = aBlog();
  const first = await ana.api.blogs.create.mutate(blog);
  expect(first.slug).toMatch(/^a-walk-at-night-[a-z0-9]{6}$/);
  const repeated = await Promise.all(Array.from({ length: 5 }, () => ana.api.blogs.create.mutate(blog)));
  for (const answer of repeated) expect(answer).toEqual(first);
  expect(total(testSite, "blogs")).toBe(1);
  // A retry changes nothing, so it emits no event.
  expect(total(testSite, "live_events", "topic like 'blog:%'")).toBe(0);
  expect(total(testSite, "live_events", "topic = 'feed'")).toBe(1);
  expect((await ana.api.blogs.bySlug.query({ slug: first.slug })).editedAt).toBeNull();

  const concurrent = aBlog();
  await Promise.all(Array.from({ length: 5 }, () => ana.api.blogs.create.mutate(concurrent)));
  expect(total(testSite, "blogs")).toBe(2);
});

test("refuses the id of another person's blog with 409, and leaves that blog unchanged", async () => {
  const [, ana, eve] = await siteWith("Ana", "Eve");
  const blog = aBlog();
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await expectRefusal(eve.api.blogs.create.mutate({ ...blog, title: "Mine now" }), "CONFLICT");
  expect(await eve.api.blogs.bySlug.query({ slug })).toMatchObject({
    title: blog.title,
    author: { name: "Ana" },
  });
  // Also for a draft, whose existence must stay unknown.
  const hiddenDraft = aBlog({ draft: true });
  await ana.api.blogs.create.mutate(hiddenDraft);
  expect((await refusal(eve.api.blogs.create.mutate(hiddenDraft))).message).not.toContain("draft");
});

test("enforces the limits of titles, descriptions and tags to the character", async () => {
  const [, ana] = await siteWith("Ana");
  const create = (change: Record<string, unknown>) => ana.api.blogs.create.mutate(aBlog(change));
  const createAndRead = async (change: Record<string, unknown>) => {
    const { slug } = await create(change);
    return ana.api.blogs.bySlug.query({ slug });
  };
  const owls = "🦉".repeat(limits.title.max);
  expect((await createAndRead({ title: "x".repeat(limits.title.max) })).title).toHaveLength(limits.title.max);
  expect((await createAndRead({ title: owls, description: owls })).title).toBe(owls);
  await expectRefusal(create({ title: "x".repeat(limits.title.max + 1) }), {
    code: "BAD_REQUEST",
    field: "title",
    message: "The title is too long: at most 150 characters.",
  });
  await expectRefusal(create({ title: " \n\t " }), {
    field: "title",
    message: "Please give your blog a title.",
  });
  await expectRefusal(create({ description: "x".repeat(limits.description.max + 1) }), {
    field: "description",
  });
  expect((await createAndRead({ description: "" })).description).toBe("");
  expect((await createAndRead({ title: "  two   words\n" })).title).toBe("two words");

  const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag${index}`);
  expect((await createAndRead({ tags: tags(limits.tags.max) })).tags).toEqual(tags(10));
  await expectRefusal(create({ tags: tags(limits.tags.max + 1) }), {
    code: "BAD_REQUEST",
    field: "tags",
    message: "You can only add upto 10 tags.Limit reached",
  });
  expect((await createAndRead({ tags: [" Night ", "NIGHT", "night", "owls"] })).tags).toEqual([
    "night",
    "owls",
  ]);
  expect((await createAndRead({ tags: ["#Gardening", "＃gardening", "c#"] })).tags).toEqual([
    "gardening",
    "c#",
  ]);
  expect((await ana.api.blogs.byTag.query({ tag: "#gardening" })).count).toBe(1);
  expect((await createAndRead({ tags: ["x".repeat(limits.tags.length)] })).tags).toEqual(["x".repeat(30)]);
  for (const tag of ["x".repeat(limits.tags.length + 1), "two words", " ", "a\u0000b"])
    await expectRefusal(create({ tags: [tag] }), { code: "BAD_REQUEST", field: "tags" });
});

test("dates a draft by its last save and a blog by its publication, and keeps that date on later edits", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  const times = async () => {
    const [{ slug } = { slug: "" }] = testSite.rows<{ slug: string }>("select slug from blogs");
    const { publishedAt, createdAt, editedAt } = await ana.api.blogs.bySlug.query({ slug });
    return { publishedAt, createdAt, editedAt };
  };
  const longAgo = Date.now() - 1_000_000;
  const backdate = () =>
    testSite.write(
      async (tx) =>
        await tx.drizzle
          .update(blogs)
          .set({ publishedAt: longAgo, createdAt: longAgo })
          .where(eq(blogs.id, id)),
    );
  const old = new Date(longAgo).toISOString();
  await backdate();
  await ana.api.blogs.update.mutate({ id, title: "Another title" });
  const saved = await times();
  expect(saved).toMatchObject({ createdAt: old, editedAt: null });
  expect(saved.publishedAt > old).toBe(true);
  await backdate();
  await ana.api.blogs.update.mutate({ id, draft: false });
  const published = await times();
  expect(published.editedAt).toBeNull();
  expect(published.publishedAt > old).toBe(true);
  await ana.api.blogs.update.mutate({ id, title: "A third title" });
  const edited = await times();
  expect(edited.publishedAt).toBe(published.publishedAt);
  expect(edited.editedAt).not.toBeNull();
});

test("changes only the given fields on an update, and keeps the address of a published blog", async () => {
  const [, ana] = await siteWith("Ana");
  const blog = aBlog({ tags: ["night", "owls"] });
  const { id, slug } = await ana.api.blogs.create.mutate(blog);
  expect(await ana.api.blogs.update.mutate({ id, description: "Changed." })).toMatchObject({
    id,
    slug,
    message: "Blog updated.",
  });
  expect(await ana.api.blogs.forEdit.query({ slug })).toMatchObject({
    title: blog.title,
    description: "Changed.",
    tags: ["night", "owls"],
  });
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Owls, mostly.");
  await ana.api.blogs.update.mutate({
    id,
    etag: 2,
    title: "Quite another",
    tags: [],
    document: paragraphs("Crickets."),
  });
  const page = await ana.api.blogs.bySlug.query({ slug });
  expect(page).toMatchObject({ slug, title: "Quite another", tags: [], description: "Changed." });
  expect(page.html).toContain("Crickets");
  expect(page.html).not.toContain("Owls");
});

/** Eleven blogs, some with equal dates and counts of likes. */
async function createElevenBlogs(testSite: TestSite, ana: SignedInBrowser) {
  const created: { id: string; at: number; likes: number }[] = [];
  const start = Date.now() - 1_000_000;
  for (let index = 0; index < 11; index++) {
    const { id } = await ana.api.blogs.create.mutate(aBlog({ title: `Blog ${index}` }));
    created.push({ id, at: start + Math.floor(index / 3) * 1_000, likes: index % 3 });
  }
  await testSite.write(async (tx) => {
    for (const { id, at, likes } of created)
      await tx.drizzle.update(blogs).set({ publishedAt: at, likesCount: likes }).where(eq(blogs.id, id));
  });
  return created;
}

test("says who can read a blog when it is published for the first time", async () => {
  await using testSite = await startTestSite();
  const { api } = await testSite.createAccount("Ana");
  const messageOf = async (change: Record<string, unknown>) =>
    (await api.blogs.create.mutate(aBlog(change))).message;
  expect(await messageOf({})).toBe("Published! Everyone can read your blog.");
  expect(await messageOf({ private: true })).toBe("Published! Only your followers can read your blog.");
  expect(await messageOf({ draft: true })).toBe("Draft saved.");
  await api.users.updateSettings.mutate({ private: true });
  expect(await messageOf({})).toBe("Published! Only your followers can read your blog.");
  await api.users.updateSettings.mutate({ private: false });
  const draft = aBlog({ draft: true });
  await api.blogs.create.mutate(draft);
  const update = async (change: object) =>
    (await api.blogs.update.mutate({ id: draft.id, ...change })).message;
  expect(await update({ draft: false })).toBe("Published! Everyone can read your blog.");
  // A retry after a lost response.
  expect(await update({ draft: false })).toBe("Published! Everyone can read your blog.");
  expect(await update({ title: "Another" })).toBe("Blog updated.");
  expect(await update({ title: "Another" })).toBe("Blog updated.");
  expect(await update({ private: true })).toBe("Blog updated.");
});

test("lists four blogs a page in one stable order, ties by date and then by id", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const created = await createElevenBlogs(testSite, ana);
  const newest = (a: (typeof created)[0], b: (typeof created)[0]) => b.at - a.at || (b.id < a.id ? -1 : 1);
  const orders = {
    latest: created.toSorted(newest),
    likes: created.toSorted((a, b) => b.likes - a.likes || newest(a, b)),
  };
  for (const sort of ["latest", "likes"] as const) {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => testSite.browser().api.blogs.list.query({ sort, page })),
    );
    expect(pages.map(({ blogs: list, hasMore }) => [list.length, hasMore])).toEqual([
      [4, true],
      [4, true],
      [3, false],
      [0, false],
    ]);
    expect(pages.flatMap(({ blogs: list }) => list.map(({ id }) => id))).toEqual(
      orders[sort].map(({ id }) => id),
    );
  }
});

test("returns an empty page beyond the end, and refuses page numbers that are none", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await createElevenBlogs(testSite, ana);
  for (const page of [4, limits.page.highest, limits.page.highest + 1, 99_999_999, Number.MAX_SAFE_INTEGER]) {
    expect(await ana.api.blogs.list.query({ page })).toMatchObject({ blogs: [], page, hasMore: false });
    expect(await ana.api.blogs.byAuthor.query({ username: ana.me.username, page })).toMatchObject({
      blogs: [],
      page,
      hasMore: false,
    });
  }
  for (const page of [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 2, Number.NaN])
    await expectRefusal(ana.api.blogs.list.query({ page }), "BAD_REQUEST");
});

test("deletes a blog with its comments, likes and saves, keeps other blogs whole, and hides its pictures from others", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const [cover, inText, shared] = [await upload(ana), await upload(ana), await upload(ana)];
  const folder = (id: string) => path.join(testSite.config.dataDir, pictureKey(id));
  const withPictures = await ana.api.blogs.create.mutate(
    aBlog({
      coverId: cover.id,
      document: { type: "doc", content: [...picture(inText.src).content, ...picture(shared.src).content] },
    }),
  );
  const other = await ana.api.blogs.create.mutate(aBlog({ coverId: shared.id }));
  for (const { id } of [withPictures, other]) {
    const comment = await eve.api.comments.create.mutate(aComment({ id }));
    await ana.api.comments.create.mutate(aComment({ id }, { parentId: comment.id }));
    await ana.api.comments.like.mutate({ id: comment.id, liked: true });
    await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
    await eve.api.social.saveBlog.mutate({ blogId: id, saved: true });
  }
  const page = await ana.api.blogs.bySlug.query({ slug: withPictures.slug });
  expect(page.cover?.id).toBe(cover.id);
  expect(page.html).toContain(inText.src);
  expect([cover, inText, shared].map(({ id }) => existsSync(folder(id)))).toEqual([true, true, true]);

  await ana.api.blogs.remove.mutate({ id: withPictures.id });
  await expectRefusal(eve.api.blogs.bySlug.query({ slug: withPictures.slug }), "NOT_FOUND");
  const rowCounts = ["blogs", "comments", "comment_likes", "blog_likes", "blog_saves", "media"].map(
    (table) => [table, total(testSite, table)],
  );
  expect(Object.fromEntries(rowCounts)).toEqual({
    blogs: 1,
    comments: 2,
    comment_likes: 1,
    blog_likes: 1,
    blog_saves: 1,
    media: 3,
  });
  expect([cover, inText, shared].map(({ id }) => existsSync(folder(id)))).toEqual([true, true, true]);
  expect((await eve.fetch(cover.src)).status).toBe(404);
  expect((await eve.fetch(shared.src)).status).toBe(200);
  expect(testSite.rows("pragma foreign_key_check")).toEqual([]);
});

test("accepts as cover only one's own PNG or JPEG, and stores the same file once", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const bytes = await paint();
  const [one, two] = await Promise.all([upload(ana, bytes), upload(ana, bytes)]);
  expect(one.id).toBe(two.id);
  expect(total(testSite, "media")).toBe(1);
  const evesPicture = await upload(eve, bytes);
  expect(evesPicture.id).not.toBe(one.id);
  await expectRefusal(eve.api.blogs.create.mutate(aBlog({ coverId: one.id })), {
    code: "BAD_REQUEST",
    field: "coverId",
  });
  await expectRefusal(eve.api.blogs.create.mutate(aBlog({ coverId: newId() })), {
    code: "BAD_REQUEST",
    field: "coverId",
  });
  for (const [type, status] of [
    ["png", 200],
    ["jpeg", 200],
    ["gif", 415],
    ["webp", 415],
  ] as const) {
    expect(
      (await send(ana, await paint(20, 20, type), `cover.${type}`, { "x-picture-use": "cover" })).status,
    ).toBe(status);
  }
});

test("deletes thousands of nested replies with their blog", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const [root] = await insertComments(testSite, ana, id, ["The top."]);
  const texts = Array<string>(2_499).fill("Deeper.");
  await insertComments(testSite, ana, id, texts, { under: root!.id, nested: true });
  await ana.api.blogs.remove.mutate({ id });
  await until(() => total(testSite, "comments") === 0);
});
