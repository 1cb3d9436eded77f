import { spawnSync } from "node:child_process";

/** One loop, always the same, run twice: the engine has compiled it by the second time. */
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
 * The processor time of the loop says how fast the machine is just now. In a process of its own: what this one has run since
 * makes the engine take six times as long for it.
 */
const calibrate = (): number =>
  Number(spawnSync(process.execPath, ["--eval", loop], { encoding: "utf8" }).stdout);

let fastest = Math.min(calibrate(), calibrate(), calibrate());

function isFast(): boolean {
  const now = calibrate();
  fastest = Math.min(fastest, now);
  return now < fastest * 1.15;
}

/**
 * Measures while the processor is as fast as this run has seen it. A shared machine is slowed down to a fifth once its share is
 * used up, which the kernel counts as processor time of whoever runs: what was measured across that is measured again, ten times
 * at most.
 */
export async function steadily<Value>(measure: () => Promise<Value>): Promise<Value> {
  for (let time = 1; ; time++) {
    for (let waited = 0; waited < 60 && !isFast(); waited++)
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    const value = await measure();
    if (isFast() || time === 10) return value;
  }
}
