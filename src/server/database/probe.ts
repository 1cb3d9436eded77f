import type { Database } from "./connection.ts";
import { setSiteValue } from "./meta.ts";

const patience = 1_000;
const pendingFor = 1_000;

/** Returns a check that writes at most once a second, never twice at once, and fails after a second. */
export function writeProbe(database: Pick<Database, "write">): () => Promise<boolean> {
  let tried: { since: number; answer: Promise<boolean>; isOver: boolean } | undefined;
  return () => {
    if (tried && (!tried.isOver || Date.now() - tried.since < pendingFor)) return tried.answer;
    const attempt = { since: Date.now(), answer: Promise.resolve(false), isOver: false };
    const written = database
      .write((tx) => setSiteValue(tx, "probe", String(attempt.since)))
      .then(
        () => true,
        () => false,
      )
      .finally(() => (attempt.isOver = true));
    attempt.answer = Promise.race([
      written,
      new Promise<boolean>((resolve) => setTimeout(resolve, patience, false).unref()),
    ]);
    tried = attempt;
    return attempt.answer;
  };
}
