import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobsTopic } from "../../src/server/live/signals.ts";
import { CoWriter } from "../support/co-writer.ts";
import { followTopics, startTown, until } from "../support/town.ts";
import { aBlog, paragraphs } from "../support/writing.ts";

type Town = Awaited<ReturnType<typeof startTown>>;

/** A blog of Ana's that she writes live, with the page that she writes it on. */
async function writtenLive(town: Town, change: Record<string, unknown> = {}) {
  const ana = await town.resident("Ana");
  const blog = aBlog({ document: paragraphs("Owls."), ...change });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.setLive.mutate({ id: blog.id, live: true });
  const page = await CoWriter.open(() => ana.api, blog.id);
  /** Writes at the end, and goes on to the next paragraph unless it is said that she stays. */
  const write = async (words: string, { stays = false } = {}) => {
    page.edit((tr) => tr.insertText(words, tr.doc.content.size - 1));
    if (!stays) page.edit((tr) => tr.split(tr.doc.content.size - 1));
    await page.sync.push();
  };
  return { ana, id: blog.id, slug, page, write };
}

const wordsOf = (html: string): string[] => html.split(/<\/?p(?: dir="auto")?>|<br>/).filter(Boolean);

test("readers get each paragraph once its author has left it, by its change alone; who comes anew sees the same", async () => {
  await using town = await startTown();
  const { id, slug, write } = await writtenLive(town);
  const eve = town.browser();
  const heard = followTopics(eve, [`blog:${id}`]);
  await heard.live();
  const before = await eve.api.blogs.bySlug.query({ slug });
  expect(before.live).toBe(true);
  await write(" And bats.");
  await write("Crows, too.");
  await write("A half", { stays: true });
  const now = async () => wordsOf((await town.browser().api.blogs.bySlug.query({ slug })).html);
  await until(async () => (await now()).includes("Crows, too."));
  expect((await now()).slice(0, 2)).toEqual(["Owls. And bats.", "Crows, too."]);
  // It rests.
  await until(async () => (await now()).includes("A half"));
  const after = await eve.api.blogs.bySlug.query({ slug });
  await until(() => heard.events("blog.edited").at(-1)?.text?.to === after.digest);
  const told = heard
    .events("blog.edited")
    .flatMap(({ text }) => (text?.blocks ?? []).filter((one) => typeof one === "string"));
  expect(told).toContain(`<p dir="auto">A half</p>`);
  expect(told.join("").length).toBeLessThan(200);
  expect(heard.events("blog.edited").every(({ live }) => live)).toBe(true);
  // Who comes back to the line is told what makes it of what they have.
  const back = followTopics(eve, [`blog:${id}`], before.cursor);
  await back.heard("blog.edited");
  expect(back.events("blog.edited").at(-1)!.text).toMatchObject({ to: after.digest });
  const rest = await fetch(town.url + `/api/v1/blogs/${id}`);
  expect(JSON.stringify(await rest.json())).toContain("A half");
  expect(await (await fetch(town.url + "/feed.xml")).text()).toContain("A half");
});

test("what is deleted while it is written is in no answer after, and what was never finished in none at all", async () => {
  await using town = await startTown();
  const { id, slug, page, write } = await writtenLive(town);
  const eve = town.browser();
  const heard = followTopics(eve, [`blog:${id}`]);
  await heard.live();
  await write("");
  await write("A secret.");
  const html = async () => (await eve.api.blogs.bySlug.query({ slug })).html;
  await until(async () => (await html()).includes("secret"));
  const { digest, cursor } = await eve.api.blogs.bySlug.query({ slug });
  await write("Never meant to be said", { stays: true });
  page.edit((tr) => tr.delete(6, tr.doc.content.size - 2));
  await page.sync.push();
  await write("Bats.");
  await until(async () => (await html()).includes("Bats"));
  await until(async () => !(await html()).includes("secret"));
  const later = followTopics(town.browser(), [`blog:${id}`], cursor);
  await later.heard("blog.edited");
  const answers = [
    await eve.api.blogs.bySlug.query({ slug, has: digest }),
    later.events("blog.edited"),
    await (await fetch(town.url + "/feed.json")).json(),
    await (await fetch(town.url + `/blog/${slug}`)).text(),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/secret|Never meant/);
  expect(JSON.stringify(heard.events("blog.edited"))).not.toContain("Never meant");
});

test("of a private blog a stranger hears nothing, of a draft there is nothing to write live", async () => {
  await using town = await startTown();
  const { ana, id, write } = await writtenLive(town, { private: true });
  const stranger = await town.resident("Eve");
  const heard = followTopics(stranger, [`blog:${id}`]);
  await heard.heard("accessLost");
  const own = followTopics(ana, [`blog:${id}`]);
  await own.live();
  await write("A line.");
  await own.heard("blog.edited");
  expect(heard.events("blog.edited")).toEqual([]);
  const draft = aBlog({ draft: true });
  await ana.api.blogs.create.mutate(draft);
  await expect(ana.api.blogs.setLive.mutate({ id: draft.id, live: true })).rejects.toThrow(
    "Publish this draft first",
  );
});

test.each(["the switch", "an update", "a draft"])(
  "it ends by %s: with all that is written, and a revision",
  async (by) => {
    await using town = await startTown();
    const { ana, id, slug, write } = await writtenLive(town);
    await write("");
    await write("Bats.");
    const read = () => ana.api.blogs.bySlug.query({ slug });
    await until(async () => (await read()).html.includes("Bats"));
    expect((await ana.api.blogs.revisions.query({ id })).revisions).toHaveLength(1);
    await write("Crows", { stays: true });
    if (by === "the switch") await ana.api.blogs.setLive.mutate({ id, live: false });
    else await ana.api.blogs.publishWriting.mutate({ id, draft: by === "a draft" });
    const after = await read();
    expect(after).toMatchObject({ live: false, draft: by === "a draft" });
    expect(wordsOf(after.html).at(-1)).toBe("Crows");
    const { revisions } = await ana.api.blogs.revisions.query({ id });
    expect(revisions).toHaveLength(2);
    const { document } = await ana.api.blogs.revision.query({ id, revision: revisions[0]!.id });
    expect(JSON.stringify(document)).toContain("Crows");
  },
);

test("a change by the API goes into it, and what is written there is kept beside", async () => {
  await using town = await startTown();
  const { ana, id, slug, write } = await writtenLive(town);
  await write("");
  await write("Bats.");
  const read = async () => wordsOf((await ana.api.blogs.bySlug.query({ slug })).html);
  await until(async () => (await read()).includes("Bats."));
  const { version } = await ana.api.blogs.forEdit.query({ slug });
  await ana.api.blogs.update.mutate({ id, version, document: paragraphs("Owls, by the API.", "Bats.") });
  await write("Crows.");
  await until(async () => (await read()).includes("Crows."));
  expect(await read()).toEqual(["Owls, by the API.", "Bats.", "Crows."]);
});

test("it ends by itself after an hour without a key, and goes on after a restart until then", async () => {
  await using town = await startTown();
  const { ana, id, slug, write } = await writtenLive(town);
  await write("");
  await write("Bats", { stays: true });
  const read = () => ana.api.blogs.bySlug.query({ slug });
  // As after a restart: nothing is known of who wrote where.
  town.app.parts.writings.forget();
  await until(async () => (await read()).html.includes("Bats"));
  const due = async (ago: number) => {
    const since = Date.now() - ago;
    await town.write(async (tx) => {
      tx.drizzle.run(sql`update blogs set live_since = ${since} where id = ${id}`);
      tx.drizzle.run(sql`update writings set changed_at = ${since} where blog_id = ${id}`);
      const payload = JSON.stringify({ blogId: id, since });
      tx.drizzle.run(
        sql`update jobs set payload = ${payload}, due_at = ${since} where name = 'writing.live-end'`,
      );
      tx.signal(jobsTopic);
    });
  };
  const planned = () =>
    town.rows<{ due_at: number }>("select due_at from jobs where name = 'writing.live-end'")[0]?.due_at ?? 0;
  await due(50 * 60_000);
  await until(() => planned() > Date.now());
  expect((await read()).live).toBe(true);
  await due(61 * 60_000);
  await until(async () => !(await read()).live);
  expect((await ana.api.blogs.revisions.query({ id })).revisions).toHaveLength(2);
});

test("a co-author begins and ends it as its author does", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const ben = await town.resident("Ben");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls.") }));
  await ana.api.blogs.inviteAuthor.mutate({ id, username: ben.me.username });
  await ben.api.blogs.answerInvitation.mutate({ id, accept: true });
  const list = followTopics(ana, ["me"]);
  await list.live();
  await ben.api.blogs.setLive.mutate({ id, live: true });
  await list.heard("viewer.blogsChanged");
  const page = await CoWriter.open(() => ben.api, id);
  page.type("Bats, and ");
  await page.sync.push();
  await ben.api.blogs.setLive.mutate({ id, live: false });
  list.stop();
  expect(await ana.api.blogs.bySlug.query({ slug })).toMatchObject({
    live: false,
    html: `<p dir="auto">Bats, and Owls.</p>`,
  });
  const [newest] = (await ana.api.blogs.revisions.query({ id })).revisions;
  expect(newest!.author!.name).toBe("Ben");
});

test("what is written is published when it ends, though the blog is changed by another way at that moment", async () => {
  await using town = await startTown();
  const { ana, id, slug, page } = await writtenLive(town);
  page.type("Bats, and ");
  await page.sync.push();
  await Promise.all([
    ana.api.blogs.setLive.mutate({ id, live: false }),
    ...["One", "Two"].map((description) => ana.api.blogs.update.mutate({ id, description })),
  ]);
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toBe(`<p dir="auto">Bats, and Owls.</p>`);
});
