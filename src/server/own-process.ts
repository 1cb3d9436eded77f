import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { projectRoot } from "./project-root.ts";

interface Options {
  /** Its settings; of the server's own it gets none. */
  settings: Record<string, string>;
  /** Stops it, which it has time to tidy up after. */
  signal: AbortSignal;
  /** What the Error that is thrown begins with, as in “The backup failed”. */
  failed: string;
  /** Hears what it sends, where it sends something. */
  onMessage?: (message: unknown) => void;
}

/**
 * Runs a command of this program in a process of its own that gives way to others, and answers with what it prints with
 * `--json`. Throws an Error with what it said where it fails.
 */
export async function runCommand(
  words: string[],
  { settings, signal, failed, onMessage }: Options,
): Promise<unknown> {
  const isBuilt = !import.meta.filename.endsWith(".ts");
  const script = path.join(projectRoot, isBuilt ? "dist/server/reprise.js" : "src/server/reprise.ts");
  const child = spawn(process.execPath, [script, ...words, "--json"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe", ...(onMessage ? ["ipc" as const] : [])],
  });
  if (onMessage) child.on("message", onMessage);
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [answer, problem, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
    if (code === 0) return JSON.parse(answer);
    throw new Error(`${failed}: ${problem.trim() || `its process ended with ${code}`}`);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
