import { expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { insertComments } from "../../support/insert-comments.ts";
import { siteWith } from "../../support/site-with.ts";
import { countStatements } from "../../support/statements.ts";
import { aBlog, aComment, followBlog, type SignedInBrowser } from "../../support/test-site.ts";

const numberedTexts = (count: number, text = "x") =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

async function createThread() {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const list = (input: { before?: string; including?: string } = {}) =>
    eve.api.comments.list.query({ blogId: blog.id, ...input });
  const [root] = await insertComments(testSite, eve, blog.id, ["the first"]);
  if (!root) throw new Error("Nothing was said.");
  const answer = (count: number, options: { nested?: boolean; under?: string } = {}) =>
    insertComments(testSite, eve, blog.id, numberedTexts(count), { under: root.id, from: 2_000, ...options });
  return { testSite, ana, eve, blog, list, root, answer };
}

const comment = limits.comment.max;
const owls = "🦉";
const texts = {
  plain: "x".repeat(comment),
  "in signs of four bytes": owls.repeat(comment),
  "in signs that are escaped": "<".repeat(comment),
  "in quotes": `"'&`.repeat(comment / 3),
  "in backslashes and lines": "\\\n".repeat(comment / 2 - 1) + "x",
  "in short addresses": "http://a.b ".repeat(comment / 11),
  "in one long address": `https://a.b/${owls.repeat(comment - 20)}`,
  "hardly any": "x",
};

test.each(Object.entries(texts))("a page of long threads stays small: %s", async (_, text) => {
  const { testSite, eve, blog } = await createThread();
  await eve.api.users.updateProfile.mutate({ name: owls.repeat(40) }).catch(() => {});
  const copies = (count: number) => Array.from({ length: count }, () => text);
  const top = await insertComments(testSite, eve, blog.id, copies(60));
  for (const { id } of top.slice(-15))
    await insertComments(testSite, eve, blog.id, copies(5), { under: id, from: 5_000 });
  const longest = top.at(-1)?.id ?? "";
  const replies = await insertComments(testSite, eve, blog.id, copies(200), {
    under: longest,
    nested: true,
    from: 6_000,
  });
  for (const search of ["", "?comments=open"]) {
    const page = await testSite.browser().fetch(`/blog/${blog.slug}${search}`);
    expect(page.status).toBe(200);
    expect(Buffer.byteLength(await page.text())).toBeLessThan(300_000);
  }
  const size = async (procedure: string, input: Record<string, unknown>) => {
    const query = encodeURIComponent(JSON.stringify({ blogId: blog.id, ...input }));
    const answer = await eve.fetch(`/trpc/comments.${procedure}?input=${query}`);
    expect(answer.status).toBe(200);
    return Buffer.byteLength(await answer.text());
  };
  expect(await size("list", {})).toBeLessThan(256_000);
  expect(await size("list", { before: top[30]?.id })).toBeLessThan(256_000);
  expect(await size("list", { including: replies[100]?.id })).toBeLessThan(256_000);
  expect(await size("list", { including: top[2]?.id })).toBeLessThan(256_000);
  expect(await size("replies", { rootId: longest })).toBeLessThan(256_000);
});

test("limits the comments of a page, shows the first replies of a long thread, and counts the others", async () => {
  const { testSite, eve, blog, root, list, answer } = await createThread();
  const replies = await answer(240);
  expect(await list()).toMatchObject({
    comments: [root, ...replies.slice(0, limits.replies.few)].map(({ id }) => ({ id })),
    folds: { [root.id]: { repliesCount: 240, after: { id: replies[limits.replies.few - 1]?.id } } },
    before: null,
    total: 241,
  });
  for (const { id } of await insertComments(testSite, eve, blog.id, numberedTexts(40), { from: 9_000 }))
    await insertComments(testSite, eve, blog.id, numberedTexts(4), { under: id, from: 10_000 });
  const ids = new Set<string>();
  let before: string | null | undefined;
  while (before !== null) {
    const page = await list(before ? { before } : {});
    expect(page.comments.length).toBeLessThanOrEqual(limits.replies.rows);
    for (const { id } of page.comments) ids.add(id);
    before = page.before;
  }
  expect(ids.size).toBe(40 * 5 + 1 + limits.replies.few);
  const html = await (await testSite.browser().fetch(`/blog/${blog.slug}?comments=open`)).text();
  expect(html.match(/<li id="comment-/g)?.length).toBeLessThanOrEqual(limits.replies.rows);
});

test("pages through the replies of a thread, each once and oldest first, despite deletions", async () => {
  const { testSite, eve, blog, root, list, answer } = await createThread();
  const replies = await answer(100);
  await testSite.run("update comments set created_at = 3000 where parent_id is not null");
  const expected = replies.map(({ id }) => id).toSorted();
  const { folds, comments } = await list();
  const ids = comments.slice(1).map(({ id }) => id);
  let after = folds[root.id]?.after;
  while (after) {
    const page = await eve.api.comments.replies.query({ blogId: blog.id, rootId: root.id, after });
    ids.push(...page.comments.map(({ id }) => id));
    expect(page.comments.length).toBeLessThanOrEqual(limits.replies.page);
    after = page.folds[root.id]?.after;
    // A cursor stays valid when its comment is deleted.
    if (ids.length > 20 && ids.length < 50) {
      expected.splice(expected.indexOf(ids.at(-1) ?? ""), 1);
      await eve.api.comments.remove.mutate({ id: ids.pop() ?? "" });
    }
  }
  expect(ids).toEqual(expected);
  const other = await eve.api.blogs.create.mutate(aBlog());
  for (const wrong of [
    { blogId: other.id, rootId: root.id },
    { blogId: blog.id, rootId: replies[0]?.id ?? "" },
    { blogId: blog.id, rootId: blog.id },
  ])
    await expectRefusal(eve.api.comments.replies.query(wrong), "NOT_FOUND");
});

test("a linked comment comes with its thread, the comments that it replies to and its neighbours", async () => {
  const { testSite, eve, blog, root, list, answer } = await createThread();
  const [start] = await answer(1);
  const flat = await insertComments(testSite, eve, blog.id, numberedTexts(300), {
    under: root.id,
    from: 5_000,
  });
  const deep = await insertComments(testSite, eve, blog.id, numberedTexts(300), {
    under: root.id,
    nested: true,
    from: 50_000,
  });
  // Moves its thread to a page far down.
  await insertComments(testSite, eve, blog.id, numberedTexts(100), { from: 100_000 });
  const idsAround = async (id: string) => {
    const { comments, folds, before } = await list({ including: id });
    expect(before).not.toBeNull();
    expect(folds[root.id]).toMatchObject({ repliesCount: 601 });
    return comments.filter(({ rootId }) => rootId === root.id).map((one) => one.id);
  };
  const { above, around } = limits.replies;
  const inFlat = await idsAround(flat[200]?.id ?? "");
  expect(inFlat).toEqual(
    expect.arrayContaining([
      root.id,
      start?.id,
      ...flat.slice(200 - around, 201 + around).map(({ id }) => id),
    ]),
  );
  const inDeep = await idsAround(deep[250]?.id ?? "");
  expect(inDeep).toEqual(
    expect.arrayContaining([root.id, ...deep.slice(250 - above, 251 + around).map(({ id }) => id)]),
  );
  expect(inDeep.length).toBeLessThan(30);
  const none = await list({ including: blog.id });
  expect(none.comments.every(({ rootId }) => rootId !== root.id)).toBe(true);
});

test("a reply is always newer than its parent", async () => {
  const { testSite, ana, blog, root } = await createThread();
  const futureTime = Date.now() + 60_000;
  await testSite.run(`update comments set created_at = ${futureTime}`);
  const reply = await ana.api.comments.create.mutate(aComment(blog, { parentId: root.id }));
  expect(Date.parse(reply.createdAt)).toBe(futureTime + 1);
});

test("publishes the number of replies of a folded thread as it changes", async () => {
  const { testSite, ana, eve, blog, root, list, answer } = await createThread();
  const replies = await answer(20);
  const page = followBlog(testSite.browser(), blog.id, (await list()).cursor);
  const reply = await ana.api.comments.create.mutate(aComment(blog, { parentId: replies[10]?.id }));
  await page.waitFor("comment.created");
  expect(page.eventFrames().at(-1)?.event).toMatchObject({ comment: { id: reply.id }, repliesCount: 21 });
  await eve.api.comments.remove.mutate({ id: replies[10]?.id ?? "" });
  await page.waitFor("comment.deleted");
  expect(page.eventFrames().at(-1)?.event).toMatchObject({
    repliesCounts: { [root.id]: 19 },
    commentsCount: 20,
  });
  page.stop();
});

test("deletes a thread of thousands in steps, and publishes each to open pages", async () => {
  const { testSite, ana, blog, root, list, answer } = await createThread();
  const nested = await answer(1_300, { nested: true });
  await insertComments(testSite, ana, blog.id, numberedTexts(1_300), { under: root.id, from: 50_000 });
  expect(await ana.api.comments.countReplies.query({ id: nested[99]?.id ?? "" })).toMatchObject({
    repliesCount: 1_200,
  });
  const page = followBlog(testSite.browser(), blog.id, (await list()).cursor);
  const { commentIds, commentsCount } = await ana.api.comments.remove.mutate({ id: root.id });
  expect(commentIds[0]).toBe(root.id);
  expect(commentsCount).toBe(0);
  const steps = Math.ceil(2_601 / limits.replies.step);
  await page.waitFor("comment.deleted", steps);
  const deletedIds = page.events("comment.deleted").flatMap(({ commentIds: ids }) => ids);
  expect(new Set(deletedIds).size).toBe(2_601);
  for (const { commentIds: ids } of page.events("comment.deleted"))
    expect(ids.length).toBeLessThanOrEqual(limits.replies.step);
  expect(page.eventFrames().at(-1)?.event).toMatchObject({
    commentsCount: 0,
    repliesCounts: { [root.id]: 0 },
  });
  expect(await list()).toMatchObject({ comments: [], total: 0 });
  expect(testSite.rows("pragma foreign_key_check")).toEqual([]);
  page.stop();
});

test("no other write waits while a long thread is deleted", { tags: ["more"] }, async () => {
  const { ana, eve, blog, root, answer } = await createThread();
  await answer(3_000);
  let isDeleting = true;
  const removal = ana.api.comments.remove.mutate({ id: root.id }).finally(() => (isDeleting = false));
  let otherWrites = 0;
  for (let liked = true; isDeleting; liked = !liked) {
    await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked });
    if (isDeleting) otherWrites++;
  }
  await removal;
  expect(otherWrites).toBeGreaterThan(1);
});

test("a page of five thousand comments takes as many queries as one of fifty", async () => {
  const { testSite, ana, eve, blog: small, root } = await createThread();
  const large = await ana.api.blogs.create.mutate(aBlog());
  const fill = async (
    who: SignedInBrowser,
    blogId: string,
    rootId: string,
    roots: number,
    replies: number,
  ) => {
    await insertComments(testSite, who, blogId, numberedTexts(replies), { under: rootId, from: 2_000 });
    for (const { id } of await insertComments(testSite, who, blogId, numberedTexts(roots), { from: 5_000 }))
      await insertComments(testSite, who, blogId, numberedTexts(replies), { under: id, from: 10_000 });
  };
  const [first] = await insertComments(testSite, eve, large.id, ["the first"]);
  await fill(eve, small.id, root.id, 11, 4);
  await fill(eve, large.id, first?.id ?? "", 19, 250);
  const loadPage = (slug: string) => async () => {
    // A member's page is rendered each time.
    const page = await eve.fetch(`/blog/${slug}?comments=open`);
    expect(page.status).toBe(200);
    return page.text();
  };
  await loadPage(small.slug)();
  // Every second the server itself checks for writes by other processes.
  const fewest = async (slug: string) =>
    Math.min(
      await countStatements(loadPage(slug)),
      await countStatements(loadPage(slug)),
      await countStatements(loadPage(slug)),
    );
  expect(await fewest(large.slug)).toBe(await fewest(small.slug));
});
