import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import type { Further } from "../../src/shared/further.ts";
import { NewBlog } from "../../src/shared/blogs.ts";
import { candidates } from "../../src/server/blogs/further-queries.ts";
import { createBlog } from "../../src/server/blogs/service.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { aBlog, startTown, type Resident, type Town } from "../support/town.ts";

const day = 24 * 60 * 60 * 1000;
const titles = ({ blogs }: Further, ...places: string[]) =>
  blogs.filter(({ place }) => places.includes(place)).map(({ title }) => title);

/** A blog of somebody's that is so many days old. */
const write = async (town: Town, by: Resident, title: string, age: number, change = {}) =>
  createBlog(
    actingAs(town.app.parts, by.me),
    NewBlog.parse(aBlog({ title, description: "", tags: [], ...change })),
    { publishedAt: Date.now() - age * day },
  );

test("before and after a blog stands what its author published then, as far as its reader may read that", async () => {
  await using town = await startTown();
  const [ana, ben, eve] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Eve"),
  ];
  await write(town, ana, "Five days ago", 5);
  await write(town, ana, "For followers", 4, { private: true });
  const { id } = await write(town, ana, "Three days ago", 3);
  await write(town, ana, "A draft", 2, { draft: true });
  await write(town, ana, "One day ago", 1);
  await write(town, ana, "Today", 0);
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  const seen = async ({ api }: Pick<Resident, "api">) => {
    const further = await api.blogs.further.query({ id });
    return [...titles(further, "previous"), "|", ...titles(further, "next")];
  };
  expect(await seen(town.browser())).toEqual(["Five days ago", "|", "One day ago"]);
  expect(await seen(ben)).toEqual(["Five days ago", "|", "One day ago"]);
  expect(await seen(eve)).toEqual(["For followers", "|", "One day ago"]);
  expect(await seen(ana)).toEqual(["For followers", "|", "One day ago"]);
  await ben.api.social.mute.mutate({ userId: ana.me.id, muted: true });
  expect(await seen(ben)).toEqual(["|"]);
});

test("related is what shares a rare tag, a word of the title or those who like it, and of each author one first", async () => {
  await using town = await startTown();
  const [ana, ben, cleo, dan, eve] = await Promise.all(
    ["Ana", "Ben", "Cleo", "Dan", "Eve"].map((name) => town.resident(name)),
  );
  if (!ana || !ben || !cleo || !dan || !eve) throw new Error("nobody");
  const { id } = await write(town, ana, "Lighthouses of the north", 9, { tags: ["life", "lighthouse"] });
  await write(town, ben, "On tending a lamp", 200, { tags: ["lighthouse"] });
  await write(town, ben, "The second lamp", 300, { tags: ["lighthouse"] });
  await write(town, cleo, "My lighthouses", 210);
  const liked = await write(town, dan, "Bread", 220);
  // What everybody writes about, and nothing else: new as it is it comes later.
  for (let count = 0; count < 12; count++)
    await write(town, eve, `A day ${count}`, 1, count % 2 ? { tags: ["life"] } : {});
  for (const { api } of [cleo, eve])
    for (const blogId of [id, liked.id]) await api.social.likeBlog.mutate({ blogId, liked: true });
  const guest = town.browser();
  const related = async (api: Resident["api"], without: string[] = []) =>
    titles(await api.blogs.further.query({ id, without }), "related");
  expect((await related(guest.api)).toSorted()).toEqual(["Bread", "My lighthouses", "On tending a lamp"]);
  // What was just read, what one likes and what one wrote gives its place to the next.
  expect(await related(guest.api, [liked.id])).not.toContain("Bread");
  expect(await related(guest.api, [liked.id])).toHaveLength(3);
  expect(await related(eve.api)).not.toContain("Bread");
  expect(await related(dan.api)).not.toContain("Bread");
  // Who hides what they like says nothing by it.
  await cleo.api.users.updateSettings.mutate({ showLikedBlogs: false });
  await eve.api.users.updateSettings.mutate({ showLikedBlogs: false });
  await ana.api.blogs.update.mutate({ id, description: "Anew." });
  await expect.poll(async () => (await related(guest.api)).includes("Bread")).toBe(false);
});

test("nothing related is by somebody blocked or muted, says a muted word or is not for the reader", async () => {
  await using town = await startTown();
  const [ana, ben, cleo, dan, eve] = await Promise.all(
    ["Ana", "Ben", "Cleo", "Dan", "Eve"].map((name) => town.resident(name)),
  );
  if (!ana || !ben || !cleo || !dan || !eve) throw new Error("nobody");
  const tags = ["lighthouse"];
  const { id } = await write(town, ana, "Lamps", 9, { tags });
  await write(town, ben, "By Ben", 8, { tags });
  await write(town, cleo, "By Cleo", 7, { tags });
  await write(town, dan, "For followers of Dan", 6, { tags, private: true });
  const storm = await write(town, dan, "A storm", 5, { tags });
  const related = async () => titles(await eve.api.blogs.further.query({ id }), "related").toSorted();
  expect(await related()).toEqual(["A storm", "By Ben", "By Cleo"]);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect(await related()).toEqual(["A storm", "By Cleo"]);
  await eve.api.social.mute.mutate({ userId: cleo.me.id, muted: true });
  expect(await related()).toEqual(["A storm"]);
  await eve.api.users.updateSettings.mutate({ mutedWords: ["storm"] });
  expect(await related()).toEqual([]);
  await eve.api.users.updateSettings.mutate({ mutedWords: [] });
  expect(await related()).toEqual(["A storm"]);
  // From what is kept of a minute ago, too.
  await dan.api.blogs.update.mutate({ id: storm.id, private: true });
  expect(await related()).toEqual([]);
  await eve.api.social.block.mutate({ userId: ana.me.id, blocked: true });
  await expect(eve.api.blogs.further.query({ id })).rejects.toMatchObject({ data: { code: "NOT_FOUND" } });
});

test("all who write it are named with what they say of themselves, and how the reader stands to each", async () => {
  await using town = await startTown();
  const [ana, ben, eve] = [
    await town.resident("Ana"),
    await town.resident("Ben"),
    await town.resident("Eve"),
  ];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  await eve.api.social.follow.mutate({ userId: ben.me.id, follow: true });
  const { authors } = await eve.api.blogs.further.query({ id });
  expect(authors.map(({ name, follow }) => [name, follow])).toEqual([
    [ana.me.name, "follow"],
    [ben.me.name, "following"],
  ]);
  await eve.api.social.block.mutate({ userId: ben.me.id, blocked: true });
  expect((await eve.api.blogs.further.query({ id })).authors.map(({ name }) => name)).toEqual([ana.me.name]);
});

test("candidates are looked for in indexes alone", async () => {
  await using town = await startTown();
  const { read } = town.app.parts.database;
  const sqlite = (read.drizzle as unknown as { $client: Sqlite.Database }).$client;
  const said: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  sqlite.prepare = (source: string) => {
    said.push(source);
    return prepare(source);
  };
  for (const make of Object.values(candidates)) make(read);
  expect(said).toHaveLength(Object.keys(candidates).length);
  for (const source of said) {
    const parameters = Array.from({ length: source.split("?").length - 1 }, () => null);
    const steps = prepare(`explain query plan ${source}`).all(...parameters) as { detail: string }[];
    for (const { detail } of steps.filter(({ detail: step }) => /blog|likes|users/.test(step)))
      expect(detail).toMatch(
        /USING (COVERING )?INDEX|VIRTUAL TABLE INDEX|^SCAN (some|likers)|^CO-ROUTINE|SUBQUERY/,
      );
    expect(steps.some(({ detail }) => detail.includes("TEMP B-TREE"))).toBe(false);
  }
});
