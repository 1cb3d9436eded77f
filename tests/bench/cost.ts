import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { median, startProcess } from "./bench-site.ts";
import type { LoadCommand, LoadReport, LoadRequest } from "./load.ts";

/** As few connections as keep a server busy. */
const defaults = { connections: 8, warmUp: 6, round: 1.5 };
const rounds = 5;
const ticksPerSecond = 100;
/** Rounds in which the machine is this much slower than at its fastest do not count, if there are others. */
const slow = 1.25;
const maxRounds = 8;

/** A server process and what is requested of it; `requests` is called anew for each round. */
export interface CostTarget {
  url: string;
  pid: number;
  requests: () => LoadRequest[];
}
/** Milliseconds of CPU time: of the main thread, and of all threads and the kernel. */
export interface CpuTime {
  main: number;
  all: number;
}

export function startLoad() {
  const load = startProcess("load.ts");
  return {
    run: (command: LoadCommand) => load.request<LoadReport>(command),
    [Symbol.dispose]: () => load[Symbol.dispose](),
  };
}

/**
 * Returns the CPU time of a request to each target: the median of rounds in which the targets take turns, after each has been
 * warmed up for so many seconds, until the engine has compiled its code.
 */
export async function costOf(
  load: ReturnType<typeof startLoad>,
  targets: CostTarget[],
  { connections, warmUp, round: roundSeconds } = defaults,
): Promise<CpuTime[]> {
  const measure = async ({ url, pid, requests }: CostTarget, seconds: number): Promise<CpuTime> => {
    const before = cpuTimeOf(pid);
    const { responses } = await load.run({ url, requests: requests(), connections, seconds });
    const after = cpuTimeOf(pid);
    return { main: (after.main - before.main) / responses, all: (after.all - before.all) / responses };
  };
  for (const target of targets) await measure(target, warmUp);
  const results: { loop: number; times: CpuTime[] }[] = [];
  const good = () => {
    const fastest = Math.min(...results.map(({ loop }) => loop));
    return results.filter(({ loop }) => loop <= fastest * slow);
  };
  for (let round = 0; round < maxRounds && good().length < rounds; round++) {
    const times: CpuTime[] = [];
    for (const target of targets) times.push(await measure(target, roundSeconds));
    results.push({ loop: timeOfLoop(), times });
  }
  const medianOf = (index: number, part: keyof CpuTime) =>
    median(good().map(({ times }) => times[index]![part]));
  return targets.map((_, index) => ({ main: medianOf(index, "main"), all: medianOf(index, "all") }));
}

/** Returns what a process has used so far. */
export function cpuTimeOf(pid: number): CpuTime {
  const nanoseconds = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0];
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Of threads that have ended, too. The name in brackets may contain anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { main: Number(nanoseconds) / 1e6, all: (ticks * 1_000) / ticksPerSecond };
}

/** A fixed loop, run twice: by the second time the engine has compiled it. */
const loop = `
  for (let time = 0; time < 2; time++) {
    const start = process.cpuUsage();
    let value = 0;
    for (let step = 0; step < 5e7; step++) value = (Math.imul(value, 31) + step) | 0;
    const { user, system } = process.cpuUsage(start);
    // What it counts is looked at, so that the loop is not left out.
    if (time === 1 && Number.isInteger(value)) console.log(user + system);
  }`;

/**
 * Returns the CPU time of the loop, which shows how fast the machine is now: a shared machine whose share is used up is throttled
 * to a fifth, which the kernel counts as CPU time of the running process.
 */
const timeOfLoop = (): number =>
  Number(spawnSync(process.execPath, ["--eval", loop], { encoding: "utf8" }).stdout);
