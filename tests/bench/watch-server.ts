// Watches a server from its own process, controlled over IPC by hostile.ts: how long /healthz takes, and the memory of the
// server and its child processes.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

/** `watch` starts watching; `stop` ends it and requests the report. */
export type WatchCommand = { watch: string; pid: number } | { stop: true };
/**
 * The longest response time of /healthz in milliseconds, the number of requests, and the peak memory in megabytes: of the server,
 * and with its processes for pictures and imports.
 */
export interface WatchReport {
  longest: number;
  requests: number;
  memory: number;
  memoryOfAll: number;
}

const noReport: WatchReport = { longest: 0, requests: 0, memory: 0, memoryOfAll: 0 };

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const pause = 10;
let watching = false;
let report = noReport;
let rounds: Promise<unknown> = Promise.resolve();

process.on("message", (command: WatchCommand) => {
  if ("watch" in command) {
    watching = true;
    report = { ...noReport };
    rounds = Promise.all([pollHealth(command.watch), sampleMemory(command.pid)]);
    process.send?.({ ready: true });
  } else {
    watching = false;
    void rounds.then(() => process.send?.(report));
  }
});

async function pollHealth(url: string): Promise<void> {
  while (watching) {
    const start = performance.now();
    await requestHealth(url);
    report.longest = Math.max(report.longest, performance.now() - start);
    report.requests++;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const requestHealth = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (response) => response.resume().once("end", resolve)).once(
      "error",
      reject,
    );
  });

async function sampleMemory(pid: number): Promise<void> {
  while (watching) {
    const own = residentOf(pid);
    const all = childrenOf(pid).reduce((sum, processId) => sum + residentOf(processId), own);
    report.memory = Math.max(report.memory, own / 1024);
    report.memoryOfAll = Math.max(report.memoryOfAll, all / 1024);
    await new Promise((resolve) => setTimeout(resolve, 10 * pause));
  }
}

function childrenOf(pid: number): number[] {
  const childPids = (readProc(`${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number);
  return childPids.flatMap((child) => [child, ...childrenOf(child)]);
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
