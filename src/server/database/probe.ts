import type { Connection, Database } from "./connection.ts";
import { setSiteValue } from "./meta.ts";

const probeTimeoutMs = 1_000;
const probeIntervalMs = 1_000;

export type ProbeResult = "ready" | "cannot read" | "cannot write";

/** Returns a check that reads and writes at most once a second, never twice at once, and fails after a second. */
export function storeProbe(
  database: Pick<Database, "read" | "write">,
  read: (connection: Connection) => Promise<unknown>,
): () => Promise<ProbeResult> {
  let lastAttempt: { startedAt: number; answer: Promise<ProbeResult>; isOver: boolean } | undefined;
  return () => {
    if (lastAttempt && (!lastAttempt.isOver || Date.now() - lastAttempt.startedAt < probeIntervalMs))
      return lastAttempt.answer;
    const attempt: NonNullable<typeof lastAttempt> = {
      startedAt: Date.now(),
      answer: Promise.resolve("ready"),
      isOver: false,
    };
    let result: ProbeResult = "cannot read";
    const run = async () => {
      await read(database.read);
      result = "cannot write";
      await database.write((tx) => setSiteValue(tx, "probe", String(attempt.startedAt)));
      result = "ready";
    };
    const isDone = run()
      .catch(() => undefined)
      .finally(() => (attempt.isOver = true));
    const timeout = new Promise((resolve) => setTimeout(resolve, probeTimeoutMs).unref());
    attempt.answer = Promise.race([isDone, timeout]).then(() => result);
    lastAttempt = attempt;
    return attempt.answer;
  };
}
