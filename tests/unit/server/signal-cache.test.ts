import { expect, test } from "vitest";
import { Bus } from "../../../src/server/live/bus.ts";
import { SignalCache } from "../../../src/server/live/signal-cache.ts";

interface Owls {
  count: number;
}

function aCache(maxSize = 10) {
  const bus = new Bus();
  return { bus, cache: new SignalCache<Owls>(bus, { maxSize, sizeOf: ({ count }) => count }) };
}

/** Reads that end when the test says so. */
function slowReads() {
  const ends: ((owls: Owls) => void)[] = [];
  const read = () => new Promise<Owls>((resolve) => ends.push(resolve));
  return { read, ends };
}

test("a value that is kept is not read again until one of its topics rings", async () => {
  const { bus, cache } = aCache();
  let reads = 0;
  const ask = () => cache.of("wood", ["blog:1", "people"], async () => ({ count: ++reads }));
  expect([await ask(), await ask()]).toEqual([{ count: 1 }, { count: 1 }]);
  bus.signal(["blog:2"]);
  expect(await ask()).toEqual({ count: 1 });
  bus.signal(["people"]);
  expect(cache.get("wood")).toBeUndefined();
  expect(await ask()).toEqual({ count: 2 });
});

test("a value whose topic rings while it is read is answered with, and not kept", async () => {
  const { bus, cache } = aCache();
  const { read, ends } = slowReads();
  const asked = cache.of("wood", ["blog:1"], read);
  bus.signal(["blog:1"]);
  ends[0]!({ count: 1 });
  expect(await asked).toEqual({ count: 1 });
  expect(cache.get("wood")).toBeUndefined();
  expect(bus.listeners).toBe(0);
});

test("those who ask at once share one reading, those who ask after a ring have another", async () => {
  const { bus, cache } = aCache();
  const { read, ends } = slowReads();
  const [first, second] = [cache.of("wood", ["blog:1"], read), cache.of("wood", ["blog:1"], read)];
  bus.signal(["blog:1"]);
  const third = cache.of("wood", ["blog:1"], read);
  expect(ends).toHaveLength(2);
  ends[1]!({ count: 2 });
  ends[0]!({ count: 1 });
  expect([await first, await second, await third]).toEqual([{ count: 1 }, { count: 1 }, { count: 2 }]);
  expect(cache.get("wood")).toEqual({ count: 2 });
});

test("a reading that fails is tried again by the next who asks, and listens to nothing", async () => {
  const { bus, cache } = aCache();
  const fail = async (): Promise<Owls> => {
    throw new Error("no owls");
  };
  await expect(cache.of("wood", ["blog:1"], fail)).rejects.toThrow("no owls");
  expect(bus.listeners).toBe(0);
  expect(await cache.of("wood", ["blog:1"], async () => ({ count: 1 }))).toEqual({ count: 1 });
});

test("a value that gives way to others, or is too large, listens to nothing any more", async () => {
  const { bus, cache } = aCache();
  const keep = (key: string, count: number) => cache.of(key, [`blog:${key}`], async () => ({ count }));
  await keep("one", 6);
  await keep("two", 6);
  expect([cache.get("one"), cache.get("two")]).toEqual([undefined, { count: 6 }]);
  expect(bus.listeners).toBe(1);
  expect(await keep("three", 11)).toEqual({ count: 11 });
  expect(cache.get("three")).toBeUndefined();
  expect(bus.listeners).toBe(1);
});

test("topics that are known later count from when they are listened to", () => {
  const { bus, cache } = aCache();
  const watch = cache.startFill("wood", ["people"]);
  watch.listen(["blog:1"]);
  watch.store({ count: 1 });
  watch.end();
  expect(cache.get("wood")).toEqual({ count: 1 });
  bus.signal(["blog:1"]);
  expect(cache.get("wood")).toBeUndefined();
  expect(bus.listeners).toBe(0);
});
