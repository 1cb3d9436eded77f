import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { rm } from "node:fs/promises";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { actingAs } from "../../../src/server/accounts/acting-as.ts";
import { postComment } from "../../../src/server/comments/service.ts";
import { openPostgres } from "../../../src/server/database/postgres/database.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { openDatabase } from "../../../src/server/database/sqlite/database.ts";
import { rowsAtOnce } from "../../support/rows-at-once.ts";
import { execute } from "../../../src/server/database/connection.ts";
import { blogTopic } from "../../../src/server/live/stored-events.ts";
import { Bus } from "../../../src/server/live/bus.ts";
import { meta } from "../../../src/server/database/schema/meta.ts";
import type { Transaction } from "../../../src/server/database/writer.ts";
import { follow } from "../../../src/server/follows/service.ts";
import { likeBlog } from "../../../src/server/likes/service.ts";
import { failWrites } from "../../support/failing-writes.ts";
import { createDatabaseFolder } from "../../support/new-database.ts";
import { databaseSettings, postgresRowsAtOnce } from "../../support/postgres.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, password, refusal } from "../../support/test-site.ts";

/** Opens a database of its own, and records the topics signalled after each commit. */
async function openStore(options: Parameters<typeof openDatabase>[2] = {}) {
  const folder = await createDatabaseFolder("reprise-store-");
  const file = path.join(folder, "reprise.db");
  const { DATABASE_URL } = await databaseSettings(folder);
  const commits: string[][] = [];
  const signal = (topics: Iterable<string>) => void commits.push([...topics]);
  const database =
    DATABASE_URL === undefined
      ? openDatabase(file, signal, options)
      : await openPostgres(DATABASE_URL, signal, options);
  const rows = <Row>(statement: string) =>
    DATABASE_URL === undefined
      ? rowsAtOnce<Row>(database.read, statement)
      : postgresRowsAtOnce<Row>(DATABASE_URL, statement);
  return {
    database,
    commits,
    /** Locks the database as another process does, until the returned function is called. */
    lock: (statement = "begin immediate") => {
      const other = new Sqlite(file);
      other.exec(statement);
      return () => other.close();
    },
    note: (key: string) => (tx: Transaction) => addNote(tx, key),
    notes: () =>
      rows<{ key: string }>("select key from meta where key like 'note-%' order by key").map(
        ({ key }) => key,
      ),
    facts: () =>
      rows<{ topic: string }>("select topic from live_events order by seq").map(({ topic }) => topic),
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addNote(tx: Transaction, key: string): Promise<string> {
  await execute(tx, sql`insert into meta (key, value) values (${key}, '')`);
  tx.emit(blogTopic(key), { kind: "blog.liked" });
  return key;
}

const withinThreeSeconds = <T>(promise: Promise<T>) =>
  Promise.race([
    promise,
    sleep(3_000).then(() => Promise.reject(new Error("It was not answered within three seconds."))),
  ]);

test("commits concurrent writes together, and answers each with its own result", async () => {
  await using store = await openStore();
  const keys = Array.from({ length: 200 }, (_, index) => `note-${String(index).padStart(3, "0")}`);
  const answers = await Promise.all(keys.map((key) => store.database.write(store.note(key))));
  expect(answers).toEqual(keys);
  expect(store.notes()).toEqual(keys);
  // A batch also ends where it would hold the thread for long.
  expect(store.commits.length).toBeLessThanOrEqual(40);
  expect(store.commits.flat()).toEqual(keys.map((key) => `blog:${key}`));
});

test("rolls a failed write back alone: the rest of its commit is kept, and its events are not sent", async () => {
  // On a slow machine a commit ends early: retries until one has all three writes.
  for (let attempt = 1; ; attempt++) {
    await using store = await openStore();
    const outcomes = await Promise.allSettled([
      store.database.write(store.note("note-before")),
      store.database.write(async (tx) => {
        await addNote(tx, "note-failing");
        tx.signal("rights-failing");
        throw new Error("changed their mind");
      }),
      store.database.write(store.note("note-after")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(store.notes()).toEqual(["note-after", "note-before"]);
    expect(store.facts()).toEqual(["blog:note-before", "blog:note-after"]);
    expect(store.commits.flat()).toEqual(["blog:note-before", "blog:note-after"]);
    if (store.commits.length === 1) return;
    expect(attempt, "stores whose writes never shared a commit").toBeLessThan(20);
  }
});

test("hides an open write from readers, and shows all of it once it is answered", async () => {
  await using store = await openStore();
  let keysInside: string[] = ["not looked"];
  await store.database.write(async (tx) => {
    await addNote(tx, "note-open");
    keysInside = store.notes();
  });
  expect(keysInside).toEqual([]);
  expect(store.notes()).toEqual(["note-open"]);
});

test("stores a write before its caller is answered, however many shared the commit", async () => {
  await using store = await openStore();
  const keys = Array.from({ length: 60 }, (_, index) => `note-${index}`);
  const results = await Promise.all(
    keys.map((key) => store.database.write(store.note(key)).then(() => store.notes().includes(key))),
  );
  expect(results).toEqual(keys.map(() => true));
});

test("signals a commit before its caller is answered, so that no cache is stale", async () => {
  await using store = await openStore();
  let commitCount = 0;
  await store.database.write(store.note("note-rung")).then(() => (commitCount = store.commits.length));
  expect(commitCount).toBe(1);
});

test("runs a write queued at any moment after the last one", async () => {
  await using store = await openStore();
  // Each number of turns queues the next write at another moment around the end of the queue's work.
  for (let ticks = 0; ticks < 20; ticks++) {
    await withinThreeSeconds(store.database.write(store.note(`note-${ticks}-a`)));
    for (let tick = 0; tick < ticks; tick++) await null;
    await withinThreeSeconds(store.database.write(store.note(`note-${ticks}-b`)));
  }
  expect(store.notes()).toHaveLength(40);
});

test("stores the events of a write in their order, even if they need several statements, and none if it fails", async () => {
  await using store = await openStore();
  const topics = Array.from({ length: 20 }, (_, number) => blogTopic(`number-${number}`));
  const emitAll = (tx: Transaction) => {
    for (const topic of topics) tx.emit(topic, { kind: "blog.liked" });
  };
  await store.database.write(async (tx) => emitAll(tx));
  const failing = store.database.write(async (tx) => {
    emitAll(tx);
    throw new Error("changed its mind");
  });
  await expect(failing).rejects.toThrow("changed its mind");
  // The statement before it has stored eight.
  const cannotStore: { kind: "blog.liked"; itself?: object } = { kind: "blog.liked" };
  cannotStore.itself = cannotStore;
  const tooLate = store.database.write(async (tx) => {
    emitAll(tx);
    tx.emit(blogTopic("last"), cannotStore);
  });
  await expect(tooLate).rejects.toThrow("circular");
  expect(store.facts()).toEqual(topics);
  expect(store.commits).toEqual([topics, [], []]);
});

test("makes a transaction unusable once its write has ended", async () => {
  await using store = await openStore();
  let endedTx: Transaction | undefined;
  await store.database.write(async (tx) => void (endedTx = tx));
  expect(() => endedTx?.drizzle).toThrow("ended");
  expect(() => endedTx?.emit(blogTopic("late"), { kind: "blog.liked" })).toThrow("ended");
  expect(store.facts()).toEqual([]);
});

/** Measures the longest time in ms for which the event loop was blocked during `work`. */
async function longestBlockTime(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

// Locks of SQLite's file; for PostgreSQL's lock see postgres-connections.test.ts.
test.skipIf(isPostgres)(
  "queues writes while another process locks the database, without blocking reads or losing any",
  { tags: ["more"] },
  async () => {
    await using store = await openStore();
    const keys = Array.from({ length: 100 }, (_, index) => `note-${String(index).padStart(3, "0")}`);
    const release = store.lock();
    const writeResults: string[] = [];
    let writes: Promise<unknown> | undefined;
    const longestBlock = await longestBlockTime(async () => {
      writes = Promise.all(
        keys.map(async (key) => writeResults.push(await store.database.write(store.note(key)))),
      );
      const deadline = Date.now() + 1_000;
      for (let checks = 0; Date.now() < deadline; checks++) {
        expect(store.notes()).toEqual([]);
        await sleep(5);
      }
    });
    expect(longestBlock).toBeLessThan(400);
    expect(writeResults).toEqual([]);
    release();
    await writes;
    expect(store.notes()).toEqual(keys);
    expect(store.facts()).toHaveLength(100);
  },
);

test.skipIf(isPostgres)(
  "refuses each write after the same timeout while the database is locked, and accepts later ones",
  { tags: ["more"] },
  async () => {
    const errors: string[] = [];
    await using store = await openStore({
      lockTimeoutMs: 400,
      onError: (_error, message) => errors.push(message),
    });
    const release = store.lock("begin exclusive");
    const startedAt = performance.now();
    const waitTimes = await Promise.all(
      [0, 150].map(async (after) => {
        await sleep(after);
        const requestedAt = performance.now();
        await expect(store.database.write(store.note(`note-${after}`))).rejects.toMatchObject({
          code: "unavailable",
          retryAfter: 5,
        });
        return performance.now() - requestedAt;
      }),
    );
    // The second did not wait behind the first.
    for (const waitTime of waitTimes) expect(waitTime).toBeGreaterThan(390);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    release();
    await store.database.write(store.note("note-later"));
    expect(store.notes()).toEqual(["note-later"]);
    expect(errors).toEqual(["1 writes could not be stored", "1 writes could not be stored"]);
  },
);

test.skipIf(isPostgres)(
  "answers writes to a locked database with 503 and retry-after, while pages still load",
  { tags: ["more"] },
  async () => {
    const [testSite, ana] = await siteWith("Ana");
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const other = new Sqlite(testSite.config.databaseFile);
    other.exec("begin immediate");
    const rejection = refusal(ana.api.comments.create.mutate(aComment(blog)));
    const restCall = ana.fetch("/api/v1/forgot-password", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: ana.email }),
    });
    const pageStart = performance.now();
    expect((await testSite.browser().fetch(`/blog/${blog.slug}`)).status).toBe(200);
    expect(performance.now() - pageStart).toBeLessThan(4_000);
    expect(await rejection).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      retryAfter: 5,
      message: expect.stringContaining("busy"),
    });
    const answer = await restCall;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    other.close();
    await ana.api.comments.create.mutate(aComment(blog));
    expect(testSite.rows("select id from comments")).toHaveLength(1);
  },
);

test("gives up a write that never ends, and rejects what it does later", async () => {
  const errors: string[] = [];
  await using store = await openStore({
    onError: (_error, message) => errors.push(message),
    storesSignals: true,
  });
  let resumeWrite = () => {};
  let lateWrites: Promise<unknown> | undefined;
  const waiting = new Promise<void>((resolve) => (resumeWrite = resolve));
  const hangingWrite = store.database.write((tx) => {
    const insert = tx.drizzle.insert(meta).values({ key: "note-prepared", value: "" }).prepare();
    lateWrites = (async () => {
      await addNote(tx, "note-early");
      await waiting;
      // A signal cannot say that it failed, and must not end the process.
      tx.signal("note-late");
      await new Promise((resolve) => setImmediate(resolve));
      const results = await Promise.allSettled([
        (async () => insert.run())(),
        (async () => execute(tx, sql`insert into meta (key, value) values ('note-late', '')`))(),
        (async () => addNote(tx, "note-later"))(),
      ]);
      return results.map(({ status }) => status);
    })();
    return lateWrites;
  });
  await expect(hangingWrite).rejects.toThrow("awaited something else");
  // PostgreSQL ends the connection before, since others wait for its lock.
  if (isPostgres) expect(errors).toContain("a write took too long and was rolled back");
  else expect(errors).toEqual(["a write took too long and was rolled back"]);
  await store.database.write(async (tx) => {
    await addNote(tx, "note-next");
    resumeWrite();
    expect(await lateWrites).toEqual(["rejected", "rejected", "rejected"]);
  });
  expect(store.notes()).toEqual(["note-next"]);
  expect(store.facts()).toEqual(["blog:note-next"]);
});

test("keeps writing and notifying other listeners when a listener throws", async () => {
  const messages: unknown[] = [];
  const bus = new Bus((error) => messages.push((error as Error).message));
  bus.listen("blog:note-a", () => {
    throw new Error("deaf");
  });
  bus.listen("blog:note-a", () => messages.push("heard"));
  const errors: string[] = [];
  await using store = await openStore({ onError: (_error, message) => errors.push(message) });
  store.commits.push = (topics) => {
    bus.signal(topics ?? []);
    throw new Error("no signal");
  };
  await withinThreeSeconds(store.database.write(store.note("note-a")));
  await withinThreeSeconds(store.database.write(store.note("note-b")));
  expect(messages).toEqual(["deaf", "heard"]);
  expect(errors).toEqual(["signalling after a commit failed", "signalling after a commit failed"]);
  expect(store.notes()).toEqual(["note-a", "note-b"]);
});

test("finishes pending writes when the site closes, and refuses later ones", async () => {
  const store = await openStore();
  const pendingWrites = Array.from({ length: 100 }, (_, index) =>
    store.database.write(store.note(`note-${index}`)),
  );
  const closing = store.database.close();
  await expect(store.database.write(store.note("note-late"))).rejects.toMatchObject({
    code: "unavailable",
    retryAfter: expect.any(Number),
  });
  await expect(Promise.all(pendingWrites)).resolves.toHaveLength(100);
  await closing;
  await expect(store.database.write(store.note("note-later"))).rejects.toMatchObject({ code: "unavailable" });
});

test("stores a comment and its event together or not at all", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const count = (table: string, condition: string) =>
    testSite.rows<{ total: number }>(`select count(*) as total from ${table} where ${condition}`)[0]?.total;
  const comments = () => [
    count("comments", "true"),
    count("live_events", "event like '%comment.created%'"),
    testSite.rows<{ n: number }>("select comments_count as n from blogs")[0]?.n,
  ];

  for (const table of ["live_events", "comments"]) {
    const stopFailing = await failWrites(testSite, `insert on ${table}`, "the disk is full");
    expect(await refusal(ana.api.comments.create.mutate(aComment(blog)))).toEqual({
      code: "INTERNAL_SERVER_ERROR",
      message: "Something went wrong",
    });
    await stopFailing();
    expect(comments()).toEqual([0, 0, 0]);
  }
  await ana.api.comments.create.mutate(aComment(blog));
  expect(comments()).toEqual([1, 1, 1]);
});

test("refuses a queued write of a deleted account as not found", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const ctx = actingAs(testSite.app.services, eve.me.id);
  await eve.api.users.remove.mutate({ password });
  for (const statement of [
    () => postComment(ctx, { ...aComment(blog), parentId: null }),
    () => likeBlog(ctx, { blogId: blog.id, liked: true }),
    () => follow(ctx, { userId: ana.me.id, follow: true }),
  ])
    await expect(statement()).rejects.toMatchObject({ name: "AppError", code: "not_found" });
  expect((await ana.api.blogs.bySlug.query({ slug: blog.slug })).likesCount).toBe(0);
});
