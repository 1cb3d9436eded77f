import { expect, test } from "vitest";
import { CacheMemory } from "../../../../src/server/runtime/cache.ts";
import { until } from "../../../support/until.ts";

interface Owl {
  name: string;
  bytes: number;
}

const owl = (name: string, bytes = 1_000): Owl => ({ name, bytes });
const sizeOf = ({ bytes }: Owl) => bytes;

test("keeps the same key of two caches apart", () => {
  const memory = new CacheMemory(10_000);
  const [day, night] = [memory.open<Owl>({ sizeOf }), memory.open<Owl>({ sizeOf })];
  day.set("owl", owl("a pygmy owl"));
  night.set("owl", owl("a tawny owl"));
  expect([day.get("owl")?.name, night.get("owl")?.name]).toEqual(["a pygmy owl", "a tawny owl"]);
  day.delete("owl");
  expect([day.has("owl"), night.has("owl")]).toEqual([false, true]);
});

test("drops what was used longest ago, whichever cache it is in, and says so", () => {
  const memory = new CacheMemory(5_000);
  const [day, night] = [memory.open<Owl>({ sizeOf }), memory.open<Owl>({ sizeOf })];
  const dropped: string[] = [];
  for (const name of ["first", "second", "third"])
    expect(day.set(name, owl(name), { onDrop: () => dropped.push(name) })).toBe(true);
  day.get("first");
  for (const name of ["fourth", "fifth"]) night.set(name, owl(name));
  expect(dropped).toEqual(["second"]);
  expect(["first", "third"].map((name) => day.has(name))).toEqual([true, true]);
});

test("does not keep a value larger than the memory, nor what another value took beside it", () => {
  const memory = new CacheMemory(8_000);
  const cache = memory.open<Owl>({ sizeOf });
  expect(cache.set("an eagle owl", owl("an eagle owl", 8_001))).toBe(false);
  expect(cache.set("a barn owl", owl("a barn owl", 100), { beside: 8_000 })).toBe(false);
  expect(cache.has("an eagle owl")).toBe(false);
});

test("drops a value after the time of its cache, or its own", async () => {
  const memory = new CacheMemory(10_000);
  const [hasty, calm] = [memory.open<Owl>({ sizeOf, ttl: 5 }), memory.open<Owl>({ sizeOf, ttl: 600_000 })];
  hasty.set("first", owl("first"));
  calm.set("second", owl("second"), { ttl: 5 });
  calm.set("third", owl("third"));
  await until(() => !hasty.has("first") && !calm.has("second"));
  expect(calm.has("third")).toBe(true);
});

test("drops everything when its size changes, and nothing otherwise", () => {
  const memory = new CacheMemory(10_000);
  const cache = memory.open<Owl>({ sizeOf });
  cache.set("owl", owl("owl"));
  memory.resize(10_000);
  expect(cache.has("owl")).toBe(true);
  memory.resize(20_000);
  expect(cache.has("owl")).toBe(false);
});
