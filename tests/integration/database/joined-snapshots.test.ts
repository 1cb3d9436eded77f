import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf, type Connection, type Database } from "../../../src/server/database/connection.ts";
import { joinSnapshots } from "../../../src/server/database/joined-snapshots.ts";
import { setSiteValue, siteValue } from "../../../src/server/database/meta.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { sharedRead } from "../../../src/server/live/signal-cache.ts";
import { feedTopic } from "../../../src/server/live/stored-events.ts";
import { startTestSite, type TestSite } from "../../support/test-site.ts";
import { until } from "../../support/until.ts";

let site: TestSite;
beforeAll(async () => void (site = await startTestSite()));
afterAll(() => site[Symbol.asyncDispose]());

/** The database of a request, and how many snapshots it has open and has taken. */
function openRequest() {
  const { database } = site.app.services;
  const counts = { open: 0, taken: 0 };
  const counting: Database = {
    ...database,
    snapshot: async (work) => {
      counts.taken++;
      counts.open++;
      try {
        return await database.snapshot(work);
      } finally {
        counts.open--;
      }
    },
  };
  return { request: joinSnapshots(counting), counts };
}
const read = (connection: Connection) => siteValue(connection, "note");
const writeElsewhere = (value: string) => site.write((tx) => setSiteValue(tx, "note", value));

describe("the snapshots of a request", () => {
  test("are one for simultaneous reads and those that follow them, so all show one moment", async () => {
    await writeElsewhere("before");
    const { request, counts } = openRequest();
    const together = await Promise.all([request.snapshot(read), request.snapshot(read)]);
    const next = await request.snapshot(async (connection) => {
      await writeElsewhere("after");
      return read(connection);
    });
    const last = await request.snapshot(read);
    expect([...together, next, last]).toEqual(["before", "before", "before", "before"]);
    expect(counts.taken).toBe(1);
    await until(() => counts.open === 0);
  });

  test("end once nothing reads, and the next read shows what was written since", async () => {
    await writeElsewhere("before");
    const { request, counts } = openRequest();
    expect(await request.snapshot(read)).toBe("before");
    await until(() => counts.open === 0);
    await writeElsewhere("after");
    expect(await request.snapshot(read)).toBe("after");
    expect(counts.taken).toBe(2);
  });

  test("after a write of the request show it, while an earlier read is still under way", async () => {
    await writeElsewhere("before");
    const { request, counts } = openRequest();
    let finish: (() => void) | undefined;
    const earlier = request.snapshot(async (connection) => {
      await read(connection);
      await new Promise<void>((resolve) => (finish = resolve));
      return read(connection);
    });
    await until(() => finish !== undefined);
    await request.write((tx) => setSiteValue(tx, "note", "own"));
    expect(await request.snapshot(read)).toBe("own");
    finish?.();
    expect(await earlier).toBe("before");
    await until(() => counts.open === 0);
  });

  test("that could not be taken fail all their reads, and later ones take another", async () => {
    const { database } = site.app.services;
    let failing = true;
    const request = joinSnapshots({
      ...database,
      snapshot: (work) => (failing ? Promise.reject(new Error("no connection")) : database.snapshot(work)),
    });
    const refused = await Promise.allSettled([request.snapshot(read), request.snapshot(read)]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    failing = false;
    await nextTurn();
    await writeElsewhere("there again");
    expect(await request.snapshot(read)).toBe("there again");
  });

  test("are not used for values that requests share, since they may be older than the last signal", async () => {
    const { services } = site.app;
    await writeElsewhere("before");
    const { request } = openRequest();
    const share = (database: Database) =>
      sharedRead({ ...services, database }, "a note", [feedTopic], async (connection) => [
        await read(connection),
      ]);
    const shared = await request.snapshot(async (connection) => {
      expect(await read(connection)).toBe("before");
      await writeElsewhere("after");
      return share({ ...request, read: connection });
    });
    expect([shared, await share(services.database)]).toEqual([["after"], ["after"]]);
  });

  test.skipIf(!isPostgres)("are replaced after a failed statement, so that later reads succeed", async () => {
    await writeElsewhere("stored");
    const { request, counts } = openRequest();
    const [, , next] = await Promise.allSettled([
      request.snapshot((connection) => rowsOf(connection, "select pg_sleep(0.1), 1 / 0")),
      request.snapshot((connection) => rowsOf(connection, "select pg_sleep(0.5)")),
      until(() => counts.open === 1).then(async () => {
        await request.snapshot((connection) => rowsOf(connection, "select 1 / 0")).catch(() => undefined);
        return request.snapshot(read);
      }),
    ]);
    expect(next).toEqual({ status: "fulfilled", value: "stored" });
    await until(() => counts.open === 0);
  });

  test("are few for a page, and a search has one of its own", async () => {
    const { database } = site.app.services;
    const reader = await site.createAccount("Rea");
    const { snapshot } = database;
    const taken: boolean[] = [];
    database.snapshot = (work, options) => {
      taken.push(options?.alone === true);
      return snapshot(work, options);
    };
    try {
      expect((await reader.fetch("/home")).status).toBe(200);
      expect(taken.length).toBeLessThan(3);
      taken.length = 0;
      expect((await reader.fetch("/search?q=owls")).status).toBe(200);
      expect(taken).toContain(true);
    } finally {
      database.snapshot = snapshot;
    }
  });
});
