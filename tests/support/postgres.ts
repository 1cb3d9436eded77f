import { rmSync } from "node:fs";
import path from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { administer, postgresUrl, startPostgresServer } from "../../scripts/postgres.ts";
import { migratePostgres } from "../../src/server/database/postgres/migrate.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { Request, Response } from "./postgres-rows.ts";

const migrations = path.resolve(import.meta.dirname, "../../migrations/postgres");
const template = "reprise_template";

/** Starts a server whose files are in `folder`, with a migrated database to copy. Returns the function that stops it. */
export async function startPostgres(folder: string): Promise<() => Promise<void>> {
  const server = await startPostgresServer(folder, { fsync: "off" });
  await administer(folder, `create database ${template}`);
  await migratePostgres(postgresUrl(folder, template), migrations);
  return async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
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
