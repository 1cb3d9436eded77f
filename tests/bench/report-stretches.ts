// Loaded into the server by open-web.ts before its own code: prints the longest stretch of the main thread at SIGUSR2, and begins again.
import { isMainThread } from "node:worker_threads";

/** What is printed: CPU time in milliseconds without a turn of the event loop, which other programs on the machine do not prolong. */
export interface StretchReport {
  longestStretch: number;
}

const tick = 2;

// The server's threads and processes load this file, too.
if (isMainThread && process.argv[1]?.endsWith("main.js")) {
  let longestStretch = 0;
  let spent = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    longestStretch = Math.max(longestStretch, (user + system) / 1_000);
  }, tick).unref();
  process.on("SIGUSR2", () => {
    process.stdout.write(`${JSON.stringify({ longestStretch } satisfies StretchReport)}\n`);
    longestStretch = 0;
  });
}
