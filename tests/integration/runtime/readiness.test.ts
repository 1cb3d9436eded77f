import type Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { failWrites } from "../../support/failing-writes.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite, until, type TestSite } from "../../support/test-site.ts";

const ready = async (testSite: TestSite) => {
  const answer = await fetch(`${testSite.url}/readyz`);
  return [answer.status, ((await answer.json()) as { status: string }).status];
};

/** Makes the database refuse each write; the part that the readiness probe writes, on PostgreSQL. */
async function refuseWrites(testSite: TestSite): Promise<() => Promise<void> | void> {
  if (isPostgres) return failWrites(testSite, "insert or update on meta");
  const store = await testSite.write(
    async (tx) => (tx.drizzle as unknown as { $client: Sqlite.Database }).$client,
  );
  store.pragma("query_only = on");
  return () => void store.pragma("query_only = off");
}

test("is not ready while the database cannot be written, though pages stay readable", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { slug } = await ana.api.blogs.create.mutate(aBlog());
  expect(await ready(testSite)).toEqual([200, "ready"]);
  const stop = await refuseWrites(testSite);
  await until(async () => (await ready(testSite))[0] === 503, "the site's noticing it");
  expect(await ready(testSite)).toEqual([503, "cannot write"]);
  expect((await fetch(`${testSite.url}/blog/${slug}`)).status).toBe(200);
  expect((await fetch(`${testSite.url}/healthz`)).status).toBe(200);
  await stop();
  await until(async () => (await ready(testSite))[0] === 200, "the site's being ready again");
});

test("probes by writing at most once a second, and briefly waits for a write that hangs", async () => {
  await using testSite = await startTestSite();
  const lastProbe = () =>
    testSite.rows<{ value: string }>("select value from meta where key = 'probe'")[0]?.value;
  await ready(testSite);
  const probes = new Set<number>();
  await until(async () => {
    await Promise.all(Array.from({ length: 20 }, () => ready(testSite)));
    probes.add(Number(lastProbe()));
    return probes.size === 3;
  }, "three tries");
  const [first = 0, second = 0, third = 0] = probes;
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(1_000);

  // A probe times out after two seconds.
  let release = () => undefined as void;
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const hangingWrites = Promise.allSettled(Array.from({ length: 10 }, () => testSite.write(() => blocked)));
  await until(async () => (await ready(testSite))[0] === 503, "the site's noticing it");
  expect(await ready(testSite)).toEqual([503, "cannot write"]);
  release();
  await hangingWrites;
  await until(async () => (await ready(testSite))[0] === 200, "the site's being ready again");
});
