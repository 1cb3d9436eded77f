import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Workers, type Bounds } from "../../src/server/workers/pool.ts";
import { DocumentError } from "../../src/shared/document/document-error.ts";
import { AppError } from "../../src/shared/errors.ts";

/* Threads of the pool, with tasks that do what no task should (tests/support/unruly-worker.ts). */

const unruly = path.resolve(import.meta.dirname, "../support/unruly-worker.ts");
const pool = (bounds: Partial<Bounds>) => new Workers({ entry: unruly, threads: 1, ...bounds });
/** The unruly entry reads the text as what to do. */
const act = (workers: Workers, what: string) => workers.run("markdown", { text: what });
const fate = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

test("a task that never ends is ended, and the next is done", async () => {
  const workers = pool({ patience: 3_000 });
  const [endless, next] = [fate(act(workers, "loop")), fate(act(workers, "work"))];
  expect(await endless).toBeInstanceOf(DocumentError);
  expect(await next).toBe("done");
  await workers.close();
});

test("a task that takes too much memory is ended, and the next is done", async () => {
  const workers = pool({ megabytes: 32 });
  expect(await fate(act(workers, "hoard"))).toBeInstanceOf(DocumentError);
  expect(await fate(act(workers, "work"))).toBe("done");
  await workers.close();
});

test("a bug in a task is one, and the next is done", async () => {
  const workers = pool({});
  expect(await fate(act(workers, "fail"))).toMatchObject({ message: "A bug." });
  expect(await fate(act(workers, "work"))).toBe("done");
  await workers.close();
});

test("more than may wait are asked to come again", async () => {
  const workers = pool({ waiting: 2, patience: 3_000 });
  const fates = await Promise.all(["loop", "work", "work", "work"].map((what) => fate(act(workers, what))));
  expect(fates[3]).toBeInstanceOf(AppError);
  expect(fates[3]).toMatchObject({ code: "unavailable", retryAfter: 5 });
  expect(fates.slice(1, 3)).toEqual(["done", "done"]);
  await workers.close();
  expect(await fate(act(workers, "work"))).toMatchObject({ code: "unavailable" });
});

test("whoever has many waiting waits behind who has one, and is asked to come again where it is too many", async () => {
  const workers = pool({ waitingOfOne: 3 });
  const order: string[] = [];
  const ask = (whose: string) =>
    fate(workers.run("markdown", { text: "work" }, whose).then(() => order.push(whose)));
  const many = ["ana", "ana", "ana", "ana", "ana"].map(ask);
  const one = ask("eve");
  expect(await many[4]).toMatchObject({ code: "too_many", retryAfter: 5 });
  expect(await Promise.all([...many.slice(0, 4), one])).toEqual(["done", "done", "done", "done", "done"]);
  // The first began at once; of those that wait each has a turn.
  expect(order).toEqual(["ana", "ana", "eve", "ana", "ana"]);
  await workers.close();
});

test("what is wrong with a text is said in the words of the main thread", async () => {
  const workers = new Workers();
  const document = JSON.stringify({ type: "doc", content: [{ type: "unheard-of" }] });
  const refused = await fate(workers.run("check", { document }));
  expect(refused).toBeInstanceOf(DocumentError);
  expect((refused as Error).message).toBe(
    "This text has something in it that this site does not know (“unheard-of”).",
  );
  await workers.close();
});

test.runIf(process.platform === "linux")("the main thread has the processor before the pool's", async () => {
  const workers = new Workers();
  await workers.run("markdown", { text: "Owls." });
  const niceness = readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));
  expect(niceness).toContain(getPriority(process.pid) + 5);
  await workers.close();
});
