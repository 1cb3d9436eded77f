// `npm run cluster`: three servers of one site on a PostgreSQL of their own, behind a small proxy, to try it on one machine.
// The site is in CLUSTER_DIR (./data-cluster), at PORT (3000). An argument is another number of servers.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { administer, postgresUrl, startPostgresServer } from "../postgres.ts";
import { ClusterProxy } from "./proxy.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { nodeOptions } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  nodeOptions: string[];
};
const [count, port] = [Number(process.argv[2] ?? 3), Number(process.env.PORT ?? 3000)];
const folder = path.resolve(process.env.CLUSTER_DIR ?? "data-cluster");
const children: ChildProcess[] = [];

if (!(count >= 1 && count <= 20)) throw new Error("Usage: npm run cluster [-- NUMBER OF SERVERS, 1 to 20]");
// Its socket's path can have a hundred characters.
const postgres = await startPostgresServer(path.join(folder, "postgres"));
await administer(path.join(folder, "postgres"), "create database reprise").catch(
  (error: { code?: string }) => {
    const alreadyExists = "42P04";
    if (error.code !== alreadyExists) throw error;
  },
);
const ports = Array.from({ length: count }, (_none, index) => port + 1 + index);
for (const each of ports) await startServer(each);
const proxy = new ClusterProxy(ports);
proxy.server.listen(port, "127.0.0.1");
await once(proxy.server, "listening");
console.log(
  `\n  ${count} servers of one site are at http://localhost:${port}; one alone: ${ports.join(", ")}.`,
);
console.log(`  Stop one by "kill PID": ${children.map(({ pid }) => pid).join(", ")}. Ctrl-C stops all.\n`);

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    proxy.close();
    for (const child of children) child.kill("SIGTERM");
    void Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit"))).then(
      async () => {
        await postgres.kill();
        process.exit(0);
      },
    );
  });

/** Starts a server, and again whenever it ends. Resolves once it is ready. */
async function startServer(ownPort: number): Promise<void> {
  const child = spawn(process.execPath, [...nodeOptions, "dist/current/server/main.js"], {
    cwd: root,
    env: {
      LOG_LEVEL: "warn",
      ...process.env,
      DATABASE_URL: postgresUrl(path.join(folder, "postgres"), "reprise"),
      DATA_DIR: path.join(folder, "files"),
      PORT: String(ownPort),
      PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
      TRUST_PROXY: "on",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line.trim() !== "") console.log(`${ownPort} ${line}`);
    });
  const place = ports.indexOf(ownPort);
  children[place] = child;
  child.once("exit", (code, signal) => {
    if (isStopping) return;
    console.log(`${ownPort} ended (${signal ?? code}) and starts again.`);
    setTimeout(() => isStopping || void startServer(ownPort), 1_000);
  });
  while (
    !(await fetch(`http://127.0.0.1:${ownPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
}
