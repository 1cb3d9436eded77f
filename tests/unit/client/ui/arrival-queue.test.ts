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
  const gone = new Set<string>();
  const places = new Map<string, ArrivalPosition>();
  const reader = { sees: "in view" as ArrivalPosition, isBusy: false };
  const shown: string[] = [];
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
      new Map(ids.filter((id) => !gone.has(id)).map((id) => [id, places.get(id) ?? reader.sees])),
    isBusy: () => reader.isBusy,
    show: (ids, way) => void shown.push(...ids.map((id) => (way === "now" ? `${id} now` : id))),
  });
  const pass = (time: number): void => {
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
  const behindButton = () => queue.waiting().onRequest;
  /** Changes what the reader does, and lets the queue notice. */
  const does = (change: Partial<typeof reader>): void => {
    Object.assign(reader, change);
    queue.update();
  };
  return { queue, shown, places, gone, pass, reader, does, behindButton };
}

test("shows entries without a button, one a second, while the top of the list is in view", () => {
  const { queue, shown, pass, behindButton } = aList();
  queue.add(["a"]);
  expect(shown).toEqual(["a"]);
  queue.add(["b"]);
  queue.add(["c"]);
  expect(behindButton()).toBe(0);
  pass(intervalMs - 1);
  expect(shown).toEqual(["a"]);
  pass(1);
  expect(shown).toEqual(["a", "b"]);
  pass(intervalMs);
  expect(shown).toEqual(["a", "b", "c"]);
  expect(queue.waiting().ids.size).toBe(0);
});

test("shows an entry at once when the last one came long before", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a"]);
  pass(5 * intervalMs);
  queue.add(["b"]);
  expect(shown).toEqual(["a", "b"]);
});

test("keeps more than five entries behind the button, and shows all of them when it is pressed", () => {
  const { queue, shown, pass, behindButton } = aList();
  const many = Array.from({ length: maxInTurn + 1 }, (_, index) => `${index}`);
  queue.add(many);
  expect(behindButton()).toBe(many.length);
  pass(10 * intervalMs);
  expect(shown).toEqual([]);
  expect(queue.takeAll()).toEqual(many);
  expect(behindButton()).toBe(0);
  queue.add(["next"]);
  expect(shown).toEqual(["next"]);
});

test("shows the button for the sixth waiting entry where entries come faster than one a second", () => {
  const { queue, shown, pass, behindButton } = aList();
  for (let index = 0; index < 12; index++) {
    queue.add([`${index}`]);
    pass(intervalMs / 2);
  }
  expect(behindButton()).toBe(12 - shown.length);
  expect(behindButton()).toBeGreaterThan(maxInTurn);
});

test.each([
  ["has scrolled past the top of the list", { sees: "passed" }, { sees: "in view" }],
  ["is busy", { isBusy: true }, { isBusy: false }],
] as const)(
  "makes entries wait for a reader who %s, and shows them in turn when that is over",
  (_, begun, over) => {
    const { queue, shown, pass, does, behindButton } = aList();
    does(begun);
    queue.add(["a"]);
    queue.add(["b"]);
    pass(10 * intervalMs);
    expect(shown).toEqual([]);
    expect(behindButton()).toBe(2);
    does(over);
    expect(shown).toEqual(["a"]);
    expect(behindButton()).toBe(0);
    pass(intervalMs);
    expect(shown).toEqual(["a", "b"]);
  },
);

test("puts three remaining entries behind the button when the reader begins to type", () => {
  const { queue, shown, pass, does, behindButton } = aList();
  queue.add(["a", "b", "c", "d"]);
  expect(behindButton()).toBe(0);
  does({ isBusy: true });
  expect(behindButton()).toBe(3);
  pass(10 * intervalMs);
  expect(shown).toEqual(["a"]);
});

test("does not show the next entry when the reader began to type just before its turn", () => {
  const { queue, shown, pass, reader, behindButton } = aList();
  queue.add(["a", "b"]);
  reader.isBusy = true;
  pass(intervalMs);
  expect(shown).toEqual(["a"]);
  expect(behindButton()).toBe(1);
});

test("shows entries out of sight at once, also while the reader types", () => {
  const { queue, shown, does, places, behindButton } = aList();
  does({ isBusy: true });
  places.set("below", "out of sight");
  queue.add(["here"]);
  queue.add(["below"]);
  expect(shown).toEqual(["below now"]);
  expect(behindButton()).toBe(1);
});

test("neither counts nor shows an entry that was deleted meanwhile", () => {
  const { queue, shown, gone, pass, does, behindButton } = aList();
  does({ sees: "passed" });
  queue.add(["a", "b"]);
  gone.add("a");
  does({});
  expect(behindButton()).toBe(1);
  does({ sees: "in view" });
  pass(intervalMs);
  expect(shown).toEqual(["b"]);
});

test("waits another second when the reader points at a control of the list", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a"]);
  queue.add(["b"]);
  pass(intervalMs / 2);
  queue.delay();
  pass(intervalMs / 2);
  expect(shown).toEqual(["a"]);
  pass(intervalMs / 2);
  expect(shown).toEqual(["a", "b"]);
});

test("shows an entry that was added twice once", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a", "b"]);
  queue.add(["b"]);
  pass(10 * intervalMs);
  expect(shown).toEqual(["a", "b"]);
});

test("shows nothing more once its page was left", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a", "b"]);
  queue.stop();
  pass(10 * intervalMs);
  expect(shown).toEqual(["a"]);
});
