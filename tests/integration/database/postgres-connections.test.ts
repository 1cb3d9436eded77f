import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { execute, rowsOf } from "../../../src/server/database/connection.ts";
import { siteValue, setSiteValue } from "../../../src/server/database/meta.ts";
import { liveEvents } from "../../../src/server/database/schema/live.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { blogTopic } from "../../../src/server/live/stored-events.ts";
import { createDatabase, openAlone } from "../../support/open-postgres.ts";
import { startProxy } from "../../support/postgres-proxy.ts";
import { until } from "../../support/until.ts";

/* How many connections are used for what, and what happens to writes when one is lost or another process holds them up. */

describe.skipIf(!isPostgres)("connections to PostgreSQL", () => {
  test("more queries than connections are answered, though each also reads beside its snapshot", async () => {
    const { database } = await openAlone(await createDatabase());
    const values = await Promise.all(
      Array.from({ length: 40 }, () =>
        database.snapshot(async (read) => [
          await siteValue(read, "live_epoch"),
          await siteValue(database.read, "live_epoch"),
        ]),
      ),
    );
    for (const [inside, beside] of values) expect(inside).toBe(beside);
  });

  test("events of two processes become visible in the order of their numbers", async () => {
    const url = await createDatabase();
    const [{ database }, { database: other }] = [await openAlone(url), await openAlone(url)];
    const topics = async () =>
      (await rowsOf<{ topic: string }>(database.read, "select topic from live_events order by seq")).map(
        ({ topic }) => topic,
      );
    let slow: Promise<void> | undefined;
    await new Promise<void>((hasNumber) => {
      slow = database.write(async (tx) => {
        await tx.drizzle
          .insert(liveEvents)
          .values({ topic: blogTopic("slow"), event: { kind: "blog.liked" }, createdAt: 1 });
        hasNumber();
        await execute(tx, "select pg_sleep(0.5)");
      });
    });
    await other.write(async (tx) => tx.emit(blogTopic("quick"), { kind: "blog.liked" }));
    // A reader that has seen the later number never asks for the earlier one again.
    expect(await topics()).toEqual(["blog:slow", "blog:quick"]);
    await slow;
  });

  test("a write that continues after a failed statement is not stored, and the next one is", async () => {
    const { database } = await openAlone(await createDatabase());
    const writes = ["first", "second"].map((value, number) =>
      database.write(async (tx) => {
        if (number === 0) await execute(tx, "select 1 / 0").catch(() => undefined);
        else await setSiteValue(tx, "note", value);
      }),
    );
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(await siteValue(database.read, "note")).toBe("second");
  });

  test(
    "a write that continues after its time stores nothing, even if a statement of it was running",
    { tags: ["more"] },
    async () => {
      const { database } = await openAlone(await createDatabase());
      let rest: Promise<unknown> | undefined;
      const slow = database.write((tx) => {
        rest = (async () => {
          await execute(tx, "select pg_sleep(10.5)");
          tx.emit(blogTopic("late"), { kind: "blog.liked" });
          await setSiteValue(tx, "note", "late");
        })();
        return rest;
      });
      await expect(slow).rejects.toThrow("undone");
      await expect(rest).rejects.toThrow("ended");
      await database.write((tx) => setSiteValue(tx, "next", "stored"));
      expect(await siteValue(database.read, "next")).toBe("stored");
      expect(await siteValue(database.read, "note")).toBeUndefined();
      expect(await rowsOf(database.read, "select topic from live_events")).toEqual([]);
    },
  );

  test("a process is notified of another's write, without asking", async () => {
    const url = await createDatabase();
    const [{ database }, { database: other }] = [await openAlone(url), await openAlone(url)];
    const counts = [database, other].map(({ servers }) => {
      const count = { connections: 0, notices: 0 };
      const stop = servers!.listen({
        onConnect: () => void count.connections++,
        onWritten: () => void count.notices++,
      });
      onTestFinished(stop);
      return count;
    });
    await until(() => counts.every(({ connections }) => connections === 1), "the connections");
    await other.write((tx) => setSiteValue(tx, "note", "written"));
    await until(() => counts[0]!.notices === 1, "the notice");
    // Of its own writes it knows.
    expect(counts[1]!.notices).toBe(0);
    expect(await siteValue(database.read, "note")).toBe("written");
  });

  test("keeps a write whose COMMIT was done and not answered, and reports it as done", async () => {
    const url = await createDatabase();
    let commits = 0;
    await using proxied = await startProxy(url, (request) => request.includes("commit") && ++commits === 2);
    const { database } = await openAlone(proxied.url);
    for (const value of ["first", "second", "third"])
      await database.write((tx) => setSiteValue(tx, "note", value));
    expect(await siteValue(database.read, "note")).toBe("third");
    expect(commits).toBe(3);
    const [row] = await rowsOf<{ count: number }>(
      database.read,
      "select count(*) as count from meta where key = 'note'",
    );
    expect(row?.count).toBe(1);
  });

  test("refuses a write whose connection is lost, stores nothing of it, and stores the next", async () => {
    const { database, errors } = await openAlone(await createDatabase());
    const lost = database.write(async (tx) => {
      await setSiteValue(tx, "note", "lost");
      await execute(tx, "select pg_terminate_backend(pg_backend_pid())");
    });
    await expect(lost).rejects.toMatchObject({ code: "unavailable" });
    expect(errors.length).toBeGreaterThan(0);
    await database.write((tx) => setSiteValue(tx, "other", "stored"));
    expect([await siteValue(database.read, "note"), await siteValue(database.read, "other")]).toEqual([
      undefined,
      "stored",
    ]);
  });

  test("stores a write in its time though another process hangs with the lock", async () => {
    const url = await createDatabase();
    const [{ database }, { database: other }] = [await openAlone(url), await openAlone(url)];
    let resume = () => {};
    const hanging = other.write(async (tx) => {
      await setSiteValue(tx, "note", "hanging");
      await new Promise<void>((resolve) => (resume = resolve));
      await setSiteValue(tx, "note", "too late");
    });
    hanging.catch(() => undefined);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    for (let held = 0; held === 0;)
      held =
        (
          await client.query(
            "select 1 from pg_locks join pg_database d on d.oid = database and d.datname = current_database() where locktype = 'advisory' and granted",
          )
        ).rowCount ?? 0;
    await database.write((tx) => setSiteValue(tx, "note", "stored"));
    resume();
    await expect(hanging).rejects.toMatchObject({ code: "unavailable" });
    expect(await siteValue(database.read, "note")).toBe("stored");
  });
});
