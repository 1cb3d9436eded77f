import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const root = path.resolve(import.meta.dirname, "../..");

/** The server as a process of its own, which can be killed. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  port: number;
  /** Ends it as a power cut does: no handler runs, nothing is flushed. */
  kill: () => Promise<void>;
  /** Ends it as an operator does. Gives its exit code. */
  stop: () => Promise<number | null>;
  pid: number;
}

/** Starts the server from its sources, or a built one, and waits until it listens. `port` 0 takes a free one. */
export async function startServer(settings: Record<string, string>, script = "src/server/main.ts"): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.join(root, script)], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", NODE_ENV: process.env.NODE_ENV ?? "", PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "info", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const port = await Promise.race([
    portOf(child),
    exited.then(([code]) => {
      throw new Error(`The server ended with ${String(code)} before it listened.`);
    }),
  ]);
  const end = (signal: NodeJS.Signals) => async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    kill: async () => void (await end("SIGKILL")()),
    stop: end("SIGTERM"),
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")()),
  };
}

/** The port in the line that says where the server listens. The rest of its output is read and dropped, so that it never waits. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const port = /Server listening at http:\/\/[^"]*:(\d+)/.exec(line)?.[1];
      if (port) resolve(Number(port));
    });
  });
}
