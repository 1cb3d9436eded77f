import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pauses } from "../../../src/client/api/pauses.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Takes a pause, and tells how long it lasted. */
async function lengthOf(pauses: Pauses): Promise<number> {
  const from = Date.now();
  const taken = pauses.take().then(() => Date.now() - from);
  await vi.runAllTimersAsync();
  return taken;
}

test("the first attempt needs no pause, and each failure a longer one", async () => {
  const pauses = new Pauses();
  const lengths = [await lengthOf(pauses)];
  for (let failure = 0; failure < 3; failure++) {
    pauses.failed();
    lengths.push(await lengthOf(pauses));
  }
  expect(lengths).toEqual([0, 500, 1_000, 2_000]);
});

test("a pause that is cut ends at once, and the next is as short as the first", async () => {
  const pauses = new Pauses();
  for (let failure = 0; failure < 6; failure++) pauses.failed();
  const from = Date.now();
  const taken = pauses.take();
  pauses.cut();
  await taken;
  expect(Date.now()).toBe(from);
  expect(vi.getTimerCount()).toBe(0);
  pauses.failed();
  expect(await lengthOf(pauses)).toBe(500);
});

test("a pause that is cut before it begins is none", async () => {
  const pauses = new Pauses();
  pauses.failed();
  pauses.cut();
  expect(await lengthOf(pauses)).toBe(0);
});
