import { startServer } from "../support/server.ts";
import { serverScript, median, type Row, type Site } from "./bench-site.ts";

const rounds = 5;

/** From the command to the first page with existing data. */
export async function coldStart({ dataDir, server: runningServer }: Site): Promise<Row[]> {
  await runningServer.stop();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await using _server = await startServer({ DATA_DIR: dataDir }, { script: serverScript, first: "/home" });
    times.push((performance.now() - start) / 1_000);
  }
  const value = median(times);
  const title = "Cold start to the first page";
  return [{ title, ours: `${value.toFixed(2)} s`, bare: "", value, unit: "s", target: { atMost: 0.8 } }];
}
