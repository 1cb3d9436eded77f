import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Config } from "./config.ts";
import { buildFolder, projectRoot } from "./project-root.ts";

interface Options {
  /** Its environment, without the server's settings. */
  settings: Record<string, string>;
  /** Sends SIGTERM, after which it has ten seconds to clean up. */
  signal: AbortSignal;
  /** The start of an Error's message, as in “The backup failed”. */
  failed: string;
  onMessage?: (message: unknown) => void;
  /** Ends it when its objects take more. */
  heapMegabytes?: number;
  /** Ends it after so many milliseconds without a message. */
  idleLimit?: number;
  /** By default the process has low priority. */
  keepsPriority?: boolean;
}

/** The settings by which a process finds the site. */
export const siteSettings = ({
  dataDir,
  databaseUrl,
  s3Url,
}: Pick<Config, "dataDir" | "databaseUrl" | "s3Url">): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  ...(s3Url === undefined ? {} : { S3_URL: s3Url }),
});

/** Why a process ended that did not end by itself. */
export class CommandKilled extends Error {
  readonly reason: "memory" | "time" | "unknown";

  constructor(failed: string, reason: CommandKilled["reason"]) {
    super(`${failed}: ${reasons[reason]}`);
    this.reason = reason;
  }
}
const reasons = {
  memory: "its process needed too much memory",
  time: "its process took too long",
  unknown: "its process was ended",
};

/** Milliseconds between SIGTERM and SIGKILL. */
const patience = 10_000;

/**
 * Runs a command in a child process, by default of low priority. Returns its `--json` output. Throws an Error with its
 * error output, or `CommandKilled`.
 */
export async function runCommand(
  args: string[],
  { settings, signal, failed, onMessage, heapMegabytes, idleLimit, keepsPriority = false }: Options,
): Promise<unknown> {
  const isBuilt = !import.meta.filename.endsWith(".ts");
  const script = isBuilt
    ? path.join(buildFolder, "server/reprise.js")
    : path.join(projectRoot, "src/server/reprise.ts");
  const limits = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
  const child = spawn(process.execPath, [...limits, script, ...args, "--json"], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ["ignore", "pipe", "pipe", ...(onMessage ? ["ipc" as const] : [])],
  });
  let isTimedOut = false;
  const idleTimer = setTimeout(() => {
    isTimedOut = true;
    child.kill("SIGKILL");
  }, idleLimit);
  if (idleLimit === undefined) clearTimeout(idleTimer);
  if (onMessage)
    child.on("message", (message) => {
      if (idleLimit !== undefined) idleTimer.refresh();
      onMessage(message);
    });
  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill("SIGTERM");
    killTimer = setTimeout(() => child.kill("SIGKILL"), patience);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    if (child.pid && !keepsPriority) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const exit = new Promise<[code: number | null, signal: NodeJS.Signals | null]>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, killedBy) => resolve([code, killedBy]));
    });
    const [answer, problem, [code, killedBy]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      exit,
    ]);
    if (code === 0) return JSON.parse(answer);
    // V8 aborts when the heap is full.
    if (killedBy === "SIGABRT" || problem.includes("heap out of memory"))
      throw new CommandKilled(failed, "memory");
    // The others ask it to stop, and it may be run again.
    if (code === null && killedBy !== "SIGTERM" && killedBy !== "SIGINT")
      throw new CommandKilled(failed, isTimedOut ? "time" : "unknown");
    throw new Error(`${failed}: ${problem.trim() || `its process ended with ${code}`}`);
  } finally {
    // Some messages may not be delivered yet.
    child.removeAllListeners("message");
    clearTimeout(idleTimer);
    clearTimeout(killTimer);
    signal.removeEventListener("abort", stop);
  }
}
