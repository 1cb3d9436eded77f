import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { oneAtATime } from "../../../src/client/blogs/feed-fill.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks somebody who answers when the test says so. */
function asking() {
  const asked: PromiseWithResolvers<string>[] = [];
  const used: string[] = [];
  const one = oneAtATime(
    () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    },
    (answer) => used.push(answer),
    (failures) => 100 * 2 ** failures,
  );
  const settled = () => vi.advanceTimersByTimeAsync(0);
  const answer = async (text: string) => (asked.at(-1)!.resolve(text), await settled());
  const fail = async () => (asked.at(-1)!.reject(new Error("no answer")), await settled());
  return { ...one, asked, used, answer, fail };
}

test("what is asked for while something is under way is asked for once more, and the older answer is dropped", async () => {
  const { ask, doubt, asked, used, answer } = asking();
  doubt();
  expect(asked.length).toBe(0);
  ask();
  ask();
  doubt();
  expect(asked.length).toBe(1);
  await answer("old");
  expect(used).toEqual([]);
  expect(asked.length).toBe(2);
  await answer("new");
  expect(used).toEqual(["new"]);
  ask();
  await answer("newer");
  expect(used).toEqual(["new", "newer"]);
  expect(asked.length).toBe(3);
});

test("what got no answer is asked for again after pauses that grow", async () => {
  const { ask, asked, used, answer, fail } = asking();
  ask();
  await fail();
  ask();
  await vi.advanceTimersByTimeAsync(99);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await fail();
  await vi.advanceTimersByTimeAsync(199);
  expect(asked.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  await answer("at last");
  expect(used).toEqual(["at last"]);
  expect(asked.length).toBe(3);
});

test("nothing is asked for or used after the end", async () => {
  const { ask, stop, asked, used, answer, fail } = asking();
  ask();
  stop();
  await answer("late");
  const other = asking();
  other.ask();
  await other.fail();
  other.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked.length, used, other.asked.length]).toEqual([1, [], 1]);
  await fail();
});
