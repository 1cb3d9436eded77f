import { expect, onTestFinished, test, vi } from "vitest";
import { Bus } from "../../../../src/server/live/bus.ts";
import { CacheMemory } from "../../../../src/server/runtime/cache.ts";
import { SignalCache } from "../../../../src/server/live/signal-cache.ts";

interface Owls {
  count: number;
}

function aCache() {
  const bus = new Bus();
  return { bus, cache: new SignalCache<Owls>(bus, ({ count }) => count * 1_000, new CacheMemory(40_000)) };
}

/** Reads that end when the test says so. */
function slowReads() {
  const ends: ((owls: Owls) => void)[] = [];
  const read = () => new Promise<Owls>((resolve) => ends.push(resolve));
  return { read, ends };
}

test("caches a value until one of its topics is signalled", async () => {
  const { bus, cache } = aCache();
  let reads = 0;
  const read = () => cache.of("wood", ["blog:1", "people"], async () => ({ count: ++reads }));
  expect([await read(), await read()]).toEqual([{ count: 1 }, { count: 1 }]);
  bus.signal(["blog:2"]);
  expect(await read()).toEqual({ count: 1 });
  bus.signal(["people"]);
  expect(cache.get("wood")).toBeUndefined();
  expect(await read()).toEqual({ count: 2 });
});

test("returns a value whose topic is signalled while it is read, but does not cache it", async () => {
  const { bus, cache } = aCache();
  const { read, ends } = slowReads();
  const reading = cache.of("wood", ["blog:1"], read);
  bus.signal(["blog:1"]);
  ends[0]!({ count: 1 });
  expect(await reading).toEqual({ count: 1 });
  expect(cache.get("wood")).toBeUndefined();
  expect(bus.listeners).toBe(0);
});

test("shares one read between concurrent callers, but not with those after a signal", async () => {
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

test("reads again after a failed read, and listens to nothing in between", async () => {
  const { bus, cache } = aCache();
  const fail = async (): Promise<Owls> => {
    throw new Error("no owls");
  };
  await expect(cache.of("wood", ["blog:1"], fail)).rejects.toThrow("no owls");
  expect(bus.listeners).toBe(0);
  expect(await cache.of("wood", ["blog:1"], async () => ({ count: 1 }))).toEqual({ count: 1 });
});

test("stops listening for a value that is dropped for others or too large", async () => {
  const { bus, cache } = aCache();
  const load = (key: string, count: number) => cache.of(key, [`blog:${key}`], async () => ({ count }));
  for (const key of ["one", "two", "three", "four", "five"]) await load(key, 9);
  expect(["one", "two", "five"].map((key) => cache.get(key))).toEqual([
    undefined,
    { count: 9 },
    { count: 9 },
  ]);
  expect(bus.listeners).toBe(4);
  expect(await load("six", 41)).toEqual({ count: 41 });
  expect(cache.get("six")).toBeUndefined();
  expect(bus.listeners).toBe(4);
});

test("drops a value on signals of topics that were added while it was read", () => {
  const { bus, cache } = aCache();
  const fill = cache.startFill("wood", ["people"]);
  fill.listen(["blog:1"]);
  fill.store({ count: 1 });
  fill.end();
  expect(cache.get("wood")).toEqual({ count: 1 });
  bus.signal(["blog:1"]);
  expect(cache.get("wood")).toBeUndefined();
  expect(bus.listeners).toBe(0);
});

test("is not used while nothing was read of other servers' writes, but is while their store is away", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { bus, cache } = aCache();
  const read = (count: number) => cache.of("wood", [], async () => ({ count }));
  await read(1);
  vi.advanceTimersByTime(10_000);
  expect(await read(2)).toEqual({ count: 1 });
  bus.noteRead(true);
  vi.advanceTimersByTime(2_900);
  expect(await read(3)).toEqual({ count: 1 });
  vi.advanceTimersByTime(200);
  expect(await read(4)).toEqual({ count: 4 });
  // A process that was stopped first finds that it got no answer in time.
  bus.noteRead(false);
  expect(await read(5)).toEqual({ count: 5 });
  bus.noteRead(true);
  bus.noteRead(false);
  vi.advanceTimersByTime(10_000);
  expect(await read(6)).toEqual({ count: 5 });
});
