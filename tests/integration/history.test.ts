import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { keepRevision, thinRevisions } from "../../src/server/blogs/revisions.ts";
import { mostWhole } from "../../src/server/blogs/thinning.ts";
import { actingAs } from "../../src/server/commands/parts.ts";
import { importMarkdown } from "../../src/server/imports/import-folder.ts";
import { operator } from "../../src/server/moderation/log.ts";
import { takeDownBlog, undoTakedown } from "../../src/server/moderation/acts.ts";
import { sweepPictures } from "../../src/server/media/service.ts";
import { newId } from "../../src/server/ids.ts";
import { limits } from "../../src/shared/limits.ts";
import { ApiClient, blogForm } from "../support/api-client.ts";
import { folderOf } from "../support/import-folder.ts";
import { paint, upload } from "../support/pictures.ts";
import {
  aBlog,
  followTopics,
  paragraphs,
  password,
  refusal,
  startTown,
  until,
  type Resident,
  type Town,
} from "../support/town.ts";

const [hour, day] = [3_600_000, 86_400_000];
const month = limits.image.unusedFor;

/** Ana, with a blog of hers. */
async function withABlog(town: Town, change: Record<string, unknown> = {}) {
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog(change));
  return { ana, id, slug };
}

const historyOf = async (who: Resident, id: string) =>
  (await who.api.blogs.revisions.query({ id })).revisions;
const whysOf = async (who: Resident, id: string) => (await historyOf(who, id)).map(({ why }) => why);
const count = (town: Town): number => town.rows<{ n: number }>("select count(*) as n from revisions")[0]!.n;

/** Puts the revisions of all blogs so far into the past. */
const age = (town: Town, by: number) =>
  town.write(
    async (tx) => void (await tx.drizzle.run(sql`update revisions set created_at = created_at - ${by}`)),
  );

const showing = (...ids: string[]) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: ids.map((id) => ({ type: "image", attrs: { src: `/media/${id}/full.webp` } })),
    },
  ],
});
const isThere = (town: Town, id: string) =>
  town.rows<{ id: string }>("select id from media").some((row) => row.id === id);

/** What copies of a revision are made of, in this order. */
const columns = sql.raw(
  "id, blog_id, author_id, why, title, description, tags, cover_id, words, draft, created_at, restored_from, document",
);

test("each save of the text or of what stands with it is kept, with who and why, and no other is", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, {
    draft: true,
    title: "Owls",
    document: paragraphs("One two three."),
  });
  const save = (change: Record<string, unknown>) => ana.api.blogs.update.mutate({ id, ...change });
  expect(await whysOf(ana, id)).toEqual(["draft"]);
  // What was there already, and who may read it or find it how, are no other text.
  await save({ title: "Owls" });
  await save({ version: 1, document: paragraphs("One two three.") });
  await save({ private: true });
  await save({ private: false });
  await save({ slug: "owls-at-night", canonicalUrl: "https://example.org/owls", searchTitle: "Owls!" });
  await ana.api.blogs.setCommenters.mutate({ id, commentsFrom: "nobody" });
  expect(await whysOf(ana, id)).toEqual(["draft"]);
  await save({ draft: false });
  await save({ draft: true });
  await save({ draft: false, title: "Owls, heard" });
  expect(await whysOf(ana, id)).toEqual(["published", "published", "draft"]);
  const cover = await upload(ana, await paint());
  const { version } = await ana.api.blogs.forEdit.query({ slug: "owls-at-night" });
  for (const change of [
    { description: "What one sees." },
    { tags: ["birds"] },
    { coverId: cover.id },
    { version: version + 3, document: paragraphs("One two three.", "Four.") },
  ])
    await save(change);
  const revisions = await historyOf(ana, id);
  expect(revisions.map(({ why }) => why)).toEqual([
    ...Array.from({ length: 4 }, () => "updated"),
    "published",
    "published",
    "draft",
  ]);
  expect(revisions[0]).toMatchObject({
    title: "Owls, heard",
    words: 4,
    change: 1,
    previous: revisions[1]!.id,
    draft: false,
    restored: null,
    author: { id: ana.me.id, name: "Ana" },
  });
  expect(revisions.at(-1)).toMatchObject({
    title: "Owls",
    words: 3,
    change: null,
    previous: null,
    draft: true,
  });
  expect(JSON.stringify(revisions)).not.toContain("Four");
  const whole = await ana.api.blogs.revision.query({ id, revision: revisions[1]!.id });
  expect(whole).toMatchObject({
    title: "Owls, heard",
    description: "What one sees.",
    tags: ["birds"],
    cover: { id: cover.id },
  });
  expect(JSON.stringify(whole.document)).toContain("One two three.");
  expect(JSON.stringify(whole.document)).not.toContain("Four.");
});

test("a save that is refused or sent again makes none, and moderators make none", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town);
  const change = { id, version: 1, title: "Later", document: paragraphs("Later.") };
  await ana.api.blogs.update.mutate(change);
  await ana.api.blogs.update.mutate(change);
  await refusal(ana.api.blogs.update.mutate({ ...change, title: "Too late" }));
  await refusal(ana.api.blogs.update.mutate({ id, coverId: newId() }));
  await town.write((tx) => takeDownBlog(tx, operator, id, "Spam."));
  await refusal(ana.api.blogs.update.mutate({ id, title: "Hidden", draft: false }));
  await town.write((tx) => undoTakedown(tx, operator, id));
  expect(await whysOf(ana, id)).toEqual(["updated", "published"]);
});

test("of a blog that is older than its history the first change keeps what it said before, dated by then", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { title: "Before", document: paragraphs("Words of before.") });
  await ana.api.blogs.update.mutate({ id, private: true });
  const savedAt = Date.now() - 400 * day;
  await town.write(async (tx) => {
    await tx.drizzle.run(sql`delete from revisions`);
    await tx.drizzle.run(
      sql`update blogs set created_at = ${savedAt - day}, published_at = ${savedAt - hour}, edited_at = ${savedAt}`,
    );
  });
  expect(await historyOf(ana, id)).toEqual([]);
  await ana.api.blogs.update.mutate({ id, version: 2, document: paragraphs("Words.") });
  await ana.api.blogs.update.mutate({ id, title: "After" });
  const revisions = await historyOf(ana, id);
  expect(revisions.map(({ why, title, words, change }) => [why, title, words, change])).toEqual([
    ["updated", "After", 1, 0],
    ["updated", "Before", 1, -2],
    ["before", "Before", 3, null],
  ]);
  expect(revisions.at(-1)!.createdAt).toBe(new Date(savedAt).toISOString());
  const first = await ana.api.blogs.revision.query({ id, revision: revisions.at(-1)!.id });
  expect(JSON.stringify(first.document)).toContain("Words of before.");
});

test("programs and imports say why in their own words", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const client = await ApiClient.of(town, ana);
  const { body } = await client.call("POST", "/blogs", blogForm({ draft: "true" }));
  const id = body.blog._id as string;
  await client.call("PATCH", `/blogs/${id}`, { title: "By a program" });
  await client.call("PATCH", `/blogs/${id}`, { draft: false });
  await client.call("PATCH", `/blogs/${id}`, { content: "<p>Again.</p>" });
  // Told by a field that their clients have not.
  expect((await client.call("PATCH", `/blogs/${id}`, { restores: newId() })).status).toBe(400);
  expect(await whysOf(ana, id)).toEqual(["api", "published", "api", "draft"]);

  const text = (words: string) => `---\ntitle: Moved in\ndate: 2020-02-03\n---\n${words}\n`;
  await using source = await folderOf({ "a.md": text("Words.") });
  const ctx = actingAs(town.app.parts, { id: ana.me.id });
  await importMarkdown(ctx, source.folder);
  await source.put("a.md", text("Other words."));
  await importMarkdown(ctx, source.folder, { again: true });
  const blog = (await ana.api.blogs.mine.query({})).blogs.find(({ title }) => title === "Moved in")!;
  expect(await whysOf(ana, blog.id)).toEqual(["imported", "imported"]);
  // Kept as of when it came in, whenever it was written.
  expect((await historyOf(ana, blog.id))[0]!.createdAt.slice(0, 4)).not.toBe("2020");
});

test("a save says which revision it takes up again: one of that blog's, and nothing is lost by it", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { title: "First" });
  const other = await ana.api.blogs.create.mutate(aBlog());
  await ana.api.blogs.update.mutate({ id, title: "Second" });
  const [, first] = await historyOf(ana, id);
  const [ofOther] = await historyOf(ana, other.id);
  for (const restores of [ofOther!.id, newId()])
    expect(await refusal(ana.api.blogs.update.mutate({ id, title: "First", restores }))).toMatchObject({
      code: "BAD_REQUEST",
      field: "restores",
    });
  await ana.api.blogs.update.mutate({ id, title: "First", restores: first!.id });
  expect((await historyOf(ana, id)).map(({ why, title, restored }) => [why, title, restored])).toEqual([
    ["restored", "First", first!.createdAt],
    ["updated", "Second", null],
    ["published", "First", null],
  ]);
  // What it takes up may be kept no longer.
  await town.write(
    async (tx) => void (await tx.drizzle.run(sql`delete from revisions where id = ${first!.id}`)),
  );
  expect((await historyOf(ana, id))[0]).toMatchObject({ why: "restored", restored: null });
  expect(await refusal(ana.api.blogs.revision.query({ id, revision: first!.id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a long history comes in pages, each save once and in its order, those of one millisecond too", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { title: "0" });
  for (let turn = 1; turn <= 40; turn++) await ana.api.blogs.update.mutate({ id, title: `${turn}` });
  const at = Date.now();
  await town.write(async (tx) => {
    for (let turn = 0; turn < 4; turn++) await keepRevision(tx, id, { by: ana.me.id, why: "api", at });
  });
  const shown: string[] = [];
  const sizes: number[] = [];
  let before: { createdAt: string; id: string } | undefined;
  for (;;) {
    const page = await ana.api.blogs.revisions.query({ id, before });
    sizes.push(page.revisions.length);
    shown.push(...page.revisions.map(({ id: one }) => one));
    const last = page.revisions.at(-1)!;
    if (!page.hasMore) {
      expect(last.previous).toBeNull();
      break;
    }
    before = { createdAt: last.createdAt, id: last.id };
    expect(last.previous).not.toBeNull();
  }
  expect(sizes).toEqual([20, 20, 5]);
  const stored = town.rows<{ id: string }>("select id from revisions order by rowid desc");
  expect(shown).toEqual(stored.map((row) => row.id));
  expect(shown).toHaveLength(45);
});

test("another tab of the author hears of it, and nobody else is told anything", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { draft: true });
  const eve = await town.resident("Eve");
  const [own, strange] = [followTopics(ana, ["me"]), followTopics(eve, ["me", "feed"])];
  await own.live();
  await strange.live();
  await ana.api.blogs.update.mutate({ id, title: "Later" });
  await own.heard("viewer.blogsChanged");
  expect(own.events("viewer.blogsChanged").at(-1)).toMatchObject({ blogId: id });
  const { cursor } = await eve.api.blogs.list.query({});
  town.app.parts.bus.signal([`user:${eve.me.id}`]);
  await strange.at(cursor);
  expect(strange.told()).toEqual([]);
  own.stop();
  strange.stop();
});

test("what is no longer kept goes step by step, the last one and what was published stay", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { draft: true, title: "0" });
  const quiet = await ana.api.blogs.create.mutate(aBlog({ title: "Quiet" }));
  for (let turn = 1; turn < 60; turn++) await ana.api.blogs.update.mutate({ id, title: `${turn}` });
  await ana.api.blogs.update.mutate({ id, draft: false });
  const { database } = town.app.parts;
  await thinRevisions(database, Date.now());
  expect(count(town)).toBe(62);
  // All of one minute, which may be of two hours.
  await age(town, 2 * day);
  await ana.api.blogs.update.mutate({ id, draft: true, title: "Now" });
  await thinRevisions(database, Date.now());
  const left = await historyOf(ana, id);
  expect(left.length).toBeLessThanOrEqual(4);
  expect(left.map(({ why }) => why).slice(0, 2)).toEqual(["draft", "published"]);
  expect(await whysOf(ana, quiet.id)).toEqual(["published"]);
  // Looked at are those that have something new, or of an age: nothing was saved, and nothing has come into one.
  await town.write(async (tx) => {
    for (let turn = 0; turn < 5; turn++)
      await tx.drizzle.run(sql`insert into revisions (${columns})
        select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, 1,
          created_at - ${3 * day + turn}, restored_from, document from revisions order by created_at desc limit 1`);
  });
  const before = count(town);
  await thinRevisions(database, Date.now());
  expect(count(town)).toBe(before);
  await thinRevisions(database, Date.now() + 5 * day);
  expect(count(town)).toBe(before - 4);
});

test("a program that saves again and again leaves no more than is kept of a day", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town);
  await town.write(async (tx) => {
    for (let turn = 0; turn < 3 * mostWhole; turn++)
      await tx.drizzle.run(sql`insert into revisions (${columns})
        select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, draft,
          created_at - ${60_000 + turn * 1_000}, restored_from, document from revisions limit 1`);
  });
  await ana.api.blogs.update.mutate({ id, title: "Once more" });
  // Some go with each save, whatever hour it is.
  expect(count(town)).toBe(1 + 3 * mostWhole + 1 - 40);
  await thinRevisions(town.app.parts.database, Date.now());
  const left = count(town);
  expect(left).toBeGreaterThanOrEqual(mostWhole);
  expect(left).toBeLessThanOrEqual(mostWhole + 2);
  await ana.api.blogs.update.mutate({ id, title: "And again" });
  expect(count(town)).toBe(left + 1);
  expect((await historyOf(ana, id)).length).toBe(20);
});

test("pictures stay as long as a revision shows them, and go a month after the last that did", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const [inText, cover] = [await upload(ana, await paint()), await upload(ana, await paint())];
  const blog = aBlog({ draft: true, document: showing(inText.id), coverId: cover.id });
  await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.update.mutate({
    id: blog.id,
    version: 1,
    document: paragraphs("None."),
    coverId: null,
  });
  const both = () => [isThere(town, inText.id), isThere(town, cover.id)];
  await sweepPictures(town.app.parts, Date.now() + 2 * month);
  expect(both()).toEqual([true, true]);
  expect((await ana.fetch(inText.src)).status).toBe(200);
  const [, first] = await historyOf(ana, blog.id);
  expect(await ana.api.blogs.revision.query({ id: blog.id, revision: first!.id })).toMatchObject({
    cover: { id: cover.id },
  });
  // Nobody else gets to see them by it.
  const eve = await town.resident("Eve");
  for (const { src } of [inText, cover]) expect((await eve.fetch(src)).status).toBe(404);

  // Their revision goes, for one of the same hour stays.
  await town.write(async (tx) => {
    const then = Math.floor((Date.now() - 3 * day) / hour) * hour;
    await tx.drizzle.run(sql`update revisions set created_at = ${then} + (words * 0)`);
    await tx.drizzle.run(sql`update revisions set created_at = created_at + 1 where cover_id is null`);
  });
  await thinRevisions(town.app.parts.database, Date.now());
  expect(await whysOf(ana, blog.id)).toEqual(["draft"]);
  await sweepPictures(town.app.parts, Date.now() + month - 60_000);
  expect(both()).toEqual([true, true]);
  await sweepPictures(town.app.parts, Date.now() + month + 60_000);
  expect(both()).toEqual([false, false]);
});

test("a blog and an account take their history along, however long it is", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town);
  const picture = await upload(ana, await paint());
  await ana.api.blogs.update.mutate({ id, version: 1, document: showing(picture.id) });
  await ana.api.blogs.update.mutate({ id, version: 2, document: paragraphs("None.") });
  const lengthen = () =>
    town.write(async (tx) => {
      for (let turn = 0; turn < 700; turn++)
        await tx.drizzle.run(sql`insert into revisions (${columns})
          select ${newId()}, blog_id, author_id, why, title, description, tags, cover_id, words, draft,
            created_at - ${turn + 1}, restored_from, document from revisions limit 1`);
    });
  await lengthen();
  await ana.api.blogs.remove.mutate({ id });
  await until(() => count(town) === 0, "the end of its history");
  expect(town.rows("select id from blogs")).toEqual([]);
  await sweepPictures(town.app.parts, Date.now() + month - 60_000);
  expect(isThere(town, picture.id)).toBe(true);
  await sweepPictures(town.app.parts, Date.now() + month + 60_000);
  expect(isThere(town, picture.id)).toBe(false);

  await ana.api.blogs.create.mutate(aBlog());
  await lengthen();
  await ana.api.users.remove.mutate({ password });
  await until(() => town.rows("select id from users").length === 0, "the end of the account");
  expect([count(town), town.rows("select id from blogs"), town.rows("select * from revision_media")]).toEqual(
    [0, [], []],
  );
});

test("who saved it may have gone", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town);
  const eve = await town.resident("Eve");
  // As another who writes along would leave it.
  await town.write(
    async (tx) => void (await tx.drizzle.run(sql`update revisions set author_id = ${eve.me.id}`)),
  );
  expect((await historyOf(ana, id))[0]!.author).toMatchObject({ name: "Eve" });
  await eve.api.users.remove.mutate({ password });
  expect(await historyOf(ana, id)).toMatchObject([{ author: null }]);
});

test("an author deletes one version of the history; what readers see stays", async () => {
  await using town = await startTown();
  const { ana, id } = await withABlog(town, { document: paragraphs("One.") });
  for (const text of ["Two.", "Three."]) {
    const { version } = await ana.api.blogs.forEdit.query({
      slug: (await ana.api.blogs.card.query({ id })).slug,
    });
    await ana.api.blogs.update.mutate({ id, version, document: paragraphs(text) });
  }
  const before = await historyOf(ana, id);
  expect(before.map(({ seen }) => seen)).toEqual([true, false, false]);
  const [newest, middle, first] = before.map((entry) => entry.id);
  expect(await refusal(ana.api.blogs.deleteRevision.mutate({ id, revision: newest! }))).toMatchObject({
    code: "CONFLICT",
  });
  await ana.api.blogs.deleteRevision.mutate({ id, revision: middle! });
  expect((await historyOf(ana, id)).map((entry) => [entry.id, entry.previous])).toEqual([
    [newest, first],
    [first, null],
  ]);
  for (const call of ["revision", "deleteRevision"] as const) {
    const asked = { id, revision: middle! };
    const gone =
      call === "revision" ? ana.api.blogs.revision.query(asked) : ana.api.blogs.deleteRevision.mutate(asked);
    expect(await refusal(gone)).toMatchObject({ code: "NOT_FOUND" });
  }
  // Of a draft nobody sees any.
  await ana.api.blogs.update.mutate({ id, draft: true });
  for (const { id: revision } of await historyOf(ana, id))
    await ana.api.blogs.deleteRevision.mutate({ id, revision });
  expect(await historyOf(ana, id)).toEqual([]);
});
