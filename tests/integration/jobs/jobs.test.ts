import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openSecondDatabase } from "../../support/second-database.ts";
import { execute } from "../../../src/server/database/connection.ts";
import type { Services } from "../../../src/server/context.ts";
import {
  enqueue,
  enqueueRecurring,
  deleteOldFailedJobs,
  NonRetryableError,
  type JobHandlers,
} from "../../../src/server/jobs/jobs.ts";
import { retryDelayMs, JobRunner } from "../../../src/server/jobs/runner.ts";
import { housekeeping } from "../../../src/server/housekeeping.ts";
import { Bus } from "../../../src/server/live/bus.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { reprise } from "../../support/command.ts";
import { siteWith } from "../../support/site-with.ts";
import { startTestSite, until, type TestSite } from "../../support/test-site.ts";

interface JobRow {
  id: string;
  name: string;
  payload: string;
  attempts: number;
  due_at: number;
  leased_until: number | null;
  last_error: string | null;
  failed_at: number | null;
}
const storedJobs = (testSite: TestSite) => testSite.jobs<JobRow>();
const enqueueJob = (
  testSite: TestSite,
  name: string,
  payload: object | string | number = {},
  dueAt?: number,
) => testSite.write((tx) => enqueue(tx, name, payload, dueAt));

/** Runs jobs of these names, beside the site's own runner. */
function startRunner(services: Services, handlers: JobHandlers): AsyncDisposable & { runner: JobRunner } {
  const runner = new JobRunner(services, handlers);
  return { runner, [Symbol.asyncDispose]: () => runner.stop(0) };
}

/** The services of another process over the same database. */
async function otherProcess(testSite: TestSite): Promise<Services & AsyncDisposable> {
  const bus = new Bus();
  const database = await openSecondDatabase(testSite, (topics) => bus.signal(topics));
  return { ...testSite.app.services, bus, database, [Symbol.asyncDispose]: () => database.close() };
}

test("runs a job after the commit that enqueues it, and not after a rollback", async () => {
  await using testSite = await startTestSite();
  const calls: unknown[] = [];
  await using _worker = startRunner(testSite.app.services, {
    note: { run: async (_parts, payload) => void calls.push(payload) },
  });
  await expect(
    testSite.write(async (tx) => {
      await enqueue(tx, "note", "never");
      throw new Error("changed their mind");
    }),
  ).rejects.toThrow("changed");
  await enqueueJob(testSite, "note", { said: "hello" });
  await until(() => calls.length > 0);
  expect(calls).toEqual([{ said: "hello" }]);
  await until(() => storedJobs(testSite).length === 0, "its end");
});

test("runs a job no earlier than its due time", async () => {
  await using testSite = await startTestSite();
  const calls: number[] = [];
  await using _worker = startRunner(testSite.app.services, {
    note: { run: async () => void calls.push(Date.now()) },
  });
  const dueAt = Date.now() + 300;
  await enqueueJob(testSite, "note", {}, dueAt);
  await until(() => calls.length > 0);
  expect(calls[0]).toBeGreaterThanOrEqual(dueAt);
});

test("counts the retry period of a job from its due time, not from when it was stored", async () => {
  await using testSite = await startTestSite();
  const week = 7 * 24 * 60 * 60 * 1000;
  let attempts = 0;
  await using _worker = startRunner(testSite.app.services, {
    note: {
      run: async () => {
        attempts++;
        throw new Error("not now");
      },
    },
  });
  await enqueueJob(testSite, "note", {}, Date.now() + week);
  // As if the week had passed.
  await testSite.write(async (tx) => {
    await execute(tx, sql`update jobs set due_at = due_at - ${week}, created_at = created_at - ${week}`);
    tx.signal(jobsTopic);
  });
  await until(() => attempts === 1 && storedJobs(testSite)[0]?.last_error === "not now", "the first attempt");
  expect(storedJobs(testSite)).toMatchObject([{ failed_at: null, attempts: 1 }]);
});

test("two processes over one database run each job exactly once", async () => {
  await using testSite = await startTestSite();
  await using other = await otherProcess(testSite);
  const runCounts = new Map<number, number>();
  const handlers: JobHandlers = {
    count: {
      concurrency: 3,
      run: async (_parts, payload) => {
        await new Promise((resolve) => setImmediate(resolve));
        runCounts.set(payload as number, (runCounts.get(payload as number) ?? 0) + 1);
      },
    },
  };
  await using _one = startRunner(testSite.app.services, handlers);
  await using _two = startRunner(other, handlers);
  await Promise.all(Array.from({ length: 100 }, (_, index) => enqueueJob(testSite, "count", index)));
  other.bus.signal([jobsTopic]);
  await until(() => storedJobs(testSite).length === 0, "the end of all");
  expect(runCounts.size).toBe(100);
  expect([...runCounts.values()].filter((times) => times !== 1)).toEqual([]);
});

test("another process runs the job of a killed one when its lease ends, and not before", async () => {
  await using testSite = await startTestSite();
  const id = await enqueueJob(testSite, "note");
  const leasedUntil = Date.now() + 400;
  await testSite.run(`update jobs set leased_until = ${leasedUntil}, attempts = 1`);
  const calls: number[] = [];
  await using _worker = startRunner(testSite.app.services, {
    note: {
      run: async (_parts, _payload, job) => void calls.push(Date.now(), job.attempt, Number(job.id === id)),
    },
  });
  await until(() => calls.length > 0);
  expect(calls[0]).toBeGreaterThanOrEqual(leasedUntil);
  expect(calls.slice(1)).toEqual([2, 1]);
});

test("aborts jobs at their time limit, and runs jobs of other names meanwhile", async () => {
  await using testSite = await startTestSite();
  const abortReasons: string[] = [];
  const calls: string[] = [];
  await using _worker = startRunner(testSite.app.services, {
    endless: {
      timeLimit: 300,
      run: (_parts, _payload, { signal }) => {
        signal.addEventListener("abort", () => abortReasons.push(String(signal.reason)));
        return new Promise(() => undefined);
      },
    },
    note: { run: async () => void calls.push("note") },
  });
  await enqueueJob(testSite, "endless");
  await enqueueJob(testSite, "endless");
  await enqueueJob(testSite, "note");
  await until(() => calls.length === 1, "the other job");
  expect(abortReasons).toEqual([]);
  await until(() => abortReasons.length === 2, "the end of both");
  expect(abortReasons[0]).toContain("not done within 1 seconds");
  await until(
    () => storedJobs(testSite).filter(({ last_error }) => last_error?.includes("not done")).length === 2,
  );
});

test("retries a failed job later, gives it up after a day, and keeps no secret in its error", async () => {
  await using testSite = await startTestSite();
  const secret = "f3Kq9".repeat(9);
  let givenUpCount = 0;
  await using _worker = startRunner(testSite.app.services, {
    broken: {
      run: async () => {
        throw new Error(`The door at https://example.org/reset-password/${secret} is shut.`);
      },
      onGivenUp: async () => void givenUpCount++,
    },
  });
  await enqueueJob(testSite, "broken", { keep: "me" });
  await until(() => storedJobs(testSite)[0]?.last_error);
  const [first] = storedJobs(testSite);
  expect(first).toMatchObject({ attempts: 1, failed_at: null, leased_until: null });
  expect(first?.last_error).toContain("is shut");
  expect(first?.last_error).not.toContain(secret);
  expect((first?.due_at ?? 0) - Date.now()).toBeGreaterThan(500);
  expect(givenUpCount).toBe(0);

  const day = 24 * 60 * 60 * 1000;
  await testSite.write(async (tx) => {
    await execute(tx, `update jobs set due_at = 0, created_at = created_at - ${day}`);
    tx.signal(jobsTopic);
  });
  await until(() => storedJobs(testSite)[0]?.failed_at, "the end of trying");
  expect(storedJobs(testSite)).toMatchObject([{ attempts: 2, payload: '{"keep":"me"}' }]);
  expect(givenUpCount).toBe(1);
});

test("retry delays are random, begin with seconds and fit 11 to 24 attempts into a day", () => {
  let [attempts, time] = [0, 0];
  for (; time < 24 * 60 * 60 * 1000; attempts++) time += retryDelayMs(attempts + 1);
  expect(attempts).toBeGreaterThan(10);
  expect(attempts).toBeLessThan(25);
  expect(retryDelayMs(1)).toBeLessThan(3_000);
  expect(new Set(Array.from({ length: 20 }, () => retryDelayMs(4))).size).toBeGreaterThan(1);
});

test("returns unfinished jobs on shutdown without counting the attempt", async () => {
  await using testSite = await startTestSite();
  let hasBegun = false;
  const { runner } = startRunner(testSite.app.services, {
    endless: {
      run: () => {
        hasBegun = true;
        return new Promise(() => undefined);
      },
    },
  });
  await enqueueJob(testSite, "endless");
  await until(() => hasBegun);
  await runner.stop(0);
  expect(storedJobs(testSite)).toMatchObject([
    { attempts: 0, leased_until: null, failed_at: null, last_error: null },
  ]);
});

test(
  "the command lists queued and failed jobs without addresses, and does not retry an email",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite();
    const run = async (...args: string[]) => {
      const { code, output, error } = await reprise(testSite.config.dataDir, args);
      return code === 0 ? output : error;
    };
    expect(await run("jobs")).toBe("No queued or failed jobs.");
    const mail = { to: "ana@example.org", subject: "A link" };
    const [unknownId, failedId] = [
      await enqueueJob(testSite, "of-a-newer-version"),
      await enqueueJob(testSite, "mail", { mail }),
    ];
    await until(() => storedJobs(testSite)[1]?.failed_at, "the end of the mail");
    const jobs = JSON.parse(await run("jobs", "--json")) as { id: string; state: string }[];
    expect(jobs.map(({ id, state }) => [id, state])).toEqual([
      [failedId, "failed"],
      [unknownId, "unknown"],
    ]);
    const output = await run("jobs");
    expect(output).toContain(`${failedId}  failed   mail  after 1 attempt: What this mail said is not kept.`);
    expect(output).not.toContain("ana@example.org");
    // The link of a failed email is deleted with its text, so it must be requested again.
    expect(await run("jobs", "retry", failedId)).toContain("request it again");
    expect(await run("jobs", "retry", "nonsense")).toBe("There is no job nonsense.");
    expect(await run("jobs", "retry", "--all")).toBe("0 jobs will be tried again by the server.");
  },
);

test("gives a job that cannot succeed up at once, with a reduced payload", async () => {
  await using testSite = await startTestSite();
  await using _worker = startRunner(testSite.app.services, {
    hopeless: {
      run: async () => {
        throw new NonRetryableError("There is no such thing.");
      },
      failedPayload: () => "little",
    },
  });
  await enqueueJob(testSite, "hopeless", "much");
  await until(() => storedJobs(testSite)[0]?.failed_at);
  expect(storedJobs(testSite)).toMatchObject([
    { attempts: 1, last_error: "There is no such thing.", payload: '"little"' },
  ]);
});

test("deletes jobs that failed long ago in small transactions, and keeps newer ones", async () => {
  await using testSite = await startTestSite();
  const { database } = testSite.app.services;
  const now = Date.now();
  await testSite.run(sql`
        with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 1001)
        insert into jobs (id, name, payload, due_at, created_at, attempts, failed_at)
        select 'j' || n, 'nobody does it', '{}', 1, 1, 9, case n when 1 then cast(${now} as bigint) else 1 end from counter`);
  let writes = 0;
  await deleteOldFailedJobs({ write: (...parts) => ((writes += 1), database.write(...parts)) }, now);
  expect(storedJobs(testSite).map(({ id }) => id)).toEqual(["j1"]);
  expect(writes).toBeGreaterThan(2);
});

const hour = 60 * 60_000;
/** An hourly job for tests, which recurs while `settings.isOn`. */
const hourly = (run: () => Promise<void>, settings: { isOn: boolean } = { isOn: true }): JobHandlers => ({
  sweep: { recurs: { every: () => (settings.isOn ? hour : undefined) }, run },
});
const makeDue = (testSite: TestSite, name: string) =>
  testSite.write(async (tx) => {
    await execute(tx, sql`update jobs set due_at = 1 where name like ${name}`);
    tx.signal(jobsTopic);
  });

test("stores a recurring job again once it has run", async () => {
  await using testSite = await startTestSite();
  let runCount = 0;
  const handlers = hourly(async () => void runCount++);
  await enqueueRecurring(testSite.app.services, handlers);
  await using _worker = startRunner(testSite.app.services, handlers);
  const [first] = storedJobs(testSite);
  expect(first!.due_at).toBeGreaterThan(Date.now() + hour - 60_000);
  expect(runCount).toBe(0);
  await makeDue(testSite, "sweep");
  await until(() => runCount === 1 && storedJobs(testSite)[0]?.id !== first!.id, "its end");
  const [next, ...more] = storedJobs(testSite);
  expect([next!.due_at > Date.now() + hour - 60_000, more]).toEqual([true, []]);
});

test("keeps a recurring job that was given up, and stores its next run", async () => {
  await using testSite = await startTestSite();
  const handlers = hourly(() => Promise.reject(new NonRetryableError("The disk is gone.")));
  await enqueueRecurring(testSite.app.services, handlers);
  await using _worker = startRunner(testSite.app.services, handlers);
  await makeDue(testSite, "sweep");
  await until(() => storedJobs(testSite).length === 2, "the next run");
  expect(storedJobs(testSite).toSorted((a, b) => a.due_at - b.due_at)).toMatchObject([
    { failed_at: expect.any(Number), last_error: "The disk is gone." },
    { failed_at: null, attempts: 0, last_error: null },
  ]);
});

test("a recurring job keeps its due time over a restart, and is deleted when the settings turn it off", async () => {
  await using testSite = await startTestSite();
  const settings = { isOn: true };
  const handlers = hourly(async () => {}, settings);
  await enqueueRecurring(testSite.app.services, handlers);
  const before = storedJobs(testSite);
  expect(before).toHaveLength(1);
  await enqueueRecurring(testSite.app.services, handlers);
  expect(storedJobs(testSite)).toEqual(before);
  // Stored while the clock was years ahead.
  await testSite.run(sql`update jobs set due_at = due_at * 2 where name = 'sweep'`);
  await enqueueRecurring(testSite.app.services, handlers);
  expect(storedJobs(testSite)).toMatchObject([
    { due_at: expect.toSatisfy((dueAt: number) => dueAt <= Date.now() + hour) },
  ]);
  settings.isOn = false;
  await enqueueRecurring(testSite.app.services, handlers);
  expect(storedJobs(testSite)).toEqual([]);
});

test("runs all housekeeping that is due, and stores it again", async () => {
  await using testSite = await startTestSite();
  const waiting = () => testSite.rows<JobRow>("select * from jobs where name like 'tidy.%' order by name");
  const names = Object.keys(housekeeping).toSorted();
  expect(waiting().map(({ name }) => name)).toEqual(names);
  await makeDue(testSite, "tidy.%");
  await until(() => waiting().every(({ due_at }) => due_at > Date.now()), "the end of all");
  expect(waiting()).toMatchObject(names.map((name) => ({ name, attempts: 0, last_error: null })));
});

test("shows housekeeping to staff only after it has failed", async () => {
  const [testSite, boss] = await siteWith("Boss");
  expect((await boss.api.administration.jobs.query({})).jobs).toEqual([]);
  await testSite.run(sql`update jobs set attempts = 2, last_error = 'No.' where name = 'tidy.pictures'`);
  expect((await boss.api.administration.jobs.query({})).jobs).toMatchObject([
    { name: "tidy.pictures", state: "waiting", error: "No." },
  ]);
});
