import { expect, test } from "vitest";
import {
  ArrivalQueue,
  maxInTurn,
  intervalMs,
  type ArrivalPosition,
} from "../../../../src/client/ui/arrivals/arrival-queue.ts";

/** A list in a window, with a reader and a clock that the test controls. */
function aList() {
  let now = 0;
  const timers = new Set<{ at: number; act: () => void }>();
  const deletedIds = new Set<string>();
  const positions = new Map<string, ArrivalPosition>();
  const reader = { sees: "in view" as ArrivalPosition, isBusy: false };
  const shownIds: string[] = [];
  const clock = {
    now: () => now,
    after: (delay: number, act: () => void) => {
      const timer = { at: now + delay, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const queue = new ArrivalQueue(clock, {
    positionsOf: (ids) =>
      new Map(ids.filter((id) => !deletedIds.has(id)).map((id) => [id, positions.get(id) ?? reader.sees])),
    isBusy: () => reader.isBusy,
    show: (ids, timing) => void shownIds.push(...ids.map((id) => (timing === "now" ? `${id} now` : id))),
  });
  const advance = (time: number): void => {
    const end = now + time;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      timers.delete(next);
      now = next.at;
      next.act();
    }
    now = end;
  };
  const waitingCount = () => queue.waiting().onRequest;
  /** Changes what the reader does, and lets the queue notice. */
  const updateReader = (change: Partial<typeof reader>): void => {
    Object.assign(reader, change);
    queue.update();
  };
  return { queue, shownIds, positions, deletedIds, advance, reader, updateReader, waitingCount };
}

test("shows entries without a button, one a second, while the top of the list is in view", () => {
  const { queue, shownIds, advance, waitingCount } = aList();
  queue.add(["a"]);
  expect(shownIds).toEqual(["a"]);
  queue.add(["b"]);
  queue.add(["c"]);
  expect(waitingCount()).toBe(0);
  advance(intervalMs - 1);
  expect(shownIds).toEqual(["a"]);
  advance(1);
  expect(shownIds).toEqual(["a", "b"]);
  advance(intervalMs);
  expect(shownIds).toEqual(["a", "b", "c"]);
  expect(queue.waiting().ids.size).toBe(0);
});

test("shows an entry at once when the last one came long before", () => {
  const { queue, shownIds, advance } = aList();
  queue.add(["a"]);
  advance(5 * intervalMs);
  queue.add(["b"]);
  expect(shownIds).toEqual(["a", "b"]);
});

test("keeps more than five entries behind the button, and shows all of them when it is pressed", () => {
  const { queue, shownIds, advance, waitingCount } = aList();
  const many = Array.from({ length: maxInTurn + 1 }, (_, index) => `${index}`);
  queue.add(many);
  expect(waitingCount()).toBe(many.length);
  advance(10 * intervalMs);
  expect(shownIds).toEqual([]);
  expect(queue.takeAll()).toEqual(many);
  expect(waitingCount()).toBe(0);
  queue.add(["next"]);
  expect(shownIds).toEqual(["next"]);
});

test("shows the button for the sixth waiting entry where entries come faster than one a second", () => {
  const { queue, shownIds, advance, waitingCount } = aList();
  for (let index = 0; index < 12; index++) {
    queue.add([`${index}`]);
    advance(intervalMs / 2);
  }
  expect(waitingCount()).toBe(12 - shownIds.length);
  expect(waitingCount()).toBeGreaterThan(maxInTurn);
});

test.each([
  ["has scrolled past the top of the list", { sees: "passed" }, { sees: "in view" }],
  ["is busy", { isBusy: true }, { isBusy: false }],
] as const)(
  "makes entries wait for a reader who %s, and shows them in turn when that is over",
  (_, change, reset) => {
    const { queue, shownIds, advance, updateReader, waitingCount } = aList();
    updateReader(change);
    queue.add(["a"]);
    queue.add(["b"]);
    advance(10 * intervalMs);
    expect(shownIds).toEqual([]);
    expect(waitingCount()).toBe(2);
    updateReader(reset);
    expect(shownIds).toEqual(["a"]);
    expect(waitingCount()).toBe(0);
    advance(intervalMs);
    expect(shownIds).toEqual(["a", "b"]);
  },
);

test("puts three remaining entries behind the button when the reader begins to type", () => {
  const { queue, shownIds, advance, updateReader, waitingCount } = aList();
  queue.add(["a", "b", "c", "d"]);
  expect(waitingCount()).toBe(0);
  updateReader({ isBusy: true });
  expect(waitingCount()).toBe(3);
  advance(10 * intervalMs);
  expect(shownIds).toEqual(["a"]);
});

test("does not show the next entry when the reader began to type just before its turn", () => {
  const { queue, shownIds, advance, reader, waitingCount } = aList();
  queue.add(["a", "b"]);
  reader.isBusy = true;
  advance(intervalMs);
  expect(shownIds).toEqual(["a"]);
  expect(waitingCount()).toBe(1);
});

test("shows entries out of sight at once, also while the reader types", () => {
  const { queue, shownIds, updateReader, positions, waitingCount } = aList();
  updateReader({ isBusy: true });
  positions.set("below", "out of sight");
  queue.add(["here"]);
  queue.add(["below"]);
  expect(shownIds).toEqual(["below now"]);
  expect(waitingCount()).toBe(1);
});

test("neither counts nor shows an entry that was deleted meanwhile", () => {
  const { queue, shownIds, deletedIds, advance, updateReader, waitingCount } = aList();
  updateReader({ sees: "passed" });
  queue.add(["a", "b"]);
  deletedIds.add("a");
  updateReader({});
  expect(waitingCount()).toBe(1);
  updateReader({ sees: "in view" });
  advance(intervalMs);
  expect(shownIds).toEqual(["b"]);
});

test("waits another second when the reader points at a control of the list", () => {
  const { queue, shownIds, advance } = aList();
  queue.add(["a"]);
  queue.add(["b"]);
  advance(intervalMs / 2);
  queue.delay();
  advance(intervalMs / 2);
  expect(shownIds).toEqual(["a"]);
  advance(intervalMs / 2);
  expect(shownIds).toEqual(["a", "b"]);
});

test("shows an entry that was added twice once", () => {
  const { queue, shownIds, advance } = aList();
  queue.add(["a", "b"]);
  queue.add(["b"]);
  advance(10 * intervalMs);
  expect(shownIds).toEqual(["a", "b"]);
});

test("shows nothing more once its page was left", () => {
  const { queue, shownIds, advance } = aList();
  queue.add(["a", "b"]);
  queue.stop();
  advance(10 * intervalMs);
  expect(shownIds).toEqual(["a"]);
});
