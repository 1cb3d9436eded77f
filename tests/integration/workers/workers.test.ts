import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ThreadPool, type ThreadPoolOptions } from "../../../src/server/workers/pool.ts";
import { DocumentError } from "../../../src/shared/document/document-error.ts";
import { AppError } from "../../../src/shared/errors.ts";

/* Threads of the pool with misbehaving tasks (tests/support/misbehaving-worker.ts). */

const misbehaving = path.resolve(import.meta.dirname, "../../support/misbehaving-worker.ts");
const pool = (options: Partial<ThreadPoolOptions>) =>
  new ThreadPool({ entry: misbehaving, threads: 1, ...options });
/** The entry reads the text as what to do. */
const runTask = (workers: ThreadPool, text: string) => workers.run("markdown", { text });
const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => error,
  );

test("ends an endless task, and runs the next", async () => {
  const workers = pool({ timeoutMs: 3_000 });
  const [endlessOutcome, nextOutcome] = [
    outcomeOf(runTask(workers, "loop")),
    outcomeOf(runTask(workers, "work")),
  ];
  expect(await endlessOutcome).toBeInstanceOf(DocumentError);
  expect(await nextOutcome).toBe("done");
  await workers.close();
});

test("ends a task that takes too much memory, and runs the next", async () => {
  const workers = pool({ megabytes: 32 });
  expect(await outcomeOf(runTask(workers, "hoard"))).toBeInstanceOf(DocumentError);
  expect(await outcomeOf(runTask(workers, "work"))).toBe("done");
  await workers.close();
});

test("reports a bug in a task, and runs the next", async () => {
  const workers = pool({});
  expect(await outcomeOf(runTask(workers, "fail"))).toMatchObject({ message: "A bug." });
  expect(await outcomeOf(runTask(workers, "work"))).toBe("done");
  await workers.close();
});

test("refuses tasks beyond the limit of the queue", async () => {
  const workers = pool({ waiting: 2, timeoutMs: 3_000 });
  const outcomes = await Promise.all(
    ["loop", "work", "work", "work"].map((text) => outcomeOf(runTask(workers, text))),
  );
  expect(outcomes[3]).toBeInstanceOf(AppError);
  expect(outcomes[3]).toMatchObject({ code: "unavailable", retryAfter: 5 });
  expect(outcomes.slice(1, 3)).toEqual(["done", "done"]);
  await workers.close();
  expect(await outcomeOf(runTask(workers, "work"))).toMatchObject({ code: "unavailable" });
});

test("lets waiting callers take turns, and refuses a caller's tasks beyond their own limit", async () => {
  const workers = pool({ maxWaitingPerClient: 3 });
  const order: string[] = [];
  const runFor = (caller: string) =>
    outcomeOf(workers.run("markdown", { text: "work" }, caller).then(() => order.push(caller)));
  const anasTasks = ["ana", "ana", "ana", "ana", "ana"].map(runFor);
  const evesTask = runFor("eve");
  expect(await anasTasks[4]).toMatchObject({ code: "too_many", retryAfter: 5 });
  expect(await Promise.all([...anasTasks.slice(0, 4), evesTask])).toEqual([
    "done",
    "done",
    "done",
    "done",
    "done",
  ]);
  // The first began at once; then the waiting callers take turns.
  expect(order).toEqual(["ana", "ana", "eve", "ana", "ana"]);
  await workers.close();
});

test("saves while readers' tasks fill all their places, few of which one address has", async () => {
  const reading = { tasks: ["draw"], threads: 1, waiting: 3, maxWaitingPerClient: 2 };
  const workers = pool({ threads: 2, waiting: 3, timeoutMs: 3_000, reading });
  const read = (text: string, address: string) =>
    outcomeOf(workers.run("draw", { text } as never, address).then(() => undefined));
  const endless = read("loop", "203.0.113.1");
  const waiting = ["203.0.113.1", "203.0.113.1", "203.0.113.2"].map((address) => read("work", address));
  expect(await read("work", "203.0.113.1")).toMatchObject({ code: "too_many", retryAfter: 5 });
  expect(await read("work", "203.0.113.3")).toMatchObject({ code: "unavailable", retryAfter: 5 });
  const saves = ["ana", "bob", "eve"].map((member) =>
    outcomeOf(workers.run("markdown", { text: "work" }, member)),
  );
  // Before any reader's task has ended.
  expect(await Promise.race([Promise.all(saves), ...waiting])).toEqual(["done", "done", "done"]);
  expect(await endless).toBeInstanceOf(DocumentError);
  expect(await Promise.all(waiting)).toEqual(["done", "done", "done"]);
  await workers.close();
});

test("gives the only thread to a waiting save before the readers", async () => {
  const workers = pool({});
  const order: string[] = [];
  const task = { text: "work", html: "" };
  const run = (name: "draw" | "markdown") => workers.run(name, task, name).then(() => order.push(name));
  await Promise.all([run("draw"), run("draw"), run("draw"), run("markdown")]);
  expect(order).toEqual(["draw", "markdown", "draw", "draw"]);
  await workers.close();
});

test("reports an invalid document with the main thread's error and message", async () => {
  const workers = new ThreadPool();
  const document = JSON.stringify({ type: "doc", content: [{ type: "unheard-of" }] });
  const error = await outcomeOf(workers.run("check", { document }));
  expect(error).toBeInstanceOf(DocumentError);
  expect((error as Error).message).toBe(
    "This text has something in it that this site does not know (“unheard-of”).",
  );
  await workers.close();
});

test.runIf(process.platform === "linux")(
  "gives the main thread a higher priority than the pool's threads",
  async () => {
    const workers = new ThreadPool();
    await workers.run("markdown", { text: "Owls." });
    const niceness = readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
    expect(niceness).toContain(getPriority(process.pid) + 5);
    await workers.close();
  },
);
