import { afterEach, expect, test, vi } from "vitest";
import { holdLock } from "../../../../src/client/storage/hold-lock.ts";
import { tryLock } from "../../../../src/client/storage/try-lock.ts";
import { until } from "../../../support/until.ts";

/* Node has the locks of browsers: two holders in one process act as two tabs. */

afterEach(() => vi.unstubAllGlobals());

/** A tab that requests a lock, and whether it has begun. */
function aTab(name: string) {
  const end = new AbortController();
  const tab = { hasBegun: false, leave: () => end.abort() };
  holdLock(name, end.signal, () => (tab.hasBegun = true));
  return tab;
}

test("begins in the second tab when the first has released the lock", async () => {
  const [first, second, other] = [aTab("owls"), aTab("owls"), aTab("trains")];
  await until(async () => first.hasBegun && other.hasBegun);
  expect(second.hasBegun).toBe(false);
  first.leave();
  await until(async () => second.hasBegun);
  second.leave();
  other.leave();
});

test("never begins in a tab that has given up waiting", async () => {
  const [first, second, third] = [aTab("owls"), aTab("owls"), aTab("owls")];
  await until(async () => first.hasBegun);
  second.leave();
  first.leave();
  await until(async () => third.hasBegun);
  expect(second.hasBegun).toBe(false);
  third.leave();
});

test("releases the lock when its holder throws", async () => {
  holdLock("owls", new AbortController().signal, () => {
    throw new Error("no owls");
  });
  const next = aTab("owls");
  await until(async () => next.hasBegun);
  next.leave();
});

test("gives a lock to another tab only after it was released", async () => {
  const release = await tryLock("owls");
  expect(release).toBeTypeOf("function");
  expect(await tryLock("owls")).toBeNull();
  release?.();
  const lock = await tryLock("owls");
  expect(lock).toBeTypeOf("function");
  lock?.();
});

test("waits for a tab that is about to release the lock", async () => {
  const release = await tryLock("owls");
  const waiting = tryLock("owls");
  release?.();
  const lock = await waiting;
  expect(lock).toBeTypeOf("function");
  lock?.();
});

test("gives every tab the lock in a browser without locks", async () => {
  vi.stubGlobal("navigator", {});
  const [first, second] = [aTab("owls"), aTab("owls")];
  await until(async () => first.hasBegun && second.hasBegun);
  expect(await tryLock("owls")).toBeTypeOf("function");
  expect(await tryLock("owls")).toBeTypeOf("function");
});
