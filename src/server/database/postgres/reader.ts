import pg from "pg";
import { connectionSettings } from "./settings.ts";

/* The connection of a thread that reads (workers/reader.ts). */

const limits = { lockTimeoutMs: 5_000, statementTimeoutMs: 10_000, idleTransactionTimeoutMs: 10_000 };

let line: { url: string; client: pg.Client } | undefined;

/** Runs `work` on a connection whose reads all see one snapshot. The thread keeps one connection, and makes another after it is lost. */
export async function readTogether<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectionTo(url);
  try {
    await client.query("begin isolation level repeatable read read only");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => forget(client));
    throw error;
  }
}

async function connectionTo(url: string): Promise<pg.Client> {
  if (line?.url === url) return line.client;
  if (line) forget(line.client);
  // A search is planned by how frequent its words are.
  const options = "-c plan_cache_mode=force_custom_plan -c jit=off";
  const client = new pg.Client({ ...connectionSettings(url, limits), options });
  client.on("error", () => forget(client));
  await client.connect();
  line = { url, client };
  return client;
}

function forget(client: pg.Client): void {
  if (line?.client === client) line = undefined;
  client.end().catch(() => undefined);
}
