import { expect, test } from "vitest";
import { limits } from "../../src/shared/limits.ts";
import {
  aBlog,
  aComment,
  listen,
  paragraphs,
  password,
  startTown,
  until,
  type Town,
} from "../support/town.ts";

/** Who listens to `search`, and how often each has heard of blogs since it was last asked. */
async function searchers(town: Town) {
  const [ana, fay, eve] = [
    await town.resident("Ana"),
    await town.resident("Fay"),
    await town.resident("Eve"),
  ];
  await fay.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const { cursor } = await town.browser().api.blogs.list.query({});
  const streams = [ana, fay, eve, town.browser()].map((who) => listen(who, "search", cursor));
  await Promise.all(streams.map((stream) => stream.live()));
  const heard = streams.map(() => 0);
  /** Does it, then something that everybody hears of: what each of them was told before that. */
  const told = async (kind: "search.blogs" | "search.people", act: () => Promise<unknown>) => {
    await act();
    const other = kind === "search.blogs" ? "search.people" : "search.blogs";
    const before = streams.map((stream) => stream.events(other).length);
    if (kind === "search.blogs") await eve.api.users.updateProfile.mutate({ bio: `Bio ${Math.random()}` });
    else await eve.api.blogs.create.mutate(aBlog());
    await until(() => streams.every((stream, at) => stream.events(other).length > before[at]!));
    return streams.map((stream, at) => {
      const now = stream.events(kind).length;
      const fresh = now - heard[at]!;
      heard[at] = now;
      return fresh > 0;
    });
  };
  return { ana, fay, eve, streams, told };
}

const [everybody, circle, nobody] = [
  [true, true, true, true],
  [true, true, false, false],
  [false, false, false, false],
];

test("open searches hear of every blog that is published, edited or gone: of one for followers they and its author", async () => {
  await using town = await startTown();
  const { ana, told } = await searchers(town);
  const blogs = (act: () => Promise<unknown>) => told("search.blogs", act);
  const blog = aBlog({ draft: true });
  expect(await blogs(() => ana.api.blogs.create.mutate(blog))).toEqual(nobody);
  const { id } = blog;
  const update = (change: object) => blogs(() => ana.api.blogs.update.mutate({ id, ...change }));
  expect(await update({ title: "Still nobody's" })).toEqual(nobody);
  expect(await update({ draft: false, private: true })).toEqual(circle);
  expect(await update({ tags: ["owls"] })).toEqual(circle);
  expect(await update({ private: false })).toEqual(everybody);
  expect(await update({ version: 5, document: paragraphs("Of owls.") })).toEqual(everybody);
  expect(await blogs(() => ana.api.users.updateSettings.mutate({ private: true }))).toEqual(everybody);
  expect(await update({ title: "Owls" })).toEqual(circle);
  expect(await blogs(() => ana.api.blogs.remove.mutate({ id }))).toEqual(circle);
});

test("they hear of people who are new, who say something else of themselves, or leave", async () => {
  await using town = await startTown();
  const { ana, streams, told } = await searchers(town);
  const people = (act: () => Promise<unknown>) => told("search.people", act);
  expect(await people(() => town.resident("Nia"))).toEqual(everybody);
  expect(await people(() => ana.api.users.updateProfile.mutate({ bio: "Owls." }))).toEqual(everybody);
  expect(await people(() => ana.api.users.updateProfile.mutate({ pictureId: null }))).toEqual(nobody);
  const gone = await people(() => ana.api.users.remove.mutate({ password }));
  expect(gone.slice(1)).toEqual(everybody.slice(1));
  expect(streams[3]!.events("search.blogs")).not.toEqual([]);
});

test("what is found by the rest of a long text is told of when it has been indexed", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const guest = town.browser();
  const found = async () => (await guest.api.blogs.search.query({ query: "quokka" })).blogs.length;
  const { cursor } = await guest.api.blogs.list.query({});
  const heard = listen(guest, "search", cursor);
  await heard.live();
  const long = [
    ...Array.from({ length: 400 }, () => "Owls, and what one hears of them at night. ".repeat(3)),
    "Quokka.",
  ];
  await ana.api.blogs.create.mutate(aBlog({ document: paragraphs(...long) }));
  await heard.heard("search.blogs", 2);
  expect(await found()).toBe(1);
});

test("a search has a pause that grows with how many searches are open; other pages hear nothing", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { cursor } = await town.browser().api.blogs.list.query({});
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const many = Array.from({ length: 12 }, () => listen(town.browser(), "search", cursor));
  const feed = listen(town.browser(), "feed", cursor);
  await Promise.all([...many, feed].map((stream) => stream.live()));
  await ana.api.blogs.update.mutate({ id, title: "Another" });
  await Promise.all(
    many.map((stream) =>
      until(() => stream.events("search.blogs").at(-1)?.jitterMs === 12 * limits.live.jitter.each),
    ),
  );
  expect(feed.kinds().filter((kind) => kind.includes("search"))).toEqual([]);
});

test("a guest's kept page of the most liked goes with any like", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const ids = [];
  for (let at = 0; at <= limits.page.feed; at++)
    ids.push((await ana.api.blogs.create.mutate(aBlog({ title: `Number ${at}` }))).id);
  const page = async () => (await town.browser().fetch("/home?sort=likes")).text();
  expect(await page()).not.toContain("Number 0");
  await ana.api.social.likeBlog.mutate({ blogId: ids[0]!, liked: true });
  expect(await page()).toContain("Number 0");
});

test("an author hears of every comment and like of their blogs, their own too", async () => {
  await using town = await startTown();
  const [ana, ben] = [await town.resident("Ana"), await town.resident("Ben")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.stats.query();
  const heard = listen(ana, "me", cursor);
  await heard.live();
  const { id } = await ana.api.comments.create.mutate(aComment(blog));
  await heard.heard("viewer.countsChanged", 1);
  await ana.api.comments.remove.mutate({ id });
  await heard.heard("viewer.countsChanged", 2);
  await ben.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await heard.heard("viewer.countsChanged", 3);
  await ben.api.comments.create.mutate(aComment(blog));
  await heard.heard("viewer.countsChanged", 4);
  await ben.api.users.remove.mutate({ password });
  await heard.heard("viewer.countsChanged", 6);
});
