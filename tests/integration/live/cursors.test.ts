import { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute, rowsOf } from "../../../src/server/database/connection.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { userTopic } from "../../../src/server/live/stored-events.ts";
import { cursorNow } from "../../../src/server/live/event-log.ts";
import { openSecondDatabase, runAtOnce } from "../../support/second-database.ts";
import { sharedSiteWith } from "../../support/site-with.ts";
import { aBlog, aComment } from "../../support/test-site.ts";

/* Responses hold all changes up to their cursor and none after. */

const [testSite, ana, eve] = await sharedSiteWith("Ana", "Eve");
const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));

const seqOf = (cursor: string): number => Number(cursor.split(".")[1]);

/** A worker thread whose every write adds one event and sets all counts below to the event's number. */
const writer = `
const { workerData, parentPort } = require("node:worker_threads");
const Sqlite = require("better-sqlite3");
const { file, blogId, authorId, stop } = workerData;
const sqlite = new Sqlite(file);
sqlite.pragma("busy_timeout = 5000");
sqlite.pragma("synchronous = OFF");
sqlite.function("folded", (text) => text);
const event = sqlite.prepare("insert into live_events (topic, event, created_at) values ('none', '{}', 0)");
const comment = sqlite.prepare("insert into comments (id, blog_id, root_id, author_id, text, created_at) values (@id, @blogId, @id, @authorId, @text, @at)");
const person = sqlite.prepare("update users set name = @text, followers_count = @seq where id = @authorId");
const blog = sqlite.prepare("update blogs set comments_count = @seq, likes_count = @seq, title = @text where id = @blogId");
const draft = sqlite.prepare("update blogs set likes_count = @seq, title = @text where id != @blogId and author_id = @authorId");
const draftTitle = sqlite.prepare("update drafts set fields = json_set(fields, '$.title', @text) where blog_id in (select id from blogs where draft = 1 and author_id = @authorId)");
const write = sqlite.transaction(() => {
  const seq = Number(event.run().lastInsertRowid);
  const values = { id: "w" + String(seq).padStart(19, "0"), blogId, authorId, seq, text: String(seq), at: 1.7e12 + seq };
  comment.run(values); person.run(values); blog.run(values); draft.run(values); draftTitle.run(values);
});
const stopped = new Int32Array(stop);
let writes = 0;
// Others want the machine, too: a pause of a millisecond. A list that is not complete shows the stored count.
while (Atomics.wait(stopped, 0, 0, 1) === "timed-out") { write.immediate(); writes++; if (writes === 60) parentPort.postMessage("at work"); }
sqlite.close();
`;

/** Starts the worker. Returns the function that stops it. */
async function startWorker(): Promise<() => Promise<void>> {
  const stop = new SharedArrayBuffer(4);
  const workerData = { file: testSite.config.databaseFile, blogId: blog.id, authorId: ana.me.id, stop };
  const worker = new Worker(writer, { eval: true, workerData });
  const exit = new Promise((resolve, reject) => worker.once("exit", resolve).once("error", reject));
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  return async () => {
    Atomics.store(new Int32Array(stop), 0, 1);
    Atomics.notify(new Int32Array(stop), 0);
    await exit;
  };
}

/** Does the same over a connection to PostgreSQL, which needs no thread for it. */
async function startConnection(): Promise<() => Promise<void>> {
  const database = await openSecondDatabase(testSite);
  let stopped = false;
  const write = () =>
    database.write(async (tx) => {
      const [{ seq } = { seq: 0 }] = await rowsOf<{ seq: number }>(
        tx,
        "insert into live_events (topic, event, created_at) values ('none', '{}', 0) returning seq",
      );
      const id = `w${String(seq).padStart(19, "0")}`;
      const text = `'${seq}'`;
      for (const statement of [
        `insert into comments (id, blog_id, root_id, author_id, text, created_at) values ('${id}', '${blog.id}', '${id}', '${ana.me.id}', ${text}, ${1.7e12 + seq})`,
        `update users set name = ${text}, followers_count = ${seq} where id = '${ana.me.id}'`,
        `update blogs set comments_count = ${seq}, likes_count = ${seq}, title = ${text} where id = '${blog.id}'`,
        `update blogs set likes_count = ${seq}, title = ${text} where id <> '${blog.id}' and author_id = '${ana.me.id}'`,
        `update drafts set fields = jsonb_set(fields::jsonb, '{title}', to_jsonb(${text}::text))::text
          where blog_id in (select id from blogs where draft = 1 and author_id = '${ana.me.id}')`,
      ])
        await execute(tx, statement);
    });
  for (let count = 0; count < 60; count++) await write();
  const end = (async () => {
    while (!stopped) await write();
  })();
  return async () => {
    stopped = true;
    await end;
    await database.close();
  };
}

test("reads each response at the moment of its cursor while another thread writes continuously", async () => {
  await ana.api.blogs.create.mutate(aBlog({ draft: true, title: "A draft" }));
  const stop = await (isPostgres ? startConnection() : startWorker());
  const seqs = new Set<number>();
  try {
    for (let round = 0; round < 30; round++) {
      // Batched and alone: the calls of a batch share a snapshot.
      const [comments, profile, feed, page, mine, stats] = await Promise.all([
        eve.api.comments.list.query({ blogId: blog.id }),
        eve.api.users.profile.query({ username: ana.me.username }),
        eve.api.blogs.list.query({}),
        eve.api.blogs.bySlug.query({ slug: blog.slug }),
        ana.api.blogs.mine.query({}),
        ana.api.blogs.stats.query(),
      ]);
      const valuesByQuery = {
        comments: [
          comments.total,
          Number(comments.comments[0]?.text),
          Number(comments.comments[0]?.author?.name),
        ],
        profile: [profile.followersCount, Number(profile.name)],
        feed: feed.blogs.flatMap((card) => [card.likesCount, Number(card.title), Number(card.author.name)]),
        page: [page.likesCount, page.commentsCount, Number(page.title), Number(page.author.name)],
        mine: mine.blogs.flatMap((card) => [card.likesCount, Number(card.title)]),
        // The sum includes the draft with the same number.
        stats: [stats.likes / 2, stats.comments],
      };
      const answers = { comments, profile, feed, page, mine, stats };
      for (const [name, values] of Object.entries(valuesByQuery)) {
        const seq = seqOf(answers[name as keyof typeof answers].cursor);
        expect([name, ...values]).toEqual([name, ...values.map(() => seq)]);
        seqs.add(seq);
      }
      const single = await eve.api.comments.list.query({ blogId: blog.id });
      const seq = seqOf(single.cursor);
      expect([single.total, single.comments[0]?.text]).toEqual([seq, String(seq)]);
      // A search takes several turns of the event loop.
      const results = await eve.api.blogs.search.query({ query: "owls" });
      expect(results.blogs.map(({ title, likesCount }) => [title, likesCount])).toEqual([
        [String(seqOf(results.cursor)), seqOf(results.cursor)],
      ]);
    }
    // It did write in between.
    expect(seqs.size).toBeGreaterThan(10);
  } finally {
    await stop();
  }
});

test("includes a viewer's change in the next response while others read", async () => {
  for (let round = 0; round < 40; round++) {
    const reads = [eve, ana].flatMap(({ api }) => [
      api.blogs.list.query({}),
      api.comments.list.query({ blogId: blog.id }),
      api.blogs.search.query({ query: "owls" }),
    ]);
    const comment = aComment(blog, { text: `The ${round}th` });
    const answer = await eve.api.comments.create.mutate(comment);
    const next = await ana.api.comments.list.query({ blogId: blog.id });
    expect(next.comments.map(({ text }) => text)).toContain(comment.text);
    expect(seqOf(next.cursor)).toBeGreaterThanOrEqual(seqOf(answer.cursor));
    await Promise.all(reads);
  }
});

test("returns a cursor at or after a mutation's own events", async () => {
  const answer = await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  const [{ seq } = { seq: 0 }] = testSite.rows<{ seq: number }>("select max(seq) as seq from live_events");
  expect(seqOf(answer.cursor)).toBe(seq);
});

/** Resolves once the server has seen the writes of other connections, after which it signals again what was written meanwhile. */
async function untilForeignWritesAreSeen(): Promise<void> {
  const seen = new Promise<void>((resolve) => testSite.app.services.bus.listen("foreign", resolve));
  runAtOnce(testSite, "insert into live_events (topic, event, created_at) values ('foreign', '{}', 0)");
  await seen;
}

test("signals the viewer's own topic after each mutation, and never after a query", async () => {
  await untilForeignWritesAreSeen();
  let signals = 0;
  const stop = testSite.app.services.bus.listen(userTopic(eve.me.id), () => void signals++);
  try {
    // A mutation without an event of its own.
    await eve.api.users.forgotPassword.mutate({ email: eve.email });
    expect(signals).toBe(1);
    await eve.api.users.me.query();
    await eve.api.users.revokeSession.mutate({ handle: "none" }).catch(() => undefined);
    expect(signals).toBe(1);
  } finally {
    stop();
  }
});

test("keeps an open snapshot unchanged without blocking writes", async () => {
  const { database } = testSite.app.services;
  let release = () => {};
  const snapshot = database.snapshot(async (read) => {
    const rows = async () => rowsOf(read, sql`select count(*) as count from comments`);
    const before = [await cursorNow(read), await rows()];
    await new Promise<void>((resolve) => (release = resolve));
    expect([await cursorNow(read), await rows()]).toEqual(before);
    return before[0] as string;
  });
  const { total } = await eve.api.comments.list.query({ blogId: blog.id });
  const comment = await eve.api.comments.create.mutate(aComment(blog));
  const after = await eve.api.comments.list.query({ blogId: blog.id });
  expect(after.total).toBe(total + 1);
  release();
  expect(seqOf(await snapshot)).toBeLessThan(seqOf(comment.cursor));
});

test("includes a cursor in each query result that is embedded in a server-rendered page", async () => {
  const html = await (await ana.fetch(`/blog/${blog.slug}`)).text();
  const state = /<script[^>]*id="state"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "{}";
  const { queries } = JSON.parse(state) as { queries: [key: [string[]], data: { cursor?: string }][] };
  expect(queries.map(([[name]]) => name.join("."))).toEqual(
    expect.arrayContaining(["users.me", "blogs.bySlug", "comments.list"]),
  );
  for (const [[name], { cursor }] of queries)
    expect([name, cursor]).toEqual([name, expect.stringMatching(/\.\d+$/)]);
});
