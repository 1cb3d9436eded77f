import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { NewBlog } from "../../src/shared/blogs.ts";
import { pagesOf } from "../../src/shared/feed.ts";
import { statements as followingStatements } from "../../src/server/blogs/following-queries.ts";
import { createBlog } from "../../src/server/blogs/service.ts";
import { statements as showcaseStatements } from "../../src/server/blogs/showcase-queries.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { aBlog, aComment, refusal, startTown, type Resident, type Town } from "../support/town.ts";

const hour = 60 * 60 * 1000;
const began = Date.now() - 1_000 * hour;

/** A blog of somebody's that was published so many hours after the beginning. */
const write = async (town: Town, by: Resident, title: string, at: number, change = {}) =>
  createBlog(
    actingAs(town.app.parts, by.me),
    NewBlog.parse(aBlog({ title, description: "", tags: [], ...change })),
    { publishedAt: began + at * hour },
  );
const titles = ({ blogs }: { blogs: { title: string }[] }) => blogs.map(({ title }) => title);
const following = async (who: Resident, page = 1) => who.api.blogs.following.query({ page });
const some = async (town: Town, ...names: string[]) => Promise.all(names.map((name) => town.resident(name)));

test("Following has what those publish whom one follows, in the order of its time, page by page", async () => {
  await using town = await startTown();
  const [ana, ben, cem, eve] = (await some(town, "Ana", "Ben", "Cem", "Eve")) as [Resident, ...Resident[]] &
    Resident[];
  for (const other of [ana, ben!]) await eve!.api.social.follow.mutate({ userId: other.me.id, follow: true });
  expect(await following(eve!)).toMatchObject({ blogs: [], hasMore: false, pages: { count: 1 } });
  // Of one author more in a row than are read of them at a time, and some of one time.
  const all: string[] = [];
  for (let at = 0; at < 30; at++) {
    const by = at < 14 ? ana : [ana, ben!][at % 2]!;
    await write(town, by, `${at}`, at);
    all.unshift(`${at}`);
  }
  await write(town, cem!, "Of somebody else", 31);
  await write(town, eve!, "Her own", 32);
  await write(town, ana, "Not yet", 33, { draft: true });
  const read: string[] = [];
  for (let page = 1; page <= 8; page++) {
    const list = await following(eve!, page);
    expect(list).toMatchObject({ page, hasMore: page < 8, pages: { count: 8 } });
    read.push(...titles(list));
  }
  expect(read).toEqual(all);
  expect(await following(eve!, 9)).toMatchObject({ blogs: [], hasMore: false });
  expect(await following(eve!, 10_000)).toMatchObject({ blogs: [], hasMore: false });
  for (let at = 40; at < 46; at++) await write(town, [ana, ben!][at % 2]!, `At once ${at}`, 40);
  const twice = [...titles(await following(eve!)), ...titles(await following(eve!, 2))];
  expect(new Set(twice).size).toBe(8);
  expect((await refusal(town.browser().api.blogs.following.query({}))).code).toBe("UNAUTHORIZED");
});

test("Following has what is for followers, and leaves out whom one muted, blocked or may not read any more", async () => {
  await using town = await startTown();
  const [ana, eve] = (await some(town, "Ana", "Eve")) as [Resident, Resident];
  await ana.api.users.updateSettings.mutate({ private: true });
  await write(town, ana, "Of a private account", 1, { tags: ["owls"] });
  await write(town, ana, "For followers", 2, { private: true });
  const both = ["For followers", "Of a private account"];
  const seen = async () => {
    const { blogs, pages } = await following(eve);
    expect(pages).toEqual({ count: 1 });
    return titles({ blogs });
  };
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  expect(await seen(), "a request that waits").toEqual([]);
  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  expect(await seen()).toEqual(both);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["#owls"] });
  expect(await seen(), "a muted tag").toEqual(["For followers"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: [] });
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await seen(), "muted").toEqual([]);
  await eve.api.social.mute.mutate({ userId: ana.me.id, muted: false });
  expect(await seen()).toEqual(both);
  await ana.api.social.removeFollower.mutate({ userId: eve.me.id });
  expect(await seen(), "dropped").toEqual([]);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.handleRequest.mutate({ requesterId: eve.me.id, action: "accept" });
  expect(await seen()).toEqual(both);
  await ana.api.social.block.mutate({ userId: eve.me.id, blocked: true });
  expect(await seen(), "blocked").toEqual([]);
});

test("the feed and a tag say how many pages there are for their reader", async () => {
  await using town = await startTown();
  const [ana, ben, eve] = (await some(town, "Ana", "Ben", "Eve")) as [Resident, Resident, Resident];
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const guest = town.browser();
  const pages = async ({ api }: Pick<Resident, "api">, sort: "latest" | "likes" = "latest") =>
    (await api.blogs.list.query({ sort })).pages;
  expect(await pages(guest)).toEqual({ count: 1 });
  for (let at = 0; at < 8; at++) await write(town, ana, `${at}`, at, { tags: ["owls"] });
  await write(town, ana, "For followers", 9, { private: true });
  expect([await pages(guest), await pages(guest, "likes"), await pages(eve)]).toEqual([
    { count: 2 },
    { count: 2 },
    { count: 3 },
  ]);
  const owls = await guest.api.blogs.byTag.query({ tag: "owls" });
  expect(owls).toMatchObject({ count: 8, pages: { count: 2 } });
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await pages(ben)).toEqual({ count: 1 });
  expect([pagesOf(1_000, 1_000), pagesOf(1_001, 1_000)]).toEqual([
    { count: 250 },
    { count: 250, more: true },
  ]);
});

test("topics in use are the tags of several newest blogs that everybody may read, those of most people first", async () => {
  await using town = await startTown();
  const [ana, ben, eve] = (await some(town, "Ana", "Ben", "Eve")) as [Resident, Resident, Resident];
  const guest = town.browser();
  const inUse = async ({ api }: Pick<Resident, "api">) => (await api.blogs.topicsInUse.query()).tags;
  expect(await inUse(guest)).toEqual([]);
  for (let at = 0; at < 3; at++) await write(town, ana, `Bread ${at}`, at, { tags: ["bread", "css"] });
  for (const [at, by] of [ana, ben].entries())
    await write(town, by, "Owls", 5 + at, { tags: ["owls", "css"] });
  await write(town, ben, "Alone", 8, { tags: ["alone"] });
  for (const by of [ana, ben]) await write(town, by, "Hidden", 9, { tags: ["secret"], private: true });
  for (const by of [ana, ben]) await write(town, by, "Unfinished", 10, { tags: ["unfinished"], draft: true });
  // What always stands there is not said twice.
  expect(await inUse(guest)).toEqual(["owls", "bread"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["owls"] });
  expect(await inUse(eve)).toEqual(["bread"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  expect(await inUse(guest), "of an account that closed").toEqual([]);
});

test("a page that is kept for guests has the topics in use of now, whichever blogs they stand on", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const old: string[] = [];
  for (let at = 0; at < 7; at++) old.push((await write(town, ana, `Blog ${at}`, at)).id);
  const home = async () => (await fetch(`${town.url}/home`)).text();
  expect(await home()).not.toContain("#owls");
  // They stand on the second page.
  for (const id of old.slice(0, 2)) await ana.api.blogs.update.mutate({ id, tags: ["owls"] });
  expect(await home()).toContain("#owls");
});

test("guests are shown what is liked of late with its newest comments, of different people, and nothing where there is nothing", async () => {
  await using town = await startTown();
  const [ana, ben, cem, eve] = (await some(town, "Ana", "Ben", "Cem", "Eve")) as [
    Resident,
    Resident,
    Resident,
    Resident,
  ];
  const guest = town.browser();
  const shown = async () => guest.api.blogs.showcase.query();
  expect(await shown()).toMatchObject({ blogs: [], comments: [] });
  const hidden = await write(town, ana, "For followers", 1, { private: true });
  const liked = await write(town, ana, "Liked most", 2);
  const talked = await write(town, ana, "Talked about", 3);
  for (const by of [ana, ben, cem, eve, ana]) await write(town, by, `Of ${by.me.name}`, 4);
  for (const who of [ben, cem, eve]) await who.api.social.likeBlog.mutate({ blogId: liked.id, liked: true });
  await ben.api.social.likeBlog.mutate({ blogId: talked.id, liked: true });
  for (const text of ["One", "Two", "Three", "Four"])
    await ben.api.comments.create.mutate(aComment(talked, { text }));
  const { blogs, comments } = await shown();
  expect(blogs[0]?.title).toBe("Talked about");
  expect(blogs).toHaveLength(5);
  expect(blogs.map(({ id }) => id)).not.toContain(hidden.id);
  expect(new Set(blogs.map(({ id }) => id)).size).toBe(5);
  expect(comments.map(({ text }) => text)).toEqual(["Four", "Three", "Two"]);
  await ana.api.comments.mark.mutate({ id: comments[0]!.id, mark: "hidden" });
  await ben.api.comments.remove.mutate({ id: comments[1]!.id });
  expect((await shown()).comments.map(({ text }) => text)).toEqual(["Two", "One"]);
  await ana.api.users.updateSettings.mutate({ private: true });
  const left = await shown();
  expect(left.blogs.map(({ author }) => author.name)).not.toContain(ana.me.name);
  expect(left).toMatchObject({ comments: [] });
});

test("authors, their blogs and what is new are looked for in indexes alone", async () => {
  await using town = await startTown();
  const { read } = town.app.parts.database;
  const sqlite = (read.drizzle as unknown as { $client: Sqlite.Database }).$client;
  const prepare = sqlite.prepare.bind(sqlite);
  const said: string[] = [];
  sqlite.prepare = (source: string) => {
    said.push(source);
    return prepare(source);
  };
  const all = { ...followingStatements, ...showcaseStatements };
  for (const make of Object.values(all)) make(read);
  expect(said).toHaveLength(Object.keys(all).length);
  const stepsOf = (words: string): string => {
    const source = said.find((one) => one.includes(words)) ?? "";
    const parameters = Array.from({ length: source.split("?").length - 1 }, () => null);
    const steps = prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
    return steps.map(({ detail }) => detail).join("\n");
  };
  // Of no author and of no blog more is read than stands in an index, but for the few whose tags or likes are asked for.
  expect(stepsOf("followed_newest")).toMatch(/SEARCH follows USING (COVERING )?INDEX/);
  expect(stepsOf("followed_newest")).toMatch(/SEARCH own USING COVERING INDEX blogs_written/);
  expect(stepsOf("(blogs.published_at, blogs.id) <=")).toMatch(
    /^SEARCH blogs USING COVERING INDEX blogs_written \(author_id=\? AND \(published_at,id\)<\(\?,\?\)\)$/,
  );
  for (const words of ["comments_count", "how_many"]) {
    expect(stepsOf(words)).toMatch(/SEARCH blogs USING COVERING INDEX blogs_latest/);
    expect(stepsOf(words)).not.toMatch(/^SCAN (blogs|blog_tags)/m);
  }
});
