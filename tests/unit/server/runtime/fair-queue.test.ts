import { expect, test } from "vitest";
import { FairQueue } from "../../../../src/server/runtime/fair-queue.ts";

function all(queue: FairQueue<string>): string[] {
  const entries: string[] = [];
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) entries.push(entry);
  return entries;
}

test("puts an owner's many entries behind the first ones of others", () => {
  const queue = new FairQueue<string>();
  for (const entry of ["a1", "a2", "a3"]) queue.add("a", entry);
  queue.add("b", "b1");
  queue.add("c", "c1");
  queue.add("c", "c2");
  expect([queue.size, queue.sizeOf("a"), queue.sizeOf("nobody")]).toEqual([6, 3, 0]);
  expect(all(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  expect([queue.size, queue.sizeOf("a")]).toEqual([0, 0]);
});

test("keeps the place of an entry that may not start", () => {
  const queue = new FairQueue<string>();
  queue.add("a", "a1");
  queue.add("b", "b1");
  expect(queue.shift((entry) => entry !== "a1")).toBeUndefined();
  expect(all(queue)).toEqual(["a1", "b1"]);
});

test("puts an entry that starts again before the others of its owner", () => {
  const queue = new FairQueue<string>();
  queue.add("a", "a1");
  queue.add("a", "a2");
  const running = queue.shift()!;
  queue.add("a", running, "first");
  expect(all(queue)).toEqual(["a1", "a2"]);
});

test("removes an entry from anywhere, once, and returns the rest when cleared", () => {
  const queue = new FairQueue<string>();
  for (const entry of ["a1", "a2", "a3"]) queue.add("a", entry);
  queue.add("b", "b1");
  expect(queue.remove("a", "a2")).toBe(true);
  expect(queue.remove("a", "a2")).toBe(false);
  expect(queue.remove("b", "b1")).toBe(true);
  expect(queue.size).toBe(2);
  expect(queue.clear()).toEqual(["a1", "a3"]);
  expect([queue.size, queue.shift()]).toEqual([0, undefined]);
});
