import { readdirSync } from "node:fs";
import { setPriority } from "node:os";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { encode } from "./encode.ts";
import { tooCostly } from "./refusals.ts";
import type { Answer, Job } from "./workshop.ts";

/* The process that workshop.ts starts: pictures are worked on here, one at a time, behind everybody who waits for a page. */

process.umask(0o077);
stepBack();

const answer = (said: Answer, then?: () => void) => process.send?.(said, undefined, undefined, then);
const refusal = ({ code, message }: AppError): Answer => ({ refused: { code, message } });

process.on("disconnect", () => process.exit(0));
process.on("message", ({ source, folder }: Job) => {
  // The work runs in a thread beside this one, which is free to look.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < limits.image.memory) return;
    clearInterval(watch);
    answer({ ...refusal(tooCostly()), last: true }, () => process.exit(1));
  }, 25);
  encode(source, folder)
    .then(
      (made) => answer({ made }),
      (error: unknown) =>
        answer(error instanceof AppError ? refusal(error) : { failed: String((error as Error).stack) }),
    )
    .finally(() => clearInterval(watch));
});

/** Lets others go first. On Linux a priority is a thread's, and those of the pool are there before any line of ours runs. */
function stepBack(): void {
  try {
    const threads = process.platform === "linux" ? readdirSync("/proc/self/task") : [process.pid];
    for (const thread of threads) setPriority(Number(thread), 5);
  } catch {
    // Where that is not allowed it works at the usual priority.
  }
}
