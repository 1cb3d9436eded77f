import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import pg from "pg";
import { postgresPrograms } from "../../scripts/postgres.ts";
import { migratePostgres } from "../../src/server/database/migrate-postgres.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { Request, Response } from "./postgres-rows.ts";

/* A PostgreSQL server for tests, reached by a socket in a folder of its own. */

const migrations = path.resolve(import.meta.dirname, "../../migrations/postgres");
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

const databasesByFolder = new Map<string, Promise<string>>();

/** The setting of the database that belongs to a data folder, where the tests run on PostgreSQL. */
export async function databaseSettings(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL) return {};
  let database = databasesByFolder.get(dataDir);
  if (!database) databasesByFolder.set(dataDir, (database = createPostgresDatabase(DATABASE_URL)));
  return { DATABASE_URL: await database };
}

/** Creates a migrated database in the server of `address`. Returns its own address. */
async function createPostgresDatabase(address: string): Promise<string> {
  const folder = new URL(address).searchParams.get("host") ?? "";
  const name = `site_${newId().replaceAll("-", "")}`;
  await administer(folder, `create database ${name} template ${template}`);
  const url = postgresUrl(folder, name);
  await migratePostgres(url, migrations);
  return url;
}

let thread: Worker | undefined;

/** Returns the rows of a statement at once: another thread asks, while this one waits. */
export function postgresRowsAtOnce<Row>(url: string, statement: string): Row[] {
  // PostgreSQL lets no reference break.
  if (statement === "pragma foreign_key_check") return [];
  if (!thread) {
    thread = new Worker(new URL("./postgres-rows.ts", import.meta.url));
    thread.unref();
  }
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const request: Request = { url, statement, port: port2, done };
  thread.postMessage(request, [port2]);
  const answer = Atomics.wait(done, 0, 0, 60_000);
  const response = receiveMessageOnPort(port1)?.message as Response | undefined;
  port1.close();
  if (!response || "error" in response) throw new Error(`${response?.error ?? answer}: ${statement}`);
  return response.rows as Row[];
}
