// Child processes of the commands, and how they stop.
// Plain JavaScript: it runs on the system's Node, before anything is installed.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

/** An error that ends the command with one line and no stack trace. */
export class UserError extends Error {}

/** The user pressed Ctrl-C or sent SIGTERM; `signal` says which. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

const running = new Set();
let stop;
const lastSignalAt = {};

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => forwardSignal(signal));
// npm runs us through a shell, which dies of npm's SIGTERM without passing it on: then our parent process changes.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const parentCheck = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(parentCheck);
    forwardSignal("SIGTERM");
  }, 250);
  parentCheck.unref();
}
process.on("exit", () => {
  for (const child of running) if (child.ownGroup) send(child, "SIGKILL");
});

function forwardSignal(signal) {
  stop ??= signal;
  // npm passes on a signal that the terminal or a group kill has already sent us: it counts once.
  if (Date.now() - (lastSignalAt[signal] ?? 0) < 1000) return;
  lastSignalAt[signal] = Date.now();
  for (const child of running) {
    if (child.patience) setTimeout(send, child.patience, child, "SIGKILL").unref();
    // The terminal sends Ctrl-C to the whole group, so a child in it already has it.
    if (signal === "SIGINT" && !child.ownGroup && inForeground()) continue;
    // Vitest and Playwright clean up on SIGINT only.
    send(child, child.ownGroup ? "SIGINT" : signal);
  }
}

function send(child, signal) {
  try {
    if (child.ownGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}

function inForeground() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY || false;
  }
}

/**
 * Runs a command to its end and returns `{ code, signal, output }`. Throws `Stopped` if it ended because we had to stop.
 * `quiet` keeps its output (in `output`) instead of showing it. `ownGroup` gives it a process group, which is killed when it
 * ends; it can't read the terminal then. `timeout` limits the whole run, `patience` the time between the request to stop and
 * the kill; both in milliseconds, 0 for no limit.
 */
export async function run(command, args, options = {}) {
  const { quiet = false, ownGroup = false, env = {}, shell = false, timeout = 0 } = options;
  if (stop) throw new Stopped(stop);
  const detached = ownGroup && process.platform !== "win32";
  const child = spawn(command, args, {
    detached,
    shell,
    timeout,
    env: { ...process.env, ...env },
    stdio: [quiet || ownGroup ? "ignore" : "inherit", ...(quiet ? ["pipe", "pipe"] : ["inherit", "inherit"])],
  });
  child.ownGroup = detached;
  child.patience = options.patience ?? (ownGroup ? 5000 : 0);
  let output = "";
  if (quiet) {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  }
  running.add(child);
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (...result) => resolve(result));
    });
    // A clean shutdown returns its own result; the result of an interrupted step means nothing.
    if (stop && (quiet || ownGroup || signal)) throw new Stopped(stop);
    return { code: code ?? 128 + (constants.signals[signal] ?? 0), signal, output };
  } finally {
    running.delete(child);
    if (detached && child.pid) send(child, "SIGKILL");
  }
}

/** Ends this process according to `error`: by the signal that stopped it, with one line, or with a stack trace. */
export function end(error) {
  if (error instanceof Stopped) {
    // Dying of the signal itself, not with an exit code, keeps npm from reporting a failure.
    process.removeAllListeners(error.signal);
    process.kill(process.pid, error.signal);
    return;
  }
  console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
}
