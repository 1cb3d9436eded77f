import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { comments } from "../../../src/server/database/schema/comments.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { insertComment } from "../../../src/server/comments/queries.ts";
import { limits } from "../../../src/shared/limits.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, type SignedInBrowser } from "../../support/test-site.ts";

async function createThread() {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const postComment = (who: SignedInBrowser, change: Record<string, unknown> = {}) =>
    who.api.comments.create.mutate(aComment(blog, change));
  const list = (input: { before?: string; including?: string } = {}) =>
    eve.api.comments.list.query({ blogId: blog.id, ...input });
  const countComments = async () => (await eve.api.blogs.card.query({ id: blog.id })).commentsCount;
  return { testSite, ana, eve, blog, postComment, list, countComments };
}

test("stores a comment that is sent again once, and emits one event", async () => {
  const { testSite, eve, blog, countComments } = await createThread();
  const comment = aComment(blog);
  const answers = await Promise.all(Array.from({ length: 6 }, () => eve.api.comments.create.mutate(comment)));
  answers.push(await eve.api.comments.create.mutate({ ...comment, text: "With another text" }));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({
    id: comment.id,
    rootId: comment.id,
    parentId: null,
    text: "Lovely.",
    liked: false,
    author: { name: "Eve" },
  });
  expect(await countComments()).toBe(1);
  expect(testSite.rows("select 1 from live_events where event like '%comment.created%'")).toHaveLength(1);
});

test("refuses an id that another person's comment has, or one's own comment on another blog", async () => {
  const { ana, eve, blog, postComment } = await createThread();
  const { id } = await postComment(eve);
  await expectRefusal(postComment(ana, { id }), "CONFLICT");
  const other = await ana.api.blogs.create.mutate(aBlog());
  await expectRefusal(eve.api.comments.create.mutate(aComment(other, { id })), "CONFLICT");
  expect((await eve.api.comments.list.query({ blogId: blog.id })).comments).toMatchObject([
    { id, author: { name: "Eve" } },
  ]);
});

test("accepts one to five thousand characters of plain text, and keeps line breaks", async () => {
  const { eve, postComment } = await createThread();
  expect((await postComment(eve, { text: "x" })).text).toBe("x");
  expect((await postComment(eve, { text: "🦉".repeat(limits.comment.max) })).text).toHaveLength(
    2 * limits.comment.max,
  );
  expect((await postComment(eve, { text: "  one\r\ntwo\n\n  three  " })).text).toBe("one\ntwo\n\n  three");
  expect((await postComment(eve, { text: "<script>alert(1)</script>" })).text).toBe(
    "<script>alert(1)</script>",
  );
  await expectRefusal(postComment(eve, { text: "x".repeat(limits.comment.max + 1) }), {
    code: "BAD_REQUEST",
    field: "text",
  });
  await expectRefusal(postComment(eve, { text: " \n " }), {
    message: "Write something first.",
  });
  await expectRefusal(postComment(eve, { text: "a\u0000b" }), {
    code: "BAD_REQUEST",
    field: "text",
  });
});

test("nests replies sixty deep, and deletes a comment with all replies below it", async () => {
  const { testSite, ana, eve, blog, postComment, list, countComments } = await createThread();
  const chain = [await postComment(eve)];
  while (chain.length < 60)
    chain.push(
      await postComment(chain.length % 2 ? ana : eve, {
        parentId: chain.at(-1)?.id,
        text: `answer ${chain.length}`,
      }),
    );
  const sibling = await postComment(ana, { parentId: chain[10]?.id, text: "beside" });
  for (const comment of chain) expect(comment.rootId).toBe(chain[0]?.id);
  const all = [...(await list()).comments];
  for (let fold = (await list()).folds[chain[0]?.id ?? ""]; fold;) {
    const rootId = chain[0]?.id ?? "";
    const page = await eve.api.comments.replies.query({ blogId: blog.id, rootId, after: fold.after });
    all.push(...page.comments);
    fold = page.folds[rootId];
  }
  expect(all).toHaveLength(61);
  const parents = new Map(all.map(({ id, parentId }) => [id, parentId]));
  let depth = 0;
  for (let id = chain[59]?.id ?? null; id; id = parents.get(id) ?? null) depth++;
  expect(depth).toBe(60);
  expect(await countComments()).toBe(61);

  const { commentIds, commentsCount } = await ana.api.comments.remove.mutate({ id: chain[20]?.id ?? "" });
  expect(new Set(commentIds)).toEqual(new Set(chain.slice(20).map(({ id }) => id)));
  expect(commentsCount).toBe(21);
  const remaining = await eve.api.comments.replies.query({ blogId: blog.id, rootId: chain[0]?.id ?? "" });
  expect(remaining.comments.map(({ id }) => id)).toEqual(
    [...chain.slice(1, 20), sibling].map(({ id }) => id),
  );
  await expectRefusal(postComment(eve, { parentId: chain[30]?.id }), "NOT_FOUND");
  await expectRefusal(ana.api.comments.remove.mutate({ id: chain[20]?.id ?? "" }), "NOT_FOUND");
  expect(await countComments()).toBe(21);
  expect(testSite.rows("pragma foreign_key_check")).toEqual([]);
});

test("deletes a thread deeper than a thousand replies", async () => {
  const { testSite, ana, eve, blog, postComment, countComments } = await createThread();
  const root = await postComment(eve);
  await testSite.write(async (tx) => {
    let parentId = root.id;
    for (let depth = 0; depth < 1_500; depth++) {
      const id = newId();
      await insertComment(tx, {
        id,
        blogId: blog.id,
        parentId,
        rootId: root.id,
        authorId: eve.me.id,
        text: "deeper",
        createdAt: Date.now(),
      });
      parentId = id;
    }
  });
  expect((await ana.api.comments.remove.mutate({ id: root.id })).commentIds[0]).toBe(root.id);
  expect(await countComments()).toBe(0);
});

test("refuses a reply to a comment of another blog, or to a missing one", async () => {
  const { ana, eve, postComment } = await createThread();
  const other = await ana.api.blogs.create.mutate(aBlog());
  const { id } = await postComment(eve);
  await expectRefusal(ana.api.comments.create.mutate(aComment(other, { parentId: id })), "NOT_FOUND");
  await expectRefusal(postComment(eve, { parentId: newId() }), "NOT_FOUND");
});

test("shows that a comment was edited, unless its text is the same", async () => {
  const { testSite, eve, postComment, list } = await createThread();
  const { id } = await postComment(eve, { text: "first" });
  expect(await eve.api.comments.edit.mutate({ id, text: "first" })).toMatchObject({ editedAt: null });
  expect(await eve.api.comments.edit.mutate({ id, text: "second" })).toMatchObject({
    text: "second",
    editedAt: expect.any(String),
  });
  expect((await list()).comments).toMatchObject([{ text: "second", editedAt: expect.any(String) }]);
  expect(testSite.rows("select 1 from live_events where event like '%comment.edited%'")).toHaveLength(1);
});

test("pages threads newest first, with replies on their thread's page, and loses none with equal times", async () => {
  const { testSite, ana, eve, postComment, list } = await createThread();
  const size = limits.page.comments;
  const top: { id: string }[] = [];
  for (let index = 0; index < size * 2 + 5; index++)
    top.push(await postComment(eve, { text: `thread ${index}` }));
  const at = Date.now();
  await testSite.write(async (tx) =>
    tx.drizzle.update(comments).set({ createdAt: at }).where(eq(comments.authorId, eve.me.id)),
  );
  const answer = await postComment(ana, { parentId: top[3]?.id });
  const pages = [await list()];
  while (pages.at(-1)?.before) pages.push(await list({ before: pages.at(-1)?.before ?? "" }));
  expect(pages.map(({ comments: page }) => page.filter(({ parentId }) => !parentId).length)).toEqual([
    size,
    size,
    5,
  ]);
  const threadIds = pages.flatMap(({ comments: page }) =>
    page.filter(({ parentId }) => !parentId).map(({ id }) => id),
  );
  expect(threadIds).toEqual(
    top
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  expect(pages.map(({ total }) => total)).toEqual([top.length + 1, top.length + 1, top.length + 1]);
  const answerPage = pages.findIndex(({ comments: page }) => page.some(({ id }) => id === answer.id));
  expect(pages[answerPage]?.comments.some(({ id }) => id === top[3]?.id)).toBe(true);
  // A link to a reply includes its thread.
  const linkedPage = await list({ including: answer.id });
  expect(linkedPage.comments.map(({ id }) => id)).toEqual(expect.arrayContaining([answer.id, top[3]?.id]));
  await expectRefusal(list({ before: newId() }), "NOT_FOUND");
});

test("counts each of twenty concurrent likes once, also when sent twice", async () => {
  const { testSite, ana, eve, postComment, list } = await createThread();
  const { id } = await postComment(ana);
  const crowd = await Promise.all(
    Array.from({ length: 20 }, (_, index) => testSite.createAccount(`Person ${index}`)),
  );
  await Promise.all(
    crowd.flatMap((person) =>
      [person, person, person].map(({ api }) => api.comments.like.mutate({ id, liked: true })),
    ),
  );
  expect((await list()).comments[0]).toMatchObject({ likesCount: 20, liked: false });
  await Promise.all(
    crowd
      .slice(0, 8)
      .flatMap((person) => [person, person].map(({ api }) => api.comments.like.mutate({ id, liked: false }))),
  );
  expect((await list()).comments[0]?.likesCount).toBe(12);
  expect(await eve.api.comments.like.mutate({ id, liked: false })).toMatchObject({
    liked: false,
    likesCount: 12,
  });
  expect(testSite.rows("select 1 from comment_likes")).toHaveLength(12);
});
