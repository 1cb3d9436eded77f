import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Lets others have the processor first: this thread, or the whole process. On Linux a priority is a thread's, 0 names the
 * one that asks, and those of the pool are there before any line of ours runs; elsewhere only a whole process has one.
 */
export function stepBack(whole: "thread" | "process"): void {
  const isLinux = process.platform === "linux";
  if (whole === "thread" && !isLinux) return;
  try {
    const threads = whole === "process" && isLinux ? readdirSync("/proc/self/task") : ["0"];
    for (const thread of threads.map(Number)) setPriority(thread, Math.min(19, getPriority(thread) + 5));
  } catch {
    // Where that is not allowed it works at the usual priority.
  }
}
