import { expect, test } from "vitest";
import { insertPending } from "../../src/server/comments/pending-queries.ts";
import { newId } from "../../src/server/ids.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient } from "../support/api-client.ts";
import {
  aBlog,
  aComment,
  followTopics,
  password,
  refusal,
  startTown,
  until,
  watch,
  type Resident,
} from "../support/town.ts";

/* What an author does about the talk below their blog: comments wait to be let in, one stands first, others are folded away. */

async function aTalk(town: Awaited<ReturnType<typeof startTown>>) {
  const [ana, ben, eve] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Eve"),
  ];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  return { ana, ben, eve, blog };
}

const approved = (who: Resident, id: string) =>
  who.api.blogs.setCommenters.mutate({ id, commentsFrom: "approved" });
const textsFor = async (who: Pick<Resident, "api">, blogId: string) => {
  const { comments, pending = [], total } = await who.api.comments.list.query({ blogId });
  return { said: comments.map(({ text }) => text), pending: pending.map(({ text }) => text), total };
};

test("a comment waits: its writer and the author of the blog alone know of it until it is let in, everybody after", async () => {
  await using town = await startTown();
  const { ana, ben, eve, blog } = await aTalk(town);
  const first = aComment(blog, { text: "Ana opens the talk" });
  await ana.api.comments.create.mutate(first);
  await approved(ana, blog.id);
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const strangers = watch(eve, blog.id, cursor);
  const [hers, his] = [followTopics(ana, ["me"], cursor), followTopics(ben, ["me"], cursor)];
  await Promise.all([strangers.live(), hers.live(), his.live()]);
  const mine = aComment(blog, { text: `Hello @${eve.me.username}`, parentId: first.id });
  expect(await ben.api.comments.create.mutate(mine)).toMatchObject({ id: mine.id, pending: true });
  // A retry is the same comment, and nobody else can take its id.
  expect(await ben.api.comments.create.mutate(mine)).toMatchObject({ id: mine.id, pending: true });
  expect((await refusal(eve.api.comments.create.mutate(mine))).code).toBe("CONFLICT");
  await Promise.all([hers.heard("viewer.pendingChanged"), his.heard("viewer.pendingChanged")]);
  const waiting = { said: [first.text], pending: [mine.text], total: 1 };
  expect(await textsFor(ana, blog.id)).toEqual(waiting);
  expect(await textsFor(ben, blog.id)).toEqual(waiting);
  const others = { said: [first.text], pending: [], total: 1 };
  expect(await textsFor(eve, blog.id)).toEqual(others);
  expect(await textsFor(town.browser(), blog.id)).toEqual(others);
  const notifications = async (who: Resident) =>
    (await who.api.social.notifications.query()).notifications.map(({ kind }) => kind);
  expect(await notifications(ana)).toEqual(["held"]);
  expect(await notifications(eve)).toEqual([]);
  // Nothing else can be done about it, nor by others.
  for (const call of [
    () => eve.api.comments.approve.mutate({ id: mine.id }),
    () => eve.api.comments.remove.mutate({ id: mine.id }),
    () => ana.api.comments.like.mutate({ id: mine.id, liked: true }),
    () => ana.api.comments.create.mutate(aComment(blog, { parentId: mine.id })),
  ])
    expect((await refusal(call())).code).toBe("NOT_FOUND");
  expect((await refusal(ben.api.comments.approve.mutate({ id: mine.id }))).code).toBe("FORBIDDEN");
  expect(strangers.kinds()).toEqual([]);

  await ana.api.comments.approve.mutate({ id: mine.id });
  await strangers.heard("comment.created");
  expect(strangers.events("comment.created")).toMatchObject([
    { comment: { text: mine.text }, commentsCount: 2 },
  ]);
  expect(await textsFor(eve, blog.id)).toEqual({ said: [first.text, mine.text], pending: [], total: 2 });
  expect(await textsFor(ben, blog.id)).toEqual({ said: [first.text, mine.text], pending: [], total: 2 });
  // The author has read it; whom it names hears of it now.
  expect(await notifications(ana)).toEqual([]);
  expect(await notifications(eve)).toEqual(["mention"]);
  expect((await refusal(ana.api.comments.approve.mutate({ id: mine.id }))).code).toBe("NOT_FOUND");
  expect(await ben.api.comments.create.mutate(mine)).not.toHaveProperty("held");
});

test("it is refused or taken back, outlives what it answers, waits in a bounded queue, and over the API too", async () => {
  await using town = await startTown();
  const { ana, ben, blog } = await aTalk(town);
  const above = aComment(blog);
  await ben.api.comments.create.mutate(above);
  await approved(ana, blog.id);
  const api = await ApiClient.of(town, ben);
  const { status, body } = await api.call("POST", `/blogs/comment/${blog.id}`, { comment: "By a program" });
  expect([status, JSON.stringify(body)]).toEqual([
    200,
    expect.stringContaining("waits for the author’s approval"),
  ]);
  const answer = aComment(blog, { parentId: above.id, text: "An answer" });
  const some = [aComment(blog), aComment(blog), answer];
  for (const one of some) await ben.api.comments.create.mutate(one);
  await ana.api.comments.remove.mutate({ id: some[0]!.id });
  await ben.api.comments.remove.mutate({ id: some[1]!.id });
  await ben.api.comments.remove.mutate({ id: above.id });
  expect(await textsFor(ben, blog.id)).toEqual({
    said: [],
    pending: ["By a program", "An answer"],
    total: 0,
  });
  await ana.api.comments.approve.mutate({ id: answer.id });
  expect((await ben.api.comments.list.query({ blogId: blog.id })).comments).toMatchObject([
    { id: answer.id, parentId: null, rootId: answer.id },
  ]);
  for (let left = limits.pendingComments.ofOne - 1; left > 0; left--)
    await ben.api.comments.create.mutate(aComment(blog));
  const { code, message } = await refusal(ben.api.comments.create.mutate(aComment(blog)));
  expect([code, message]).toEqual(["CONFLICT", expect.stringContaining("waiting for approval here")]);
  // What waited does so when the talk is open again; whoever is blocked is not there any more.
  await ana.api.blogs.setCommenters.mutate({ id: blog.id, commentsFrom: "everyone" });
  expect((await textsFor(ana, blog.id)).pending).toHaveLength(limits.pendingComments.ofOne);
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await textsFor(ana, blog.id)).pending).toEqual([]);
});

test("those whom the author does not see keep nobody out of the queue, and what waits of an account goes with it", async () => {
  await using town = await startTown();
  const { ana, ben, eve, blog } = await aTalk(town);
  await approved(ana, blog.id);
  await ben.api.comments.create.mutate(aComment(blog));
  const { ofBlog } = limits.pendingComments;
  await town.write(async (tx) => {
    for (let left = ofBlog; left > 0; left--)
      await insertPending(tx, {
        id: newId(),
        blogId: blog.id,
        authorId: ben.me.id,
        text: "Buy this.",
        createdAt: 1,
      });
  });
  expect((await refusal(eve.api.comments.create.mutate(aComment(blog)))).code).toBe("CONFLICT");
  await ana.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  await eve.api.comments.create.mutate(aComment(blog, { text: "Here I am" }));
  const hers = followTopics(ana, ["me"], (await ana.api.comments.list.query({ blogId: blog.id })).cursor);
  await eve.api.users.remove.mutate({ password });
  await hers.heard("viewer.pendingChanged");
  await until(async () => (await textsFor(ana, blog.id)).pending.length === 0, "it is gone");
});

test("one comment stands first wherever it is, another takes its place, and pages hear of it", async () => {
  await using town = await startTown();
  const { ana, ben, eve, blog } = await aTalk(town);
  const old = aComment(blog, { text: "The oldest" });
  await ben.api.comments.create.mutate(old);
  const reply = aComment(blog, { parentId: old.id });
  await ben.api.comments.create.mutate(reply);
  for (let left = limits.page.comments + 2; left > 0; left--)
    await eve.api.comments.create.mutate(aComment(blog));
  const first = async (who: Pick<Resident, "api">) =>
    (await who.api.comments.list.query({ blogId: blog.id })).comments
      .filter(({ mark }) => mark === "pinned")
      .map(({ id }) => id);
  const { cursor } = await eve.api.blogs.bySlug.query({ slug: blog.slug });
  const heard = watch(eve, blog.id, cursor);
  await heard.live();
  await ana.api.comments.mark.mutate({ id: old.id, mark: "pinned" });
  expect(await first(eve)).toEqual([old.id]);
  expect(await first(town.browser())).toEqual([old.id]);
  const newest = aComment(blog);
  await ana.api.comments.create.mutate(newest);
  await ana.api.comments.mark.mutate({ id: newest.id, mark: "pinned" });
  await heard.heard("comment.marked", 2);
  expect(heard.events("comment.marked").map(({ commentId, mark }) => [commentId, mark])).toEqual([
    [old.id, "pinned"],
    [newest.id, "pinned"],
  ]);
  expect(await first(eve)).toEqual([newest.id]);
  expect((await refusal(ana.api.comments.mark.mutate({ id: reply.id, mark: "pinned" }))).code).toBe(
    "BAD_REQUEST",
  );
  // Whom one does not see does not stand first either.
  await ana.api.comments.mark.mutate({ id: old.id, mark: "pinned" });
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await first(eve)).toEqual([]);
});

test("a hidden comment is folded away for everybody, who may still look; what was pinned and is hidden stands first no more", async () => {
  await using town = await startTown();
  const { ana, ben, eve, blog } = await aTalk(town);
  const rude = aComment(blog, { text: "Rude words" });
  await ben.api.comments.create.mutate(rude);
  await ana.api.comments.mark.mutate({ id: rude.id, mark: "pinned" });
  await ana.api.comments.mark.mutate({ id: rude.id, mark: "hidden" });
  expect((await ana.api.social.notifications.query()).notifications).toMatchObject([
    { kind: "comment", excerpt: null },
  ]);
  for (const who of [ana, ben, eve, town.browser()])
    expect((await who.api.comments.list.query({ blogId: blog.id })).comments).toMatchObject([
      { id: rude.id, text: rude.text, mark: "hidden" },
    ]);
  expect((await refusal(ben.api.comments.mark.mutate({ id: rude.id, mark: null }))).code).toBe("FORBIDDEN");
  await ana.api.comments.mark.mutate({ id: rude.id, mark: null });
  expect((await eve.api.comments.list.query({ blogId: blog.id })).comments[0]).not.toHaveProperty("mark");
});
