import { parentPort, type MessagePort } from "node:worker_threads";
import pg from "pg";
// How values come.
import "../../src/server/database/postgres/settings.ts";

/* A thread that runs statements while the thread that asks for them waits. */

export interface Request {
  url: string;
  statement: string;
  port: MessagePort;
  /** Set to 1 once the answer is on the port. */
  done: Int32Array;
}
export type Response = { rows: unknown[] } | { error: string };

/** Connections to keep: those of databases that tests no longer use are closed. */
const maxClients = 4;
const clients = new Map<string, pg.Client>();

async function clientOf(url: string): Promise<pg.Client> {
  let client = clients.get(url);
  if (client) clients.delete(url);
  else {
    client = new pg.Client({ connectionString: url });
    client.on("error", () => clients.delete(url));
    await client.connect();
  }
  clients.set(url, client);
  for (const [oldest, unused] of [...clients].slice(0, -maxClients)) {
    clients.delete(oldest);
    unused.end().catch(() => undefined);
  }
  return client;
}

parentPort?.on("message", ({ url, statement, port, done }: Request) => {
  void (async () => {
    let response: Response;
    try {
      const client = await clientOf(url);
      response = { rows: (await client.query<object>(statement)).rows };
    } catch (error) {
      response = { error: (error as Error).message };
    }
    port.postMessage(response);
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  })();
});
