import { existsSync, renameSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { getTableName, is, Table } from "drizzle-orm";
import { migrateDatabase } from "../sqlite/migrate.ts";
import { sqliteIndexing } from "../search/reindex.ts";
import * as schema from "../schema/index.ts";
import { openSqlite } from "../sqlite/open.ts";
import { namesOf, type MovedTable, type MoveSource, type MoveTarget, type Value } from "./move.ts";

const names = Object.values(schema).flatMap((table) => (is(table, Table) ? [getTableName(table)] : []));

/** Opens the database file of a site that is moved. No server may have it open. */
export function openSqliteSource(file: string): MoveSource {
  return sourceOf(openSqlite(file, true));
}

function sourceOf(sqlite: Sqlite.Database): MoveSource {
  const order = ({ key }: MovedTable) => `order by ${namesOf(key)}`;
  return {
    tables: names.map((name) => describe(sqlite, name)),
    count: async ({ name }) => sqlite.prepare(`select count(*) from "${name}"`).pluck().get() as number,
    async rowsAfter(table, key, limit) {
      const marks = table.key.map(() => "?").join(", ");
      const where = key ? `where (${namesOf(table.key)}) > (${marks})` : "";
      const query = `select ${namesOf(table.columns)} from "${table.name}" ${where} ${order(table)} limit ?`;
      return sqlite
        .prepare(query)
        .raw()
        .all(...(key ?? []), limit) as Value[][];
    },
    async numbers() {
      const rows = sqlite.prepare("select name, seq from sqlite_sequence").raw().all() as [string, number][];
      return new Map(rows);
    },
    close: async () => void sqlite.close(),
  };
}

function describe(sqlite: Sqlite.Database, name: string): MovedTable {
  const columns = sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[];
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

const indexedAtOnce = 100;

/** Opens the file that becomes `file` at the end, begun by an earlier move or new. Throws if there is a site in `file`. */
export async function openSqliteTarget(
  file: string,
  migrations: string,
  backups: string,
): Promise<MoveTarget> {
  if (existsSync(file))
    throw new Error(`There is a site in ${file} already. Move it away, or set DATA_DIR to another folder.`);
  const unfinished = `${file}.moving`;
  await migrateDatabase(unfinished, migrations, backups);
  const sqlite = openSqlite(unfinished, false);
  sqlite.pragma("foreign_keys = OFF");
  sqlite.transaction(() => {
    if (!sqlite.prepare("select 1 from sqlite_master where name = 'moving'").get())
      sqlite.exec("create table moving (statement text); delete from meta");
    // They would count what comes, and index it row by row. Those of the views are needed.
    const triggers = sqlite
      .prepare("select name, sql from sqlite_master where type = 'trigger' and sql not like '%instead of%'")
      .all() as { name: string; sql: string }[];
    for (const { name, sql } of triggers) {
      sqlite.prepare("insert into moving (statement) values (?)").run(sql);
      sqlite.exec(`drop trigger "${name}"`);
    }
  })();
  const source = sourceOf(sqlite);
  return {
    ...source,
    async lastKey({ name, key }) {
      const order = key.map((column) => `"${column}" desc`).join(", ");
      return sqlite
        .prepare(`select ${namesOf(key)} from "${name}" order by ${order} limit 1`)
        .raw()
        .get() as Value[] | undefined;
    },
    async insert({ name, columns }, rows) {
      const marks = columns.map(() => "?").join(", ");
      const insert = sqlite.prepare(`insert into "${name}" (${namesOf(columns)}) values (${marks})`);
      sqlite.transaction(() => rows.forEach((row) => insert.run(row)))();
    },
    async setNumbers(numbers) {
      for (const [name, seq] of numbers)
        if (sqlite.prepare("update sqlite_sequence set seq = ? where name = ?").run(seq, name).changes === 0)
          sqlite.prepare("insert into sqlite_sequence (name, seq) values (?, ?)").run(name, seq);
    },
    async finish(report, signal) {
      const broken = sqlite.pragma("foreign_key_check") as { table: string }[];
      if (broken[0]) throw new Error(`Rows of ${broken[0].table} refer to rows that are gone.`);
      indexAll(sqlite, report, signal);
      sqlite.transaction(() => {
        for (const sql of sqlite.prepare("select statement from moving").pluck().all())
          sqlite.exec(sql as string);
        sqlite.exec("drop table moving");
      })();
      // In one file.
      sqlite.pragma("journal_mode = DELETE");
      sqlite.close();
      renameSync(unfinished, file);
    },
  };
}

/** Indexes all texts for search, again from the start where a move was stopped. */
function indexAll(
  sqlite: Sqlite.Database,
  report: (done: number, of: number) => void,
  signal: AbortSignal,
): void {
  for (const table of ["blog_words", "blog_pieces", "people_words", "people_pieces"])
    sqlite.exec(`insert into ${table} (${table}) values ('delete-all')`);
  const ranges = Object.values(sqliteIndexing).map(({ table, insert }) => ({
    insert: sqlite.prepare(`${insert} and seq > ? and seq <= ?`),
    last: (sqlite.prepare(`select max(seq) from ${table}`).pluck().get() as number | null) ?? 0,
  }));
  const total = ranges.reduce((sum, { last }) => sum + last, 0);
  let done = 0;
  for (const { insert, last } of ranges)
    for (let after = 0; after < last; after += indexedAtOnce) {
      signal.throwIfAborted();
      insert.run(after, after + indexedAtOnce);
      report((done += Math.min(indexedAtOnce, last - after)), total);
    }
}
