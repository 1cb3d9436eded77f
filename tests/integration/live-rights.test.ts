import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../src/server/database/schema/users.ts";
import { blogTopic } from "../../src/server/live/stored-events.ts";
import { rightsTopic } from "../../src/server/live/signals.ts";
import type { TopicName } from "../../src/shared/live.ts";
import {
  aBlog,
  aComment,
  followTopics,
  listen,
  password,
  startTown,
  until,
  watch,
  type Resident,
  type Town,
} from "../support/town.ts";

/** Makes somebody a follower: of a private account by asking and being let in. */
async function makeFollower(follower: Resident, author: Resident) {
  const { status } = await follower.api.social.follow.mutate({ userId: author.me.id, follow: true });
  if (status === "requested")
    await author.api.social.handleRequest.mutate({ requesterId: follower.me.id, action: "accept" });
}

/** Ana's blog, read by Fay who follows her, Eve who does not, and a guest. Whoever may not read it hears `gone` first of all. */
async function circle(town: Town, blog: Record<string, unknown> = {}) {
  const [ana, fay, eve] = await Promise.all([
    town.resident("Ana"),
    town.resident("Fay"),
    town.resident("Eve"),
  ]);
  await makeFollower(fay, ana);
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog(blog));
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  const heard = {
    ana: watch(ana, id, cursor),
    fay: watch(fay, id, cursor),
    eve: watch(eve, id, cursor),
    guest: watch(town.browser(), id, cursor),
  };
  await Promise.all(Object.values(heard).map((stream) => stream.live()));
  const say = (text: string) => ana.api.comments.create.mutate(aComment({ id }, { text }));
  return { ana, fay, id, heard, say };
}

test("a deleted blog is gone from every page, its author's too", async () => {
  await using town = await startTown();
  const { ana, id, heard } = await circle(town);
  await ana.api.blogs.remove.mutate({ id });
  await Promise.all(Object.values(heard).map((stream) => stream.heard("accessLost")));
  for (const stream of Object.values(heard)) expect(stream.kinds()).toEqual(["accessLost"]);
});

test("a follower who leaves by themself hears nothing more of a private blog", async () => {
  await using town = await startTown();
  const { ana, fay, heard, say } = await circle(town, { private: true });
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: false });
  await heard.fay.heard("accessLost");
  await say("to herself");
  await heard.ana.heard("comment.created");
  expect(heard.fay.kinds()).toEqual(["accessLost"]);
});

test("an account that is deleted takes its blogs from every page", async () => {
  await using town = await startTown();
  const { ana, heard } = await circle(town);
  await ana.api.users.remove.mutate({ password });
  await Promise.all([
    heard.fay.heard("accessLost"),
    heard.eve.heard("accessLost"),
    heard.guest.heard("accessLost"),
  ]);
  expect([heard.fay.kinds(), heard.eve.kinds(), heard.guest.kinds()]).toEqual([
    ["accessLost"],
    ["accessLost"],
    ["accessLost"],
  ]);
});

test("a comment that is stored together with the loss of the right to it never reaches those who lost it", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blogs = await Promise.all([
    ana.api.blogs.create.mutate(aBlog()),
    ana.api.blogs.create.mutate(aBlog()),
  ]);
  // More readers than are woken in one turn, and the right is the last thing that the commit tells of.
  const crowd = Array.from({ length: 120 }, () => town.browser());
  const topics = blogs.map(({ id }): TopicName => `blog:${id}`);
  const heard = crowd.map((browser) => followTopics(browser, topics));
  await Promise.all(heard.map((stream) => stream.live()));
  const texts = await Promise.all([
    ...blogs.map((blog) => ana.api.comments.create.mutate(aComment(blog, { text: "for all" }))),
    town.write(async (tx) => {
      tx.drizzle.update(users).set({ private: true }).where(eq(users.id, ana.me.id)).run();
      for (const blog of blogs) await tx.emit(blogTopic(blog.id), { kind: "blog.edited" });
      tx.signal(rightsTopic(ana.me.id));
    }),
  ]);
  expect(texts).toHaveLength(3);
  for (const blog of blogs) await ana.api.comments.create.mutate(aComment(blog, { text: "for followers" }));
  await Promise.all(heard.map((stream) => stream.heard("accessLost", 2)));
  for (const stream of heard) {
    expect(stream.kinds().slice(-2)).toEqual(["blog accessLost", "blog accessLost"]);
    expect(stream.events("blog.edited")).toEqual([]);
    expect(JSON.stringify(stream.frames)).not.toContain("for followers");
  }
});

test("who was never allowed hears that it is gone, and nothing of what it was", async () => {
  await using town = await startTown();
  const { id, ana, say } = await circle(town, { draft: true });
  const early = watch(town.browser(), id, undefined);
  const never = watch(town.browser(), "018f0000-0000-7000-8000-000000000000", undefined);
  await Promise.all([early.heard("accessLost"), never.heard("accessLost")]);
  expect(early.kinds()).toEqual(never.kinds());
  await ana.api.blogs.update.mutate({ id, draft: false });
  await say("published");
  const published = watch(town.browser(), id, undefined);
  await published.live();
  await say("heard");
  await published.heard("comment.created");
  await early.heard("comment.created");
  expect([early.kinds().slice(0, 2), never.kinds()]).toEqual([
    ["accessLost", "accessRestored"],
    ["accessLost"],
  ]);
});

/** What the feed said of blogs: which came and which went. */
const comings = (heard: Pick<ReturnType<typeof listen>, "told">) =>
  heard.told().flatMap(({ event }) => ("blogId" in event ? [[event.kind, event.blogId]] : []));

test("the feed tells of public blogs of public accounts alone", async () => {
  await using town = await startTown();
  const [ana, zoe] = await Promise.all([town.resident("Ana"), town.resident("Zoe")]);
  await zoe.api.users.updateSettings.mutate({ private: true });
  const { cursor } = await town.browser().api.blogs.list.query({});
  const heard = listen(town.browser(), "feed", cursor);
  await heard.live();
  await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await ana.api.blogs.create.mutate(aBlog({ private: true }));
  await zoe.api.blogs.create.mutate(aBlog());
  const open = await ana.api.blogs.create.mutate(aBlog());
  const hidden = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.update.mutate({ id: hidden.id, private: true });
  const removed = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.remove.mutate({ id: removed.id });
  await heard.heard("blog.gone", 2);
  expect(comings(heard)).toEqual([
    ["blog.published", open.id],
    ["blog.published", hidden.id],
    ["blog.gone", hidden.id],
    ["blog.published", removed.id],
    ["blog.gone", removed.id],
  ]);
  await ana.api.users.updateSettings.mutate({ private: true });
  await heard.heard("feed.changed");
});

test("the feed tells of blogs for followers those who follow then, and their author", async () => {
  await using town = await startTown();
  const [ana, fay, eve] = await Promise.all(["Ana", "Fay", "Eve"].map((name) => town.resident(name)));
  if (!ana || !fay || !eve) throw new Error("Nobody came.");
  await ana.api.users.updateSettings.mutate({ private: true });
  await makeFollower(fay, ana);
  const { cursor } = await fay.api.blogs.list.query({});
  const feeds = [ana, fay, eve, town.browser()].map((who) => listen(who, "feed", cursor));
  await Promise.all(feeds.map((feed) => feed.live()));
  const of = (feed: number) => comings(feeds[feed]!);

  const first = await ana.api.blogs.create.mutate(aBlog());
  const second = await ana.api.blogs.create.mutate(aBlog({ draft: true }));
  await ana.api.blogs.update.mutate({ id: second.id, draft: false, private: true });
  await ana.api.blogs.update.mutate({ id: second.id, private: false });
  await ana.api.blogs.remove.mutate({ id: first.id });
  await ana.api.blogs.update.mutate({ id: second.id, draft: true });
  const sentinel = await eve.api.blogs.create.mutate(aBlog());
  await Promise.all(feeds.map((feed) => until(() => comings(feed).at(-1)?.[1] === sentinel.id)));
  const told = [
    ["blog.published", first.id],
    ["blog.published", second.id],
    ["blog.gone", first.id],
    ["blog.gone", second.id],
    ["blog.published", sentinel.id],
  ];
  expect([of(0), of(1)]).toEqual([told, told]);
  expect([of(2), of(3)]).toEqual([told.slice(-1), told.slice(-1)]);
  expect(JSON.stringify(feeds.slice(2).map(({ frames }) => frames))).not.toContain(ana.me.id);

  await ana.api.social.removeFollower.mutate({ userId: fay.me.id });
  await ana.api.blogs.update.mutate({ id: second.id, draft: false });
  const last = await eve.api.blogs.create.mutate(aBlog());
  await until(() => of(1).at(-1)?.[1] === last.id);
  expect(of(1)).toEqual([...told, ["blog.published", last.id]]);
});

test("lists are told to ask again when an account goes, also one whose blogs were never in the feed", async () => {
  await using town = await startTown();
  const zoe = await town.resident("Zoe");
  const { cursor } = await town.browser().api.users.profile.query({ username: zoe.me.username });
  const found = await town.browser().api.blogs.search.query({ query: "Zoe" });
  expect(found.cursor).toBe(cursor);
  const heard = listen(town.browser(), "feed", cursor);
  await heard.live();
  await zoe.api.users.remove.mutate({ password });
  await heard.heard("person.gone");
});

test("a person's own stream is theirs alone, in all their tabs", async () => {
  await using town = await startTown();
  const [ana, eve] = await Promise.all([town.resident("Ana"), town.resident("Eve")]);
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const secondTab = town.browser(eve.cookie);
  const tabs = [listen(eve, "me"), listen(secondTab, "me")];
  const anas = listen(ana, "me");
  const guests = listen(town.browser(), "me");
  await Promise.all([...tabs, anas].map((stream) => stream.live()));
  await until(() => guests.state.error);
  expect(guests.state.error).toMatchObject({ data: { code: "UNAUTHORIZED" } });

  await eve.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await Promise.all(tabs.map((tab) => tab.heard("viewer.follow")));
  await anas.heard("follower.changed");
  for (const tab of tabs) expect(tab.kinds()).toEqual(["viewer.save", "viewer.like", "viewer.follow"]);
  // The like is one more that the blogs of Ana have.
  expect(anas.kinds()).toEqual([
    "viewer.countsChanged",
    "notification.created",
    "follower.changed",
    "notification.created",
  ]);
});
