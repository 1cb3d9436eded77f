import type { Database } from "./connection.ts";
import { setSiteValue } from "./meta.ts";

const probeTimeoutMs = 1_000;
const probeIntervalMs = 1_000;

/** Returns a check that writes at most once a second, never twice at once, and fails after a second. */
export function writeProbe(database: Pick<Database, "write">): () => Promise<boolean> {
  let lastAttempt: { startedAt: number; answer: Promise<boolean>; isOver: boolean } | undefined;
  return () => {
    if (lastAttempt && (!lastAttempt.isOver || Date.now() - lastAttempt.startedAt < probeIntervalMs))
      return lastAttempt.answer;
    const attempt = { startedAt: Date.now(), answer: Promise.resolve(false), isOver: false };
    const writeResult = database
      .write((tx) => setSiteValue(tx, "probe", String(attempt.startedAt)))
      .then(
        () => true,
        () => false,
      )
      .finally(() => (attempt.isOver = true));
    attempt.answer = Promise.race([
      writeResult,
      new Promise<boolean>((resolve) => setTimeout(resolve, probeTimeoutMs, false).unref()),
    ]);
    lastAttempt = attempt;
    return attempt.answer;
  };
}
