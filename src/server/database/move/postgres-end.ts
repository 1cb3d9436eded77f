import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { entryOffset } from "../search/full-text.ts";
import { migratePostgres } from "../postgres/migrate.ts";
import { indexPending } from "../postgres/search-index.ts";
import { listenerName } from "../postgres/notices.ts";
import { writeLock } from "../postgres/writer.ts";
import "../postgres/settings.ts";
import { namesOf, type MovedTable, type MoveSource, type MoveTarget, type Value } from "./move.ts";

/**
 * Opens a snapshot of a site's database, whose tables are those of the other store. Throws while a server uses it, unless the site `runsOn`.
 */
export async function openPostgresSource(
  url: string,
  tables: MovedTable[],
  migrations: string,
  { runsOn = false } = {},
): Promise<MoveSource> {
  const client = await connect(url);
  if (!runsOn) await requireNoServer(client);
  if (!(await hasSite(client)) || (await exists(client, "moving"))) {
    await client.end();
    throw new Error("There is no site in the database of DATABASE_URL.");
  }
  await migratePostgres(url, path.join(migrations, "postgres"));
  await client.query("begin isolation level repeatable read read only");
  const source = sourceOf(client, tables);
  return runsOn ? source : { ...source, requireUnused: () => requireNoListener(client) };
}

/**
 * Opens the database that becomes a site at the end, begun by an earlier move or new. Throws if there is a site in it. While the table
 * `moving` exists, no server opens it.
 */
export async function openPostgresTarget(
  url: string,
  tables: MovedTable[],
  migrations: string,
): Promise<MoveTarget> {
  const client = await connect(url);
  await requireNoServer(client);
  if (!(await exists(client, "moving"))) {
    if (await hasSite(client)) {
      await client.end();
      throw new Error("There is a site in the database of DATABASE_URL already. Move to an empty database.");
    }
    await migrate(drizzle({ client }), { migrationsFolder: path.join(migrations, "postgres") });
    await client.query(prepare(tables));
  }
  const types = await typesOf(client);
  const insertOf = ({ name, columns }: MovedTable): string => {
    const arrays = columns.map((column, index) => `$${index + 1}::${types.get(`${name}.${column}`)}[]`);
    return `insert into "${name}" (${namesOf(columns)}) select * from unnest(${arrays.join(", ")})`;
  };
  return {
    ...sourceOf(client, tables),
    async lastKey({ name, key }) {
      const order = key.map((column) => `"${column}" desc`).join(", ");
      const text = `select ${namesOf(key)} from "${name}" order by ${order} limit 1`;
      const { rows } = await client.query<Value[]>({ text, rowMode: "array" });
      return rows[0];
    },
    async insert(table, rows) {
      await client.query(
        insertOf(table),
        table.columns.map((_column, index) => rows.map((row) => row[index])),
      );
    },
    async setNumbers(numbers) {
      for (const [name, seq] of numbers)
        if (seq > 0) await client.query("select setval(pg_get_serial_sequence($1, 'seq'), $2)", [name, seq]);
    },
    async finish(report, signal) {
      await indexAll(client, report, signal);
      const { rows } = await client.query<{ statement: string }>(
        "select statement from moving order by statement",
      );
      const statements = [...rows.map(({ statement }) => statement), ...tables.map(triggers("enable"))];
      await client.query(["begin", ...statements, "drop table moving", "commit"].join(";\n"));
      await client.query("analyze");
      await client.end();
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "reprise move", keepAlive: true });
  // A query that it interrupts fails.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Keeps servers from writing while the connection lasts. Throws, and ends it, while one is connected. */
async function requireNoServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: number }>("select pg_try_advisory_lock($1) as free", [
    writeLock,
  ]);
  try {
    if (!rows[0]?.free) throw inUse();
    await requireNoListener(client);
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function requireNoListener(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and application_name = $1",
    [listenerName],
  );
  if (rows[0]?.count !== 0) throw inUse();
}

const inUse = () =>
  new Error("A server uses the database of DATABASE_URL. Stop all servers of the site, and try again.");

/** Throws while a server of the site runs. */
export async function requireServersStopped(url: string): Promise<void> {
  const client = await connect(url);
  await requireNoServer(client);
  await client.end();
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>("select to_regclass($1)::text as found", [
    table,
  ]);
  return rows[0]?.found !== null;
}

const hasSite = async (client: pg.Client): Promise<boolean> =>
  (await exists(client, "meta")) && ((await client.query("select 1 from meta limit 1")).rowCount ?? 0) > 0;

function sourceOf(client: pg.Client, tables: MovedTable[]): MoveSource {
  return {
    tables,
    async count({ name }) {
      const { rows } = await client.query<{ count: number }>(`select count(*) from "${name}"`);
      return rows[0]?.count ?? 0;
    },
    async rowsAfter({ name, columns, key: keyColumns }, key = [], limit) {
      const marks = keyColumns.map((_column, index) => `$${index + 2}`).join(", ");
      const where = key.length > 0 ? `where (${namesOf(keyColumns)}) > (${marks})` : "";
      const text = `select ${namesOf(columns)} from "${name}" ${where} order by ${namesOf(keyColumns)} limit $1`;
      const { rows } = await client.query<Value[]>({ text, values: [limit, ...key], rowMode: "array" });
      return rows;
    },
    async numbers() {
      const numbers = new Map<string, number>();
      for (const { name, columns } of tables) {
        if (!columns.includes("seq")) continue;
        const sequence = "pg_get_serial_sequence($1, 'seq')::regclass";
        const { rows } = await client.query<{ last: number | null }>(
          `select pg_sequence_last_value(${sequence}) as last where ${sequence} is not null`,
          [name],
        );
        if (rows[0]?.last) numbers.set(name, rows[0].last);
      }
      return numbers;
    },
    close: () => client.end(),
  };
}

const triggers =
  (state: "enable" | "disable") =>
  ({ name }: MovedTable): string =>
    `alter table "${name}" ${state} trigger user`;

/** Notes how to put back the references between tables, and removes them: rows come in the order of keys. Triggers would count them. */
const prepare = (tables: MovedTable[]): string => `
  begin;
  create table moving as select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace;
  do $$ declare removal text; begin for removal in select moving.removal from moving loop execute removal; end loop; end $$;
  ${tables.map(triggers("disable")).join(";\n")};
  delete from meta;
  commit`;

/** Returns the types of columns by table and name. */
async function typesOf(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ place: string; type: string }>(
    "select table_name || '.' || column_name as place, data_type as type from information_schema.columns where table_schema = current_schema()",
  );
  return new Map(rows.map(({ place, type }) => [place, type]));
}

const indexedAtOnce = 100;

/** Indexes all texts for search; those of before a move was stopped once more. */
async function indexAll(
  client: pg.Client,
  report: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const ranges = [
    { kind: "blogs", table: "blogs", offset: 0 },
    { kind: "blogs", table: "entries", offset: entryOffset },
    { kind: "people", table: "users", offset: 0 },
  ];
  const lasts = await Promise.all(
    ranges.map(async ({ table }) => {
      const { rows } = await client.query<{ last: number | null }>(`select max(seq) as last from ${table}`);
      return rows[0]?.last ?? 0;
    }),
  );
  const total = lasts.reduce((sum, last) => sum + last, 0);
  let done = 0;
  for (const [index, { kind, table, offset }] of ranges.entries())
    for (let after = 0; after < lasts[index]!; after += indexedAtOnce) {
      signal.throwIfAborted();
      await client.query("begin");
      await client.query(
        `insert into search_pending (kind, number) select '${kind}', seq - ${offset} from ${table} where seq > $1 and seq <= $2`,
        [after, after + indexedAtOnce],
      );
      await indexPending(client, (error) => {
        throw error;
      });
      await client.query("commit");
      report((done += Math.min(indexedAtOnce, lasts[index]! - after)), total);
    }
}
