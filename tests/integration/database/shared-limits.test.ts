import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { RateLimits } from "../../../src/server/auth/rate-limits.ts";
import { isBusy } from "../../../src/server/database/errors.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { jobsTopic } from "../../../src/server/live/signals.ts";
import { postgresUrl } from "../../../scripts/postgres.ts";
import { createDatabase, openAlone } from "../../support/open-postgres.ts";
import { siteWith } from "../../support/site-with.ts";
import { until } from "../../support/until.ts";

/* What the servers of a site count together in PostgreSQL, and alone while it does not answer. */

/** The limits of two servers of a site. */
async function openTwo(isOn = true): Promise<[RateLimits, RateLimits]> {
  const url = await createDatabase();
  const limitsOf = async () => RateLimits.open((await openAlone(url)).database, isOn);
  return [await limitsOf(), await limitsOf()];
}

const outcome = (taken: Promise<void>) =>
  taken.then(
    () => "done",
    (error: unknown) => (error as { code: string }).code,
  );
const address = "2001:db8:1:2::1";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-pg-away-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Addresses of databases that do not answer, by how. */
const away = {
  "is stopped": async () => postgresUrl(await createFolder(), "none"),
  "is silent": async () => {
    const folder = await createFolder();
    const server = createServer(() => undefined).listen(path.join(folder, ".s.PGSQL.5432"));
    onTestFinished(() => void server.close());
    return postgresUrl(folder, "none");
  },
  "has the table locked": async () => {
    const url = await createDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("begin; lock table rate_limits");
    return url;
  },
};

describe.skipIf(!isPostgres)("rate limits on PostgreSQL", () => {
  test("what two servers count is one count, for which also resets and refunds of either hold", async () => {
    const [one, other] = await openTwo();
    const attempts = async () => [
      await outcome(one.take("ownPassword", address)),
      await outcome(other.take("ownPassword", address)),
    ];
    for (let count = 0; count < 5; count++) expect(await attempts()).toEqual(["done", "done"]);
    expect(await attempts()).toEqual(["too_many", "too_many"]);
    // The refused attempts count, too.
    await other.refund("ownPassword", address, 3);
    expect(await attempts()).toEqual(["done", "too_many"]);
    await other.reset("ownPassword", address);
    expect(await attempts()).toEqual(["done", "done"]);
    // Other keys and rules have counts of their own.
    for (const taken of [one.take("ownPassword", "192.0.2.1"), one.take("code", address)])
      expect(await outcome(taken)).toBe("done");
  });

  test("limits all networks of an IPv6 /48 over two servers to what eight of them may do", async () => {
    const [one, other] = await openTwo();
    for (let network = 0; network < 8; network++)
      await (network % 2 ? one : other).take("forgotPassword", `2001:db8:1:${network}::1`, 20);
    for (const limits of [one, other])
      expect(await outcome(limits.take("forgotPassword", "2001:db8:1:9::1"))).toBe("too_many");
    expect(await outcome(one.take("forgotPassword", "2001:db8:2:9::1"))).toBe("done");
  });

  test("counts rules per minute in each server", async () => {
    const [one, other] = await openTwo();
    await one.take("comment", "ana", 30);
    expect(await outcome(one.take("comment", "ana"))).toBe("too_many");
    expect(await outcome(other.take("comment", "ana"))).toBe("done");
  });

  test("refuses nothing if the limits are off, and still lets a key be used once", async () => {
    const [one, other] = await openTwo(false);
    expect(await outcome(one.take("code", "ana", 100))).toBe("done");
    expect(await one.firstUse("a task", Date.now() + 1_000)).toBe(true);
    expect(await other.firstUse("a task", Date.now() + 1_000)).toBe(false);
  });

  test("an exemption by one server holds for the other", async () => {
    const [one, other] = await openTwo();
    expect(await other.isExempt("ana")).toBe(false);
    await one.exempt("ana");
    expect([await one.isExempt("ana"), await other.isExempt("ana")]).toEqual([true, true]);
    expect(await other.isExempt("bob")).toBe(false);
  });

  test("of many uses of a key at both servers at once, one is the first", async () => {
    const servers = await openTwo();
    const uses = Array.from({ length: 40 }, (_, index) =>
      servers[index % 2]!.firstUse("a task", Date.now() + 60_000),
    );
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  test.each(Object.entries(away))("counts in memory while PostgreSQL %s", async (_how, createAway) => {
    const { database, errors } = await openAlone(await createAway());
    const limits = new RateLimits(true, { query: database.counts!.query, secret: "of the site" });
    const attempts = Array.from({ length: 6 }, () => outcome(limits.take("code", "ana")));
    // What must not be used twice is refused, with an answer that asks to try again.
    const isRefused = limits.firstUse("a task", Date.now() + 1_000).then(() => false, isBusy);
    expect((await Promise.all(attempts)).toSorted()).toEqual([...Array<string>(5).fill("done"), "too_many"]);
    expect(errors).toContain("PostgreSQL did not count: this server counts for itself");
    expect(await isRefused).toBe(true);
  });

  test("a count that PostgreSQL does not answer within two seconds fails as if it could not be reached", async () => {
    const { database } = await openAlone(await createDatabase());
    const isUnreachable = database.counts!.query({ text: "select pg_sleep(20)" }).then(() => false, isBusy);
    expect(await isUnreachable).toBe(true);
  });

  test("refuses a flood from twice the limit without asking the store", async () => {
    const { database } = await openAlone(await createDatabase());
    let queries = 0;
    const query = (statement: { text: string }) => (queries++, database.counts!.query(statement));
    const limits = new RateLimits(true, { query, secret: "of the site" });
    for (let count = 0; count < 30; count++)
      expect(await outcome(limits.take("code", "ana"))).toBe(count < 5 ? "done" : "too_many");
    expect(queries).toBe(10);
  });

  test("stores no key in readable form, nor one hash in two rules", async () => {
    const url = await createDatabase();
    const { database } = await openAlone(url);
    const limits = await RateLimits.open(database, true);
    // Of any length, with what PostgreSQL does not store.
    const keys = ["ana@example.org", address, `\0${"long ".repeat(1_000)}`];
    for (const key of keys) {
      for (const rule of ["code", "mailTo"] as const) await limits.take(rule, key);
      await limits.exempt(key);
      await limits.firstUse(key, Date.now() + 1_000);
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query<{ key: string }>("select key from rate_limits");
    // An IPv6 address has two.
    expect(rows).toHaveLength(4 * keys.length + 2);
    for (const { key } of rows) expect(key).toMatch(/^(code|mailTo|exempt|used):[\w-]{43}$/);
    expect(new Set(rows.map(({ key }) => key.split(":")[1])).size).toBe(rows.length);
  });

  test("deletes counts that have ended, and no others", async () => {
    const [testSite] = await siteWith("Ana");
    await testSite.run(
      `insert into rate_limits select 'code:' || number, 1, case when number > 1000 then ${Date.now() + 60_000} else 1 end from generate_series(1, 1003) number`,
    );
    await testSite.run("update jobs set due_at = 1 where name = 'tidy.limits'");
    await testSite.write(async (tx) => tx.signal(jobsTopic));
    const left = () =>
      testSite.rows<{ key: string }>("select key from rate_limits order by key").map(({ key }) => key);
    await until(() => left().length <= 3, "the deletion");
    expect(left()).toEqual(["code:1001", "code:1002", "code:1003"]);
  });
});
