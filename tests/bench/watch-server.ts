// Watches a server from its own process, controlled over IPC by hostile.ts: how long /healthz takes, and the memory of the
// server and its child processes.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

/** `watch` starts watching; `stop` ends it and requests the report. */
export type WatchCommand = { watch: string; pid: number } | { stop: true };
/** The longest response time of /healthz in milliseconds, the number of requests, and the peak memory in megabytes. */
export interface WatchReport {
  longest: number;
  asked: number;
  memory: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const pause = 10;
let watching = false;
let seen: WatchReport = { longest: 0, asked: 0, memory: 0 };
let rounds: Promise<unknown> = Promise.resolve();

process.on("message", (order: WatchCommand) => {
  if ("watch" in order) {
    watching = true;
    seen = { longest: 0, asked: 0, memory: 0 };
    rounds = Promise.all([askOn(order.watch), lookOn(order.pid)]);
    process.send?.({ ready: true });
  } else {
    watching = false;
    void rounds.then(() => process.send?.(seen));
  }
});

async function askOn(url: string): Promise<void> {
  while (watching) {
    const start = performance.now();
    await ask(url);
    seen.longest = Math.max(seen.longest, performance.now() - start);
    seen.asked++;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const ask = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });

async function lookOn(pid: number): Promise<void> {
  while (watching) {
    const kilobytes = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + residentOf(each), 0);
    seen.memory = Math.max(seen.memory, kilobytes / 1024);
    await new Promise((resolve) => setTimeout(resolve, 10 * pause));
  }
}

function childrenOf(pid: number): number[] {
  const own = (readProc(`${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number);
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}

/** Returns the proportional set size in kilobytes: each process counts its part of what it shares with the others. */
const residentOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0);

/** Reads a file in /proc; returns "" if the process has just ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
