import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Bus } from "../../../../src/server/live/bus.ts";

test("calls all listeners of a topic before signal returns, also a thousand", () => {
  const bus = new Bus();
  let callCount = 0;
  for (let index = 0; index < 1_000; index++) bus.listen("blog", () => void callCount++);
  bus.listen("another", () => void (callCount += 10_000));
  bus.signal(["nobody's", "blog"]);
  expect(callCount).toBe(1_000);
});

test("does not call a listener that has stopped, also during a signal", () => {
  const bus = new Bus();
  const calledListeners: string[] = [];
  const stops = ["a", "b", "c"].map((name) =>
    bus.listen("blog", () => {
      calledListeners.push(name);
      for (const stop of stops) stop();
    }),
  );
  bus.signal(["blog"]);
  bus.signal(["blog"]);
  expect(calledListeners).toEqual(["a"]);
  expect(bus.listeners).toBe(0);
});

test("runs a long queue in slices, in order, and lets other work run in between", async () => {
  const bus = new Bus();
  const processed: number[] = [];
  const work = (index: number) => {
    for (const end = performance.now() + 1; performance.now() < end;);
    processed.push(index);
  };
  for (let index = 0; index < 30; index++) bus.later(() => work(index));
  expect(processed).toEqual([]);
  const after: number[] = [];
  while (processed.length < 30) {
    await turn();
    after.push(processed.length);
  }
  expect(processed).toEqual(Array.from({ length: 30 }, (_, index) => index));
  expect(after.length).toBeGreaterThanOrEqual(5);
  bus.later(() => void processed.push(-1));
  bus.later(() => bus.later(() => void processed.push(-2)));
  await turn();
  await turn();
  expect(processed.slice(-2)).toEqual([-1, -2]);
});
