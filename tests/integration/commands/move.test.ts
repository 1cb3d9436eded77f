import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildDemoSite } from "../../../scripts/demo/build-demo-site.ts";
import {
  administer,
  postgresPrograms,
  postgresUrl,
  startPostgresServer,
  type PostgresServer,
} from "../../../scripts/postgres.ts";
import { migratePostgres } from "../../../src/server/database/postgres/migrate.ts";
import { moveStore } from "../../../src/server/database/move/move.ts";
import { openPostgresTarget } from "../../../src/server/database/move/postgres-end.ts";
import { openSqliteSource } from "../../../src/server/database/move/sqlite-end.ts";
import { openBrowser, password } from "../../support/browser.ts";
import { reprise } from "../../support/command.ts";
import { freePort, startServer } from "../../support/server.ts";
import { startTestSite, type TestSite } from "../../support/test-site.ts";

const migrationsFolder = path.resolve(import.meta.dirname, "../../../migrations");

/* A site with everything that the demo has, moved from SQLite to PostgreSQL and back. */

interface Moved {
  tables: { name: string; rows: number; sha256: string }[];
  resumed: boolean;
  changed: number;
}

describe.skipIf(!postgresPrograms())("moving a site", () => {
  let folder = "";
  let postgres: PostgresServer;
  let site: TestSite;
  let databases = 0;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "reprise-move-"));
    postgres = await startPostgresServer(folder, { fsync: "off" });
    site = await startTestSite();
    await buildDemoSite(site.app.services);
    // Characters that PostgreSQL orders or stores in its own way.
    const [blog] = site.rows<{ id: string }>("select id from blogs limit 1");
    await site.run(`update blogs set description = 'Zoë \u{1f989} "''\\ {NULL}, ' where id = '${blog?.id}'`);
    await site.app.close();
  });
  afterAll(async () => {
    await postgres.kill();
    await rm(folder, { recursive: true });
  });

  const createDatabase = async (): Promise<string> => {
    const name = `moved_${databases++}`;
    await administer(folder, `create database ${name}`);
    return postgresUrl(folder, name);
  };
  const move = (direction: "postgres" | "sqlite", DATABASE_URL: string, dataDir = site.config.dataDir) =>
    reprise(dataDir, [`move-to-${direction}`, "--json"], { DATABASE_URL });
  const createFolder = async () => {
    const created = await mkdtemp(path.join(tmpdir(), "reprise-moved-"));
    onTestFinished(() => rm(created, { recursive: true, force: true }));
    return created;
  };

  /** Returns the references between tables, and which triggers are on. */
  const rulesOf = async (url: string) => {
    const client = new pg.Client(url);
    await client.connect();
    const rules = await client.query(
      `select conname as name, pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'f'
        union all select tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2`,
    );
    await client.end();
    expect(rules.rows.length).toBeGreaterThan(100);
    return rules.rows;
  };

  test("copies every row to PostgreSQL, where the site is served and search finds the same, and back", async () => {
    const DATABASE_URL = await createDatabase();
    const there = (await move("postgres", DATABASE_URL)).json as Moved;
    expect(there).toMatchObject({ resumed: false, changed: 0 });
    expect(there.tables.find(({ name }) => name === "blogs")?.rows).toBeGreaterThan(20);
    const dataDir = await createFolder();
    const back = (await move("sqlite", DATABASE_URL, dataDir)).json as Moved;
    expect(back.tables).toEqual(there.tables);

    const PORT = String(await freePort());
    const answers = async (settings: Record<string, string>) => {
      await using server = await startServer({ DATA_DIR: dataDir, PORT, ...settings });
      const found = [];
      for (const address of [
        "/search?q=train",
        "/search?q=ma&in=people",
        "/home",
        "/home?sort=likes",
        "/feed.json",
      ]) {
        const text = await (await fetch(server.url + address)).text();
        // When the page was made, and what was stored before.
        found.push(...text.replace(/"(now|cursor)":("[^"]*"|\d+)/g, "").split(/(?=<)/));
      }
      return found;
    };
    const [onSqlite, onPostgres] = [await answers({ DATABASE_URL: "" }), await answers({ DATABASE_URL })];
    const different = onSqlite.flatMap((part, index) =>
      part === onPostgres[index] ? [] : [[part, onPostgres[index]]],
    );
    expect(different.slice(0, 5)).toEqual([]);
  });

  test("a backup of PostgreSQL, made while a server writes to it, can be restored to both stores", async () => {
    const DATABASE_URL = await createDatabase();
    await move("postgres", DATABASE_URL);
    await using server = await startServer({ DATA_DIR: site.config.dataDir, DATABASE_URL });
    const archive = path.join(await createFolder(), "site.tar.gz");
    const backup = reprise(site.config.dataDir, ["backup", archive, "--json"], { DATABASE_URL });
    const guest = openBrowser(server.url);
    for (let number = 0; number < 20; number++)
      await guest.api.users.signUp.mutate({
        name: `Late ${number}`,
        email: `late${number}@example.org`,
        password,
      });
    await guest.close();
    const { counts } = ((await backup).json as { manifest: { counts: Record<string, number> } }).manifest;
    expect(counts.blogs).toBeGreaterThan(20);

    const dataDir = await createFolder();
    const restored = await reprise(dataDir, ["restore", archive, "--json"]);
    expect(restored).toMatchObject({ code: 0, json: { brokenReferences: 0, manifest: { counts } } });
    expect(await reprise(dataDir, ["doctor", "--json"])).toMatchObject({ code: 0 });
    const url = await createDatabase();
    expect(await move("postgres", url, dataDir)).toMatchObject({ code: 0 });
    expect(await reprise(dataDir, ["doctor", "--json"], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  });

  test("a move that was stopped continues, and no server opens the database before it is complete", async () => {
    const url = await createDatabase();
    const source = openSqliteSource(site.config.databaseFile);
    const target = await openPostgresTarget(url, source.tables, migrationsFolder);
    const stop = new AbortController();
    const onProgress = (done: number) => done > 200 && stop.abort(new Error("stopped"));
    await expect(moveStore(source, target, { onProgress, signal: stop.signal })).rejects.toThrow("stopped");
    await target.close();
    await source.close();
    const refused = await reprise(site.config.dataDir, ["jobs"], { DATABASE_URL: url });
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining("being moved") });
    const result = (await move("postgres", url)).json as Moved;
    expect(result.resumed).toBe(true);
    expect((await reprise(site.config.dataDir, ["jobs"], { DATABASE_URL: url })).code).toBe(0);
    // References and triggers are in force again, and numbers continue after those that were given.
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    const fresh = await createDatabase();
    await migratePostgres(fresh, path.join(migrationsFolder, "postgres"));
    expect(await rulesOf(url)).toEqual(await rulesOf(fresh));
    const { rows } = await client.query<{ next: string; highest: string }>(
      "select nextval(pg_get_serial_sequence('live_events', 'seq')) as next, (select max(seq) from live_events) as highest",
    );
    expect(Number(rows[0]?.next)).toBeGreaterThan(Number(rows[0]?.highest));
  });

  test("refuses a database with a site, one in use, and a folder with a site or none, and changes nothing", async () => {
    const url = await createDatabase();
    const empty = await createFolder();
    expect(await reprise(empty, ["move-to-postgres"], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      error: expect.stringContaining("There is no site in"),
    });
    expect(await reprise(empty, ["move-to-sqlite"], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      error: "There is no site in the database of DATABASE_URL.",
    });
    expect(await reprise(empty, ["move-to-postgres"])).toMatchObject({ code: 2 });
    await move("postgres", url);
    expect(await reprise(site.config.dataDir, ["move-to-postgres"], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      error: expect.stringContaining("There is a site in the database"),
    });
    expect(await reprise(site.config.dataDir, ["move-to-sqlite"], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      error: expect.stringContaining("There is a site in"),
    });
    await using _server = await startServer({ DATA_DIR: empty, DATABASE_URL: url });
    expect(await reprise(await createFolder(), ["move-to-sqlite"], { DATABASE_URL: url })).toMatchObject({
      code: 1,
      error: expect.stringContaining("Stop all servers"),
    });
  });

  test("a copy that differs is found", async () => {
    const url = await createDatabase();
    const source = openSqliteSource(site.config.databaseFile);
    const target = await openPostgresTarget(url, source.tables, migrationsFolder);
    const changed = {
      ...target,
      setNumbers: async () => {
        const client = new pg.Client(url);
        await client.connect();
        await client.query("update comments set text = 'changed' where id = (select min(id) from comments)");
        await client.end();
      },
    };
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    await expect(moveStore(source, changed, options)).rejects.toThrow("The table comments differs");
    await target.close();
    await source.close();
  });
});
