import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../support/server.ts";
import { memoryOf } from "./fan-out.ts";
import { serverScript, median, type Row, type Site } from "./bench-site.ts";

const rounds = 5;

/** From the command to the first page with existing data, and the memory of the idle process afterwards. */
export async function coldStart({ dataDir, server: runningServer }: Site): Promise<Row[]> {
  await runningServer.stop();
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await using server = await startServer({ DATA_DIR: dataDir }, { script: serverScript, first: "/home" });
    times.push((performance.now() - start) / 1_000);
    await sleep(1_500);
    sizes.push(memoryOf(server.pid) / 1024);
  }
  const [time, size] = [median(times), median(sizes)];
  return [
    {
      title: "Cold start to the first page",
      ours: `${time.toFixed(2)} s`,
      bare: "",
      value: time,
      unit: "s",
      target: { atMost: 1.5 },
    },
    {
      title: "Memory after the first page",
      ours: `${size.toFixed(0)} MB`,
      bare: "",
      value: size,
      unit: "MB",
      target: { atMost: 150 },
    },
  ];
}
