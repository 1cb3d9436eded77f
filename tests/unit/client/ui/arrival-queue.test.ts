import { expect, test } from "vitest";
import { ArrivalQueue, mostInTurn, pace, type Place } from "../../../../src/client/ui/arrivals/queue.ts";

/** A list in a window, whose reader does what the test says, and a clock that the test moves. */
function aList() {
  let now = 0;
  const timers = new Set<{ at: number; act: () => void }>();
  const gone = new Set<string>();
  const places = new Map<string, Place>();
  const reader = { sees: "in view" as Place, isBusy: false };
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
    placesOf: (ids) =>
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
  /** The reader does something, and the page notices. */
  const does = (change: Partial<typeof reader>): void => {
    Object.assign(reader, change);
    queue.look();
  };
  return { queue, shown, places, gone, pass, reader, does, behindButton };
}

test("where the top of the list is in view, what comes is shown without a button, one a second", () => {
  const { queue, shown, pass, behindButton } = aList();
  queue.add(["a"]);
  expect(shown).toEqual(["a"]);
  queue.add(["b"]);
  queue.add(["c"]);
  expect(behindButton()).toBe(0);
  pass(pace - 1);
  expect(shown).toEqual(["a"]);
  pass(1);
  expect(shown).toEqual(["a", "b"]);
  pass(pace);
  expect(shown).toEqual(["a", "b", "c"]);
  expect(queue.waiting().ids.size).toBe(0);
});

test("what comes long after the last is shown immediately", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a"]);
  pass(5 * pace);
  queue.add(["b"]);
  expect(shown).toEqual(["a", "b"]);
});

test("more than five wait behind the button, and all of them are shown together when it is pressed", () => {
  const { queue, shown, pass, behindButton } = aList();
  const many = Array.from({ length: mostInTurn + 1 }, (_, index) => `${index}`);
  queue.add(many);
  expect(behindButton()).toBe(many.length);
  pass(10 * pace);
  expect(shown).toEqual([]);
  expect(queue.takeAll()).toEqual(many);
  expect(behindButton()).toBe(0);
  queue.add(["next"]);
  expect(shown).toEqual(["next"]);
});

test("in a talk that is quicker than one a second the sixth that waits brings the button", () => {
  const { queue, shown, pass, behindButton } = aList();
  for (let index = 0; index < 12; index++) {
    queue.add([`${index}`]);
    pass(pace / 2);
  }
  expect(behindButton()).toBe(12 - shown.length);
  expect(behindButton()).toBeGreaterThan(mostInTurn);
});

test.each([
  ["has scrolled past the top of the list", { sees: "passed" }, { sees: "in view" }],
  ["is busy", { isBusy: true }, { isBusy: false }],
] as const)("for a reader who %s it waits, and comes in turn when that is over", (_, begun, over) => {
  const { queue, shown, pass, does, behindButton } = aList();
  does(begun);
  queue.add(["a"]);
  queue.add(["b"]);
  pass(10 * pace);
  expect(shown).toEqual([]);
  expect(behindButton()).toBe(2);
  does(over);
  expect(shown).toEqual(["a"]);
  expect(behindButton()).toBe(0);
  pass(pace);
  expect(shown).toEqual(["a", "b"]);
});

test("when the reader begins to type while three are still to come, these wait behind the button", () => {
  const { queue, shown, pass, does, behindButton } = aList();
  queue.add(["a", "b", "c", "d"]);
  expect(behindButton()).toBe(0);
  does({ isBusy: true });
  expect(behindButton()).toBe(3);
  pass(10 * pace);
  expect(shown).toEqual(["a"]);
});

test("a reader who begins to type just before the next turn keeps it from coming", () => {
  const { queue, shown, pass, reader, behindButton } = aList();
  queue.add(["a", "b"]);
  reader.isBusy = true;
  pass(pace);
  expect(shown).toEqual(["a"]);
  expect(behindButton()).toBe(1);
});

test("what moves nothing in the window is shown immediately, also to a reader who types", () => {
  const { queue, shown, does, places, behindButton } = aList();
  does({ isBusy: true });
  places.set("below", "out of sight");
  queue.add(["here"]);
  queue.add(["below"]);
  expect(shown).toEqual(["below now"]);
  expect(behindButton()).toBe(1);
});

test("what is gone meanwhile is neither counted nor shown", () => {
  const { queue, shown, gone, pass, does, behindButton } = aList();
  does({ sees: "passed" });
  queue.add(["a", "b"]);
  gone.add("a");
  does({});
  expect(behindButton()).toBe(1);
  does({ sees: "in view" });
  pass(pace);
  expect(shown).toEqual(["b"]);
});

test("while the reader points at a control of the list the next turn is a second away", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a"]);
  queue.add(["b"]);
  pass(pace / 2);
  queue.delay();
  pass(pace / 2);
  expect(shown).toEqual(["a"]);
  pass(pace / 2);
  expect(shown).toEqual(["a", "b"]);
});

test("an entry that is told of twice comes once", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a", "b"]);
  queue.add(["b"]);
  pass(10 * pace);
  expect(shown).toEqual(["a", "b"]);
});

test("when its page is left, nothing is shown any more", () => {
  const { queue, shown, pass } = aList();
  queue.add(["a", "b"]);
  queue.stop();
  pass(10 * pace);
  expect(shown).toEqual(["a"]);
});
