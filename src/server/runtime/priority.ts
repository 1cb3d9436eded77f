import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Lowers the priority of this thread or the process. On Linux each thread has its own: 0 is the current one, and the thread
 * pool's start before this code. Elsewhere only processes have one.
 */
export function lowerPriority(scope: "thread" | "process"): void {
  const isLinux = process.platform === "linux";
  if (scope === "thread" && !isLinux) return;
  try {
    const threads = scope === "process" && isLinux ? readdirSync("/proc/self/task") : ["0"];
    for (const thread of threads.map(Number)) setPriority(thread, Math.min(19, getPriority(thread) + 5));
  } catch {
    // Where that is not allowed it works at the usual priority.
  }
}
