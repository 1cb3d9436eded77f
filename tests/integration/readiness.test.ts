import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { aBlog, startTown, until, type Town } from "../support/town.ts";

const ready = async (town: Town) => {
  const answer = await fetch(`${town.url}/readyz`);
  return [answer.status, ((await answer.json()) as { status: string }).status];
};

test("a site that cannot write is not ready, though it goes on being read, and is again when it can", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  expect(await ready(town)).toEqual([200, "ready"]);
  const store = await town.write(
    async (tx) => (tx.drizzle as unknown as { $client: Sqlite.Database }).$client,
  );
  store.pragma("query_only = on");
  await until(async () => (await ready(town))[0] === 503, "the site's noticing it");
  expect(await ready(town)).toEqual([503, "cannot write"]);
  expect((await fetch(`${town.url}/blog/${slug}`)).status).toBe(200);
  expect((await fetch(`${town.url}/healthz`)).status).toBe(200);
  store.pragma("query_only = off");
  await until(async () => (await ready(town))[0] === 200, "the site's being ready again");
});

test("it is tried by writing, but not more than once a second or so, and a write that hangs is waited for briefly", async () => {
  await using town = await startTown();
  const tried = () => town.rows<{ value: string }>("select value from meta where key = 'probe'")[0]?.value;
  await ready(town);
  const tries = new Set<number>();
  await until(async () => {
    await Promise.all(Array.from({ length: 20 }, () => ready(town)));
    tries.add(Number(tried()));
    return tries.size === 3;
  }, "three tries");
  const [first = 0, second = 0, third = 0] = tries;
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(1_000);

  // Each is given up after two seconds.
  let release = () => undefined as void;
  const hangs = new Promise<void>((resolve) => (release = resolve));
  const hanging = Promise.allSettled(Array.from({ length: 10 }, () => town.write(() => hangs)));
  await until(async () => (await ready(town))[0] === 503, "the site's noticing it");
  expect(await ready(town)).toEqual([503, "cannot write"]);
  release();
  await hanging;
  await until(async () => (await ready(town))[0] === 200, "the site's being ready again");
});
