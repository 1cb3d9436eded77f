import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tryUntilBack } from "../../../src/client/blogs/come-back.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const look = (visibilityState: "visible" | "hidden"): void => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event("visibilitychange"));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  page.visibilityState = "visible";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Tries what fails until `succeed` is called; keeps when it was tried. */
function trying(pause?: (attempt: number) => number) {
  const start = Date.now();
  const tries: number[] = [];
  let isBack = false;
  const stop = tryUntilBack(async () => {
    tries.push(Date.now() - start);
    if (!isBack) throw new Error("not there");
  }, pause);
  return { tries, stop, succeed: () => void (isBack = true) };
}

test("what is gone is asked for after growing pauses until it is back, and no more then", async () => {
  const { tries, succeed } = trying((attempt) => 100 * 2 ** attempt);
  await pass(700);
  expect(tries).toEqual([100, 300, 700]);
  succeed();
  await pass(60_000);
  look("visible");
  await pass(60_000);
  expect(tries).toEqual([100, 300, 700, 1_500]);
});

test("the pauses are about two seconds at first and never much more than a minute", async () => {
  const { tries, stop } = trying();
  await pass(3_600_000);
  stop();
  expect(tries[0]).toBeGreaterThanOrEqual(1_500);
  expect(tries[0]).toBeLessThanOrEqual(2_500);
  expect(tries.length).toBeGreaterThan(3_600 / 75);
  expect(tries.length).toBeLessThan(3_600 / 45 + 10);
});

test("nobody asks for what nobody looks at; it is asked for as soon as somebody does", async () => {
  const { tries, stop } = trying(() => 100);
  look("hidden");
  await pass(10_000);
  expect(tries).toEqual([]);
  look("visible");
  look("visible");
  await pass(0);
  expect(tries).toEqual([10_000]);
  await pass(100);
  expect(tries).toEqual([10_000, 10_100]);
  stop();
  look("visible");
  await pass(10_000);
  expect(tries).toEqual([10_000, 10_100]);
});
