import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { buildFolder, projectRoot } from "./project-root.ts";

interface Options {
  /** Its environment, without the server's settings. */
  settings: Record<string, string>;
  /** Sends SIGTERM, after which it can clean up. */
  signal: AbortSignal;
  /** The start of an Error's message, as in “The backup failed”. */
  failed: string;
  onMessage?: (message: unknown) => void;
}

/** Runs a command in a child process of low priority. Returns its `--json` output; throws an Error with its error output. */
export async function runCommand(
  args: string[],
  { settings, signal, failed, onMessage }: Options,
): Promise<unknown> {
  const isBuilt = !import.meta.filename.endsWith(".ts");
  const script = isBuilt
    ? path.join(buildFolder, "server/reprise.js")
    : path.join(projectRoot, "src/server/reprise.ts");
  const child = spawn(process.execPath, [script, ...args, "--json"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe", ...(onMessage ? ["ipc" as const] : [])],
  });
  if (onMessage) child.on("message", onMessage);
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const exitCode = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [answer, problem, code] = await Promise.all([text(child.stdout!), text(child.stderr!), exitCode]);
    if (code === 0) return JSON.parse(answer);
    throw new Error(`${failed}: ${problem.trim() || `its process ended with ${code}`}`);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
