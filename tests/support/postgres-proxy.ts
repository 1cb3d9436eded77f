import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** A way to the server of PostgreSQL that can be cut: `silent` keeps connections and forwards nothing, `refused` ends them. */
export interface PostgresProxy extends AsyncDisposable {
  url: string;
  state: "open" | "silent" | "refused";
}

/** Forwards connections to the server of `url`. What clients send is given to `isLost`; what it returns true for is not answered. */
export async function startProxy(
  url: string,
  isLost: (request: string) => boolean = () => false,
): Promise<PostgresProxy> {
  const target = path.join(new URL(url).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-pg-proxy-"));
  const sockets = new Set<Socket>();
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  let state: PostgresProxy["state"] = "open";
  const server = createServer((client) => {
    if (state === "refused") return client.destroy();
    const upstream = connect(target);
    let isCut = false;
    client.on("data", (data) => {
      isCut ||= isLost(data.toString("latin1"));
      if (state === "open") upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (isCut) client.destroy();
      else if (state === "open") client.write(data);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => (sockets.delete(one), other.destroy()));
    }
    return client;
  }).listen(path.join(folder, ".s.PGSQL.5432"));
  await once(server, "listening");
  const proxied = new URL(url);
  proxied.searchParams.set("host", folder);
  return {
    url: proxied.href,
    get state() {
      return state;
    },
    set state(next) {
      // What was swallowed leaves broken connections behind.
      if (next !== "silent") endAll();
      state = next;
    },
    async [Symbol.asyncDispose]() {
      endAll();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}
