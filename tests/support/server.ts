import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { compileCacheEnv, entry } from "./entry.ts";
import { databaseSettings } from "./postgres.ts";
import { fileSettings } from "./s3.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** The Node.js options and environment of `npm start`. */
const { nodeOptions, nodeEnvironment } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
) as { nodeOptions: string[]; nodeEnvironment: Record<string, string> };

/** A server as a child process that can be killed. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  port: number;
  pid: number;
  /** Ends it like a power cut: no handler runs, nothing is flushed. */
  kill: () => Promise<void>;
  /** Ends it as an operator does. Returns its exit code. */
  stop: () => Promise<number | null>;
}

interface Start {
  /** An absolute path, or one relative to the root; by default see `entry`. */
  script?: string;
  /** The address that has to respond before it counts as started. */
  first?: string;
  /** The limit of open files and connections. */
  files?: number;
  /** Receives its log output. */
  onLog?: (text: string) => void;
}

/** Starts the server on a free port, or on `PORT`, and waits for its first response. Its log goes to `onLog` or nowhere. */
export async function startServer(
  settings: Record<string, string>,
  { script = entry("main"), first = "/readyz", files, onLog }: Start = {},
): Promise<ServerProcess> {
  const port = Number(settings.PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const command = [process.execPath, ...nodeOptions, path.resolve(root, script)];
  const limited =
    files === undefined ? command : ["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command];
  const child = spawn(limited[0] as string, limited.slice(1), {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...nodeEnvironment,
      ...compileCacheEnv(),
      RATE_LIMIT: "off",
      LOG_LEVEL: "warn",
      ...(settings.DATA_DIR === undefined
        ? {}
        : { ...(await databaseSettings(settings.DATA_DIR)), ...(await fileSettings(settings.DATA_DIR)) }),
      ...settings,
      PORT: String(port),
    },
    stdio: ["ignore", onLog ? "pipe" : "ignore", "inherit"],
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => onLog?.(text));
  const exited = once(child, "exit");
  while ((await fetch(url + first).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with ${child.exitCode} before it answered.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  const kill = async () => void (await end("SIGKILL"));
  return { url, port, pid: child.pid ?? 0, kill, stop: () => end("SIGTERM"), [Symbol.asyncDispose]: kill };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
