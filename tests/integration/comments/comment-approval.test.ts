import { expect, test } from "vitest";
import { insertPending } from "../../../src/server/comments/pending-queries.ts";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  followTopics,
  password,
  refusal,
  until,
  followBlog,
  type SignedInBrowser,
} from "../../support/test-site.ts";

/* Approval, pinning and hiding of comments by a blog's author. */

async function createBlogWithPeople() {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  return { testSite, ana, ben, eve, blog };
}

const requireApproval = (who: SignedInBrowser, id: string) =>
  who.api.blogs.setCommenters.mutate({ id, commentsFrom: "approved" });
const textsFor = async (who: Pick<SignedInBrowser, "api">, blogId: string) => {
  const { comments, pending = [], total } = await who.api.comments.list.query({ blogId });
  return { comments: comments.map(({ text }) => text), pending: pending.map(({ text }) => text), total };
};

test("shows a pending comment to its writer and the blog's author only, and to everyone once approved", async () => {
  const { testSite, ana, ben, eve, blog } = await createBlogWithPeople();
  const first = aComment(blog, { text: "Ana opens the talk" });
  await ana.api.comments.create.mutate(first);
  await requireApproval(ana, blog.id);
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const eveStream = followBlog(eve, blog.id, cursor);
  const [anaStream, benStream] = [followTopics(ana, ["me"], cursor), followTopics(ben, ["me"], cursor)];
  await Promise.all([eveStream.waitForStart(), anaStream.waitForStart(), benStream.waitForStart()]);
  const comment = aComment(blog, { text: `Hello @${eve.me.username}`, parentId: first.id });
  expect(await ben.api.comments.create.mutate(comment)).toMatchObject({ id: comment.id, pending: true });
  // A retry is idempotent, and no one else can take the id.
  expect(await ben.api.comments.create.mutate(comment)).toMatchObject({ id: comment.id, pending: true });
  await expectRefusal(eve.api.comments.create.mutate(comment), "CONFLICT");
  await Promise.all([anaStream.waitFor("viewer.pendingChanged"), benStream.waitFor("viewer.pendingChanged")]);
  const withPending = { comments: [first.text], pending: [comment.text], total: 1 };
  expect(await textsFor(ana, blog.id)).toEqual(withPending);
  expect(await textsFor(ben, blog.id)).toEqual(withPending);
  const withoutPending = { comments: [first.text], pending: [], total: 1 };
  expect(await textsFor(eve, blog.id)).toEqual(withoutPending);
  expect(await textsFor(testSite.browser(), blog.id)).toEqual(withoutPending);
  const notifications = async (who: SignedInBrowser) =>
    (await who.api.social.notifications.query()).notifications.map(({ kind }) => kind);
  expect(await notifications(ana)).toEqual(["pending-comment"]);
  expect(await notifications(eve)).toEqual([]);
  // Nothing else can be done with a pending comment.
  for (const call of [
    () => eve.api.comments.approve.mutate({ id: comment.id }),
    () => eve.api.comments.remove.mutate({ id: comment.id }),
    () => ana.api.comments.like.mutate({ id: comment.id, liked: true }),
    () => ana.api.comments.create.mutate(aComment(blog, { parentId: comment.id })),
  ])
    await expectRefusal(call(), "NOT_FOUND");
  await expectRefusal(ben.api.comments.approve.mutate({ id: comment.id }), "FORBIDDEN");
  expect(eveStream.kinds()).toEqual([]);

  await ana.api.comments.approve.mutate({ id: comment.id });
  await eveStream.waitFor("comment.created");
  expect(eveStream.events("comment.created")).toMatchObject([
    { comment: { text: comment.text }, commentsCount: 2 },
  ]);
  expect(await textsFor(eve, blog.id)).toEqual({
    comments: [first.text, comment.text],
    pending: [],
    total: 2,
  });
  expect(await textsFor(ben, blog.id)).toEqual({
    comments: [first.text, comment.text],
    pending: [],
    total: 2,
  });
  // The author has seen it; the mentioned person is notified now.
  expect(await notifications(ana)).toEqual([]);
  expect(await notifications(eve)).toEqual(["mention"]);
  await expectRefusal(ana.api.comments.approve.mutate({ id: comment.id }), "NOT_FOUND");
  expect(await ben.api.comments.create.mutate(comment)).not.toHaveProperty("pending");
});

test("rejects or deletes a pending comment, keeps it when its parent is deleted, and limits how many are pending", async () => {
  const { testSite, ana, ben, blog } = await createBlogWithPeople();
  const parent = aComment(blog);
  await ben.api.comments.create.mutate(parent);
  await requireApproval(ana, blog.id);
  const api = await ApiClient.of(testSite, ben);
  const { status, body } = await api.call("POST", `/blogs/comment/${blog.id}`, { comment: "By a program" });
  expect([status, JSON.stringify(body)]).toEqual([
    200,
    expect.stringContaining("waits for the author’s approval"),
  ]);
  const answer = aComment(blog, { parentId: parent.id, text: "An answer" });
  const pendingComments = [aComment(blog), aComment(blog), answer];
  for (const comment of pendingComments) await ben.api.comments.create.mutate(comment);
  await ana.api.comments.remove.mutate({ id: pendingComments[0]!.id });
  await ben.api.comments.remove.mutate({ id: pendingComments[1]!.id });
  await ben.api.comments.remove.mutate({ id: parent.id });
  expect(await textsFor(ben, blog.id)).toEqual({
    comments: [],
    pending: ["By a program", "An answer"],
    total: 0,
  });
  await ana.api.comments.approve.mutate({ id: answer.id });
  expect((await ben.api.comments.list.query({ blogId: blog.id })).comments).toMatchObject([
    { id: answer.id, parentId: null, rootId: answer.id },
  ]);
  for (let remaining = limits.pendingComments.ofOne - 1; remaining > 0; remaining--)
    await ben.api.comments.create.mutate(aComment(blog));
  const { code, message } = await refusal(ben.api.comments.create.mutate(aComment(blog)));
  expect([code, message]).toEqual(["CONFLICT", expect.stringContaining("waiting for approval here")]);
  // Pending comments stay pending when comments open to everyone.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "everyone" });
  expect((await textsFor(ana, blog.id)).pending).toHaveLength(limits.pendingComments.ofOne);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await textsFor(ana, blog.id)).pending).toEqual([]);
});

test("leaves blocked people out of the queue's limit, and deletes a deleted account's pending comments", async () => {
  const { testSite, ana, ben, eve, blog } = await createBlogWithPeople();
  await requireApproval(ana, blog.id);
  await ben.api.comments.create.mutate(aComment(blog));
  const { ofBlog } = limits.pendingComments;
  await testSite.write(async (tx) => {
    for (let remaining = ofBlog; remaining > 0; remaining--)
      await insertPending(tx, {
        id: newId(),
        blogId: blog.id,
        authorId: ben.me.id,
        text: "Buy this.",
        createdAt: 1,
      });
  });
  await expectRefusal(eve.api.comments.create.mutate(aComment(blog)), "CONFLICT");
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await eve.api.comments.create.mutate(aComment(blog, { text: "Here I am" }));
  const anaStream = followTopics(
    ana,
    ["me"],
    (await ana.api.comments.list.query({ blogId: blog.id })).cursor,
  );
  await eve.api.users.remove.mutate({ password });
  await anaStream.waitFor("viewer.pendingChanged");
  await until(async () => (await textsFor(ana, blog.id)).pending.length === 0, "it is gone");
});

test("lists the pinned comment whatever its page, replaces it by the next, and sends the change to open pages", async () => {
  const { testSite, ana, ben, eve, blog } = await createBlogWithPeople();
  const old = aComment(blog, { text: "The oldest" });
  await ben.api.comments.create.mutate(old);
  const reply = aComment(blog, { parentId: old.id });
  await ben.api.comments.create.mutate(reply);
  for (let remaining = limits.page.comments + 2; remaining > 0; remaining--)
    await eve.api.comments.create.mutate(aComment(blog));
  const pinnedIds = async (who: Pick<SignedInBrowser, "api">) =>
    (await who.api.comments.list.query({ blogId: blog.id })).comments
      .filter(({ mark }) => mark === "pinned")
      .map(({ id }) => id);
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const stream = followBlog(eve, blog.id, cursor);
  await stream.waitForStart();
  await ana.api.comments.mark.mutate({ id: old.id, mark: "pinned" });
  expect(await pinnedIds(eve)).toEqual([old.id]);
  expect(await pinnedIds(testSite.browser())).toEqual([old.id]);
  const newest = aComment(blog);
  await ana.api.comments.create.mutate(newest);
  await ana.api.comments.mark.mutate({ id: newest.id, mark: "pinned" });
  await stream.waitFor("comment.marked", 2);
  expect(stream.events("comment.marked").map(({ commentId, mark }) => [commentId, mark])).toEqual([
    [old.id, "pinned"],
    [newest.id, "pinned"],
  ]);
  expect(await pinnedIds(eve)).toEqual([newest.id]);
  await expectRefusal(ana.api.comments.mark.mutate({ id: reply.id, mark: "pinned" }), "BAD_REQUEST");
  await ana.api.comments.mark.mutate({ id: old.id, mark: "pinned" });
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await pinnedIds(eve)).toEqual([]);
});

test("marks a hidden comment for every viewer and keeps its text readable; hiding unpins it", async () => {
  const { testSite, ana, ben, eve, blog } = await createBlogWithPeople();
  const rude = aComment(blog, { text: "Rude words" });
  await ben.api.comments.create.mutate(rude);
  await ana.api.comments.mark.mutate({ id: rude.id, mark: "pinned" });
  await ana.api.comments.mark.mutate({ id: rude.id, mark: "hidden" });
  expect((await ana.api.social.notifications.query()).notifications).toMatchObject([
    { kind: "comment", excerpt: null },
  ]);
  for (const who of [ana, ben, eve, testSite.browser()])
    expect((await who.api.comments.list.query({ blogId: blog.id })).comments).toMatchObject([
      { id: rude.id, text: rude.text, mark: "hidden" },
    ]);
  await expectRefusal(ben.api.comments.mark.mutate({ id: rude.id, mark: null }), "FORBIDDEN");
  await ana.api.comments.mark.mutate({ id: rude.id, mark: null });
  expect((await eve.api.comments.list.query({ blogId: blog.id })).comments[0]).not.toHaveProperty("mark");
});
