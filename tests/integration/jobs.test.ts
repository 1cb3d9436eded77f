import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/server/database/connection.ts";
import type { Parts } from "../../src/server/context.ts";
import {
  enqueue,
  enqueueRecurring,
  forgetFailed,
  Hopeless,
  type JobHandlers,
} from "../../src/server/jobs/jobs.ts";
import { backOff, JobRunner } from "../../src/server/jobs/runner.ts";
import { housekeeping } from "../../src/server/housekeeping.ts";
import { Bus } from "../../src/server/live/bus.ts";
import { jobsTopic } from "../../src/server/live/signals.ts";
import { reprise } from "../support/command.ts";
import { startTown, until, type Town } from "../support/town.ts";

interface Kept {
  id: string;
  name: string;
  payload: string;
  attempts: number;
  due_at: number;
  leased_until: number | null;
  last_error: string | null;
  failed_at: number | null;
}
const kept = (town: Town) => town.jobs<Kept>();
const ask = (town: Town, name: string, payload: object | string | number = {}, dueAt?: number) =>
  town.write((tx) => enqueue(tx, name, payload, dueAt));

/** Somebody who does jobs of these names in a town, beside the town's own runner. */
function worker(parts: Parts, handlers: JobHandlers): AsyncDisposable & { runner: JobRunner } {
  const runner = new JobRunner(parts, handlers);
  return { runner, [Symbol.asyncDispose]: () => runner.stop(0) };
}

/** The parts of another process over the same store. */
function elsewhere(town: Town): Parts & AsyncDisposable {
  const bus = new Bus();
  const database = openDatabase(town.config.databaseFile, (topics) => bus.signal(topics));
  return { ...town.app.parts, bus, database, [Symbol.asyncDispose]: () => database.close() };
}

test("work is stored with what asks for it: it is done after the commit, and not where that never comes", async () => {
  await using town = await startTown();
  const done: unknown[] = [];
  await using _worker = worker(town.app.parts, {
    note: { run: async (_parts, payload) => void done.push(payload) },
  });
  await expect(
    town.write(async (tx) => {
      await enqueue(tx, "note", "never");
      throw new Error("changed their mind");
    }),
  ).rejects.toThrow("changed");
  await ask(town, "note", { said: "hello" });
  await until(() => done.length > 0);
  expect(done).toEqual([{ said: "hello" }]);
  await until(() => kept(town).length === 0, "its end");
});

test("work that is for later is done then", async () => {
  await using town = await startTown();
  const done: number[] = [];
  await using _worker = worker(town.app.parts, { note: { run: async () => void done.push(Date.now()) } });
  const due = Date.now() + 300;
  await ask(town, "note", {}, due);
  await until(() => done.length > 0);
  expect(done[0]).toBeGreaterThanOrEqual(due);
});

test("work that was for a day far off is tried for as long as any, from then on", async () => {
  await using town = await startTown();
  const week = 7 * 24 * 60 * 60 * 1000;
  let tries = 0;
  await using _worker = worker(town.app.parts, {
    note: {
      run: async () => {
        tries++;
        throw new Error("not now");
      },
    },
  });
  await ask(town, "note", {}, Date.now() + week);
  // As if the week had passed.
  await town.write(async (tx) => {
    tx.drizzle.run(sql`update jobs set due_at = due_at - ${week}, created_at = created_at - ${week}`);
    tx.signal(jobsTopic);
  });
  await until(() => tries === 1 && kept(town)[0]?.last_error === "not now", "the first attempt");
  expect(kept(town)).toMatchObject([{ failed_at: null, attempts: 1 }]);
});

test("of two processes over one store, one does each job, and no job is left", async () => {
  await using town = await startTown();
  await using other = elsewhere(town);
  const done = new Map<number, number>();
  const handlers: JobHandlers = {
    count: {
      atOnce: 3,
      run: async (_parts, payload) => {
        await new Promise((turn) => setImmediate(turn));
        done.set(payload as number, (done.get(payload as number) ?? 0) + 1);
      },
    },
  };
  await using _one = worker(town.app.parts, handlers);
  await using _two = worker(other, handlers);
  await Promise.all(Array.from({ length: 100 }, (_, index) => ask(town, "count", index)));
  other.bus.signal([jobsTopic]);
  await until(() => kept(town).length === 0, "the end of all");
  expect(done.size).toBe(100);
  expect([...done.values()].filter((times) => times !== 1)).toEqual([]);
});

test("a job of a process that was killed is done by another when its lease is over, and not before", async () => {
  await using town = await startTown();
  const id = await ask(town, "note");
  const leased = Date.now() + 400;
  await town.write(
    async (tx) => void tx.drizzle.run(`update jobs set leased_until = ${leased}, attempts = 1`),
  );
  const done: number[] = [];
  await using _worker = worker(town.app.parts, {
    note: {
      run: async (_parts, _payload, work) => void done.push(Date.now(), work.attempt, Number(work.id === id)),
    },
  });
  await until(() => done.length > 0);
  expect(done[0]).toBeGreaterThanOrEqual(leased);
  expect(done.slice(1)).toEqual([2, 1]);
});

test("jobs that never end are cut off, hear of it, and hold up none of another name", async () => {
  await using town = await startTown();
  const heard: string[] = [];
  const done: string[] = [];
  await using _worker = worker(town.app.parts, {
    endless: {
      timeLimit: 300,
      run: (_parts, _payload, { signal }) => {
        signal.addEventListener("abort", () => heard.push(String(signal.reason)));
        return new Promise(() => undefined);
      },
    },
    note: { run: async () => void done.push("note") },
  });
  await ask(town, "endless");
  await ask(town, "endless");
  await ask(town, "note");
  await until(() => done.length === 1, "the other job");
  expect(heard).toEqual([]);
  await until(() => heard.length === 2, "the end of both");
  expect(heard[0]).toContain("not done within 1 seconds");
  await until(() => kept(town).filter(({ last_error }) => last_error?.includes("not done")).length === 2);
});

test("a job that fails is tried again, later each time, and given up after a day; no secret is kept of why", async () => {
  await using town = await startTown();
  const secret = "f3Kq9".repeat(9);
  let told = 0;
  await using _worker = worker(town.app.parts, {
    broken: {
      run: async () => {
        throw new Error(`The door at https://example.org/reset-password/${secret} is shut.`);
      },
      givenUp: async () => void told++,
    },
  });
  await ask(town, "broken", { keep: "me" });
  await until(() => kept(town)[0]?.last_error);
  const [first] = kept(town);
  expect(first).toMatchObject({ attempts: 1, failed_at: null, leased_until: null });
  expect(first?.last_error).toContain("is shut");
  expect(first?.last_error).not.toContain(secret);
  expect((first?.due_at ?? 0) - Date.now()).toBeGreaterThan(500);
  expect(told).toBe(0);

  const day = 24 * 60 * 60 * 1000;
  await town.write(async (tx) => {
    tx.drizzle.run(`update jobs set due_at = 0, created_at = created_at - ${day}`);
    tx.signal(jobsTopic);
  });
  await until(() => kept(town)[0]?.failed_at, "the end of trying");
  expect(kept(town)).toMatchObject([{ attempts: 2, payload: '{"keep":"me"}' }]);
  expect(told).toBe(1);
});

test("the pauses between attempts grow to hours, and fill a day with a dozen of them", () => {
  let [attempts, time] = [0, 0];
  for (; time < 24 * 60 * 60 * 1000; attempts++) time += backOff(attempts + 1);
  expect(attempts).toBeGreaterThan(10);
  expect(attempts).toBeLessThan(25);
  expect(backOff(1)).toBeLessThan(3_000);
  expect(new Set(Array.from({ length: 20 }, () => backOff(4))).size).toBeGreaterThan(1);
});

test("a site that closes hands back what it could not finish, uncounted", async () => {
  await using town = await startTown();
  let began = false;
  const { runner } = worker(town.app.parts, {
    endless: {
      run: () => {
        began = true;
        return new Promise(() => undefined);
      },
    },
  });
  await ask(town, "endless");
  await until(() => began);
  await runner.stop(0);
  expect(kept(town)).toMatchObject([{ attempts: 0, leased_until: null, failed_at: null, last_error: null }]);
});

test(
  "the command line lists what waits and what failed, and lets it begin anew",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    const run = async (...words: string[]) => {
      const { code, out, error } = await reprise(town.config.dataDir, words);
      return code === 0 ? out : error;
    };
    expect(await run("jobs")).toBe("No queued or failed jobs.");
    const mail = { to: "ana@example.org", subject: "A link" };
    const [unknown, failed] = [await ask(town, "of-a-newer-version"), await ask(town, "mail", { mail })];
    await until(() => kept(town)[1]?.failed_at, "the end of the mail");
    const listed = JSON.parse(await run("jobs", "--json")) as { id: string; state: string }[];
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [failed, "failed"],
      [unknown, "unknown"],
    ]);
    const printed = await run("jobs");
    expect(printed).toContain(`${failed}  failed   mail  after 1 attempt: What this mail said is not kept.`);
    expect(printed).not.toContain("ana@example.org");
    // A mail's link is gone with it; a job of another kind begins anew.
    expect(await run("jobs", "retry", failed)).toContain("asked for again");
    expect(await run("jobs", "retry", "nonsense")).toBe("There is no job nonsense.");
    expect(await run("jobs", "retry", "--all")).toBe("0 jobs will be tried again by the server.");
  },
);

test("a job that can't succeed is given up at once", async () => {
  await using town = await startTown();
  await using _worker = worker(town.app.parts, {
    hopeless: {
      run: async () => {
        throw new Hopeless("There is no such thing.");
      },
      kept: () => "little",
    },
  });
  await ask(town, "hopeless", "much");
  await until(() => kept(town)[0]?.failed_at);
  expect(kept(town)).toMatchObject([
    { attempts: 1, last_error: "There is no such thing.", payload: '"little"' },
  ]);
});

test("what was given up long ago is forgotten in small steps, and what was given up since is kept", async () => {
  await using town = await startTown();
  const { database } = town.app.parts;
  const now = Date.now();
  await town.write(
    async (tx) =>
      void tx.drizzle.run(sql`
        with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 1001)
        insert into jobs (id, name, payload, due_at, created_at, attempts, failed_at)
        select 'j' || n, 'nobody does it', '{}', 1, 1, 9, iif(n = 1, ${now}, 1) from counter`),
  );
  let writes = 0;
  await forgetFailed({ write: (...parts) => ((writes += 1), database.write(...parts)) }, now);
  expect(kept(town).map(({ id }) => id)).toEqual(["j1"]);
  expect(writes).toBeGreaterThan(2);
});

const hour = 60 * 60_000;
/** Hourly work of a test, while `settings` let it. */
const hourly = (run: () => Promise<void>, settings: { isOn: boolean } = { isOn: true }): JobHandlers => ({
  sweep: { recurs: { every: () => (settings.isOn ? hour : undefined) }, run },
});
const makeDue = (town: Town, name: string) =>
  town.write(async (tx) => {
    tx.drizzle.run(sql`update jobs set due_at = 1 where name like ${name}`);
    tx.signal(jobsTopic);
  });

test("recurring work is stored again once it is done", async () => {
  await using town = await startTown();
  let done = 0;
  const handlers = hourly(async () => void done++);
  await enqueueRecurring(town.app.parts, handlers);
  await using _worker = worker(town.app.parts, handlers);
  const [first] = kept(town);
  expect(first!.due_at).toBeGreaterThan(Date.now() + hour - 60_000);
  expect(done).toBe(0);
  await makeDue(town, "sweep");
  await until(() => done === 1 && kept(town)[0]?.id !== first!.id, "its end");
  const [next, ...more] = kept(town);
  expect([next!.due_at > Date.now() + hour - 60_000, more]).toEqual([true, []]);
});

test("recurring work that is given up is kept, and stored again", async () => {
  await using town = await startTown();
  const handlers = hourly(() => Promise.reject(new Hopeless("The disk is gone.")));
  await enqueueRecurring(town.app.parts, handlers);
  await using _worker = worker(town.app.parts, handlers);
  await makeDue(town, "sweep");
  await until(() => kept(town).length === 2, "the next run");
  expect(kept(town).toSorted((a, b) => a.due_at - b.due_at)).toMatchObject([
    { failed_at: expect.any(Number), last_error: "The disk is gone." },
    { failed_at: null, attempts: 0, last_error: null },
  ]);
});

test("recurring work keeps its time over a start, and is deleted when the settings turn it off", async () => {
  await using town = await startTown();
  const settings = { isOn: true };
  const handlers = hourly(async () => {}, settings);
  await enqueueRecurring(town.app.parts, handlers);
  const before = kept(town);
  expect(before).toHaveLength(1);
  await enqueueRecurring(town.app.parts, handlers);
  expect(kept(town)).toEqual(before);
  // Stored while the clock was years ahead.
  await town.write(
    async (tx) => void tx.drizzle.run(sql`update jobs set due_at = due_at * 2 where name = 'sweep'`),
  );
  await enqueueRecurring(town.app.parts, handlers);
  expect(kept(town)).toMatchObject([{ due_at: expect.toSatisfy((at: number) => at <= Date.now() + hour) }]);
  settings.isOn = false;
  await enqueueRecurring(town.app.parts, handlers);
  expect(kept(town)).toEqual([]);
});

test("all housekeeping that is due is done, and stored again", async () => {
  await using town = await startTown();
  const waiting = () => town.rows<Kept>("select * from jobs where name like 'tidy.%' order by name");
  const names = Object.keys(housekeeping).toSorted();
  expect(waiting().map(({ name }) => name)).toEqual(names);
  await makeDue(town, "tidy.%");
  await until(() => waiting().every(({ due_at }) => due_at > Date.now()), "the end of all");
  expect(waiting()).toMatchObject(names.map((name) => ({ name, attempts: 0, last_error: null })));
});

test("staff see housekeeping only after it has failed", async () => {
  await using town = await startTown();
  const boss = await town.resident("Boss");
  expect((await boss.api.moderation.jobs.query({})).jobs).toEqual([]);
  await town.write(
    async (tx) =>
      void tx.drizzle.run(sql`update jobs set attempts = 2, last_error = 'No.' where name = 'tidy.pictures'`),
  );
  expect((await boss.api.moderation.jobs.query({})).jobs).toMatchObject([
    { name: "tidy.pictures", state: "waiting", error: "No." },
  ]);
});
