import { openSqlite } from "../../../src/server/database/sqlite/open.ts";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { migrateDatabase } from "../../../src/server/database/sqlite/migrate.ts";
import { projectRoot } from "../../../src/server/runtime/project-root.ts";
import { aBlog, aComment, startTestSite, type TestSite } from "../../support/test-site.ts";

/** A copy of a site's database with some of everything, and the site's migrations in a folder of their own. */
async function copySite() {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-migrate-"));
  const file = path.join(folder, "reprise.db");
  const migrations = path.join(folder, "migrations");
  const backups = path.join(folder, "backups");
  await cp(path.join(projectRoot, "migrations"), migrations, { recursive: true });
  const testSite: TestSite = await startTestSite();
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await eve.api.comments.create.mutate(aComment(blog));
  await ana.api.comments.create.mutate(aComment(blog, { parentId: comment.id }));
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await ana.api.social.follow.mutate({ userId: eve.me.id, follow: true });
  const source = new Sqlite(testSite.config.databaseFile, { readonly: true });
  await source.backup(file);
  source.close();
  await testSite[Symbol.asyncDispose]();
  return {
    file,
    migrate: () => migrateDatabase(file, migrations, backups),
    backups: async () => (await readdir(backups).catch(() => [])).map((name) => path.join(backups, name)),
    /** Adds a migration as `drizzle-kit generate` writes it. */
    addMigration: async (statements: string) => {
      const journal = path.join(migrations, "meta/_journal.json");
      const journalJson = JSON.parse(await readFile(journal, "utf8")) as {
        entries: { idx: number; when: number; tag: string; version: string; breakpoints: boolean }[];
      };
      const idx = journalJson.entries.length;
      journalJson.entries.push({
        idx,
        version: "6",
        when: Date.now() + idx,
        tag: `${String(idx).padStart(4, "0")}_test`,
        breakpoints: true,
      });
      await writeFile(path.join(migrations, `${journalJson.entries.at(-1)?.tag}.sql`), statements);
      await writeFile(journal, JSON.stringify(journalJson));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const readStore = <T>(file: string, query: (store: Sqlite.Database) => T): T => {
  const store = new Sqlite(file, { readonly: true });
  try {
    return query(store);
  } finally {
    store.close();
  }
};
const change = (file: string, statements: string) => {
  const store = openSqlite(file, false);
  store.exec(statements);
  store.close();
};

/** Every row of every table of the application. */
const contents = (file: string) =>
  readStore(file, (store) => {
    const tables = store
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\' and sql not like '%VIRTUAL%' order by name",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      tables
        .filter((name) => !/_(data|idx|content|docsize|config)$/.test(name))
        .map((name) => [name, store.prepare(`select * from "${name}"`).all()]),
    );
  });
const triggers = (file: string) =>
  readStore(file, (store) =>
    store.prepare("select name, sql from sqlite_master where type = 'trigger' order by name").all(),
  );

/** A migration that rebuilds `users` with one more column as drizzle-kit does: copy, drop, rename. */
function usersRebuildMigration(file: string): string {
  const { sql, indexes, columns } = readStore(file, (store) => ({
    sql: store.prepare("select sql from sqlite_master where name = 'users'").pluck().get() as string,
    indexes: store
      .prepare(
        "select sql from sqlite_master where tbl_name = 'users' and type = 'index' and sql is not null",
      )
      .pluck()
      .all() as string[],
    columns: store.prepare("select name from pragma_table_info('users')").pluck().all() as string[],
  }));
  const columnList = columns.map((column) => `"${column}"`).join(", ");
  return [
    "PRAGMA foreign_keys=OFF;",
    sql.replace(
      /CREATE TABLE [`"]users[`"] \(/,
      "CREATE TABLE `__new_users` (`nickname` text DEFAULT 'none' NOT NULL,",
    ),
    `INSERT INTO \`__new_users\`(${columnList}) SELECT ${columnList} FROM \`users\`;`,
    "DROP TABLE `users`;",
    "ALTER TABLE `__new_users` RENAME TO `users`;",
    "PRAGMA foreign_keys=ON;",
    ...indexes,
  ].join("\n--> statement-breakpoint\n");
}

test("leaves an up-to-date database as it is, without a backup", async () => {
  await using copy = await copySite();
  const before = contents(copy.file);
  expect(await copy.migrate()).toEqual({ applied: 0, backup: null });
  expect(await copy.backups()).toEqual([]);
  expect(contents(copy.file)).toEqual(before);
});

test("keeps people and all rows that belong to them when their table is rebuilt, and backs up before", async () => {
  await using copy = await copySite();
  change(
    copy.file,
    "create table seen (name text); create trigger users_seen after update on users begin insert into seen values (new.name); end;",
  );
  const before = contents(copy.file);
  const triggersBefore = triggers(copy.file);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      "users",
      "blogs",
      "comments",
      "follows",
      "blog_likes",
      "notifications",
      "sessions",
      "live_events",
    ]),
  );
  expect(
    ["users", "blogs", "comments", "follows", "blog_likes", "notifications", "sessions"].filter(
      (table) => before[table]?.length === 0,
    ),
  ).toEqual([]);
  await copy.addMigration(usersRebuildMigration(copy.file));
  const { applied, backup } = await copy.migrate();
  expect(applied).toBe(1);
  const after = contents(copy.file);
  expect(after.users).toEqual(before.users?.map((user) => ({ ...(user as object), nickname: "none" })));
  expect({ ...after, users: [] }).toEqual({ ...before, users: [] });
  expect(triggers(copy.file)).toEqual(triggersBefore);
  expect(
    readStore(copy.file, (store) => [store.pragma("foreign_key_check"), store.pragma("integrity_check")]),
  ).toEqual([[], [{ integrity_check: "ok" }]]);

  // The backup equals the database before, and a second start has nothing to do.
  expect(await copy.backups()).toEqual([backup]);
  expect(contents(backup ?? "")).toEqual(before);
  expect(await copy.migrate()).toEqual({ applied: 0, backup: null });
  change(copy.file, "update users set name = 'Changed'");
  expect(contents(copy.file).seen).toEqual([{ name: "Changed" }, { name: "Changed" }]);
});

test("refuses a migration that breaks references, and leaves the database as it was", async () => {
  await using copy = await copySite();
  const before = contents(copy.file);
  await copy.addMigration("DELETE FROM `users` WHERE name = 'Eve';");
  await expect(copy.migrate()).rejects.toThrow(
    /After migrating, rows in .*comments.* would refer to rows that are gone\. Nothing was changed\. A copy is in .+\.db/,
  );
  expect(contents(copy.file)).toEqual(before);
  await expect(copy.migrate()).rejects.toThrow("After migrating");
});

test("leaves the database as it was when a migration fails in the middle", async () => {
  await using copy = await copySite();
  const before = contents(copy.file);
  await copy.addMigration(
    "CREATE TABLE `halfway` (`id` text);\n--> statement-breakpoint\nINSERT INTO `no_such_table` VALUES (1);",
  );
  await expect(copy.migrate()).rejects.toThrow("no_such_table");
  expect(contents(copy.file)).toEqual(before);
  expect(
    readStore(copy.file, (store) =>
      store.prepare("select 1 from sqlite_master where name = 'halfway'").all(),
    ),
  ).toEqual([]);
});

test("a new database gets no backup and an epoch of its own", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-new-"));
  const epochs = [];
  for (const name of ["one", "two"]) {
    const file = path.join(folder, name, "reprise.db");
    const { applied, backup } = await migrateDatabase(
      file,
      path.join(projectRoot, "migrations"),
      path.join(folder, "backups"),
    );
    expect([applied > 0, backup]).toEqual([true, null]);
    epochs.push(
      readStore(file, (store) =>
        store.prepare("select value from meta where key = 'live_epoch'").pluck().get(),
      ),
    );
  }
  expect(new Set(epochs).size).toBe(2);
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["newer", "9999999999999", "is from a newer version of Reprise. Start that version, or a newer one."],
  ["pre-release", "1", "is from 0.1.0 or before, which this version can’t read."],
])("refuses a database from a %s version in one line, and leaves it as it is", async (_, when, line) => {
  await using copy = await copySite();
  change(copy.file, `insert into __drizzle_migrations (hash, created_at) values ('x', ${when})`);
  const before = contents(copy.file);
  await expect(copy.migrate()).rejects.toThrow(line);
  expect(contents(copy.file)).toEqual(before);
  expect(await copy.backups()).toEqual([]);
});
