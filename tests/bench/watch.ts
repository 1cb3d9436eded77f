// Watches a server from a process of its own, told over IPC by hostile.ts: how long /healthz waits, and how much memory
// the server and what it has started take together.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

/** `watch` begins to ask and to look; `stop` ends it and has it reported. */
export type Order = { watch: string; pid: number } | { stop: true };
/** The longest that /healthz waited in milliseconds, how often it was asked, and the memory at its height in megabytes. */
export interface Seen {
  longest: number;
  asked: number;
  memory: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const pause = 10;
let watching = false;
let seen: Seen = { longest: 0, asked: 0, memory: 0 };
let rounds: Promise<unknown> = Promise.resolve();

process.on("message", (order: Order) => {
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

/** Of what several processes share, each has its part: all of them run the same program. */
const residentOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0);

/** What the kernel says of a process; nothing where it has just ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
