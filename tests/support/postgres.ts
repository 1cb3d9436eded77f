import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migratePostgres } from "../../src/server/database/migrate-postgres.ts";
import { newId } from "../../src/server/runtime/ids.ts";

/* A PostgreSQL server for tests, reached by a socket in a folder of its own. */

const migrations = path.resolve(import.meta.dirname, "../../migrations/postgres");
/** Where Debian and others install the newest version. */
const installed = "/usr/lib/postgresql";

/** Returns the folder of PostgreSQL's programs, or undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(installed, version, "bin"))
    .find((folder) => existsSync(path.join(folder, "initdb")));
}

/** The address of a database of the server in a folder. */
export const postgresUrl = (folder: string, database: string): string =>
  `postgres:///${database}?host=${encodeURIComponent(folder)}&user=postgres`;

const template = "reprise_template";

/** Starts a server whose files are in `folder`, with a migrated database to copy. Returns the function that stops it. */
export async function startPostgres(folder: string): Promise<() => Promise<void>> {
  const programs = postgresPrograms();
  if (!programs) throw new Error("PostgreSQL is not installed.");
  mkdirSync(folder, { recursive: true });
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? nobody() : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, "data");
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const made = spawnSync(
    path.join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    fsync: "off",
    max_connections: "300",
  };
  const server = spawn(
    path.join(programs, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...options, stdio: "ignore" },
  );
  while (!(await canConnect(folder))) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await administer(folder, `create database ${template}`);
  await migratePostgres(postgresUrl(folder, template), migrations);
  return async () => {
    // At once, and with it all connections.
    server.kill("SIGQUIT");
    if (server.exitCode === null) await once(server, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
}

const nobody = () => ({ uid: 65_534, gid: 65_534 });

async function canConnect(folder: string): Promise<boolean> {
  try {
    await administer(folder, "select 1");
    return true;
  } catch {
    return false;
  }
}

/** Runs a statement beside the databases of sites. */
async function administer(folder: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(folder, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a migrated database in the server of `address`. Returns its own address. */
export async function createPostgresDatabase(address: string): Promise<string> {
  const folder = new URL(address).searchParams.get("host") ?? "";
  const name = `site_${newId().replaceAll("-", "")}`;
  await administer(folder, `create database ${name} template ${template}`);
  const url = postgresUrl(folder, name);
  await migratePostgres(url, migrations);
  return url;
}

/** Returns the rows of a statement without waiting, by PostgreSQL's own program. */
export function postgresRowsAtOnce<Row>(url: string, statement: string): Row[] {
  const query = `select coalesce(json_agg(t), '[]') from (${statement}) t`;
  const answer = spawnSync("psql", ["--no-psqlrc", "-qAt", url, "-c", query], { encoding: "utf8" });
  if (answer.status !== 0) throw new Error(answer.stderr);
  return JSON.parse(answer.stdout) as Row[];
}

export const folderForPostgres = (): string => path.join(tmpdir(), `reprise-postgres-${process.pid}`);
