import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { writingTopic } from "../live/facts.ts";
import { asSource, type Presented, type Source } from "../live/tail.ts";
import { presentCommits } from "./writing.ts";
import { commitsBetween } from "./writing-queries.ts";

/** What its authors write, of several commits at once all in one event; when it was saved last; what they are told. */
export const writingSource = (connection: Connection, blogId: string): Source =>
  asSource("writing", writingTopic(blogId), `writing:${blogId}`, async (facts) => {
    const committed: { at: number; seq: number }[] = [];
    let saved: Presented | undefined;
    const told: Presented[] = [];
    for (const { seq: at, fact } of facts) {
      if (fact.kind === "writing.committed") committed.push({ at, seq: fact.seq });
      else if (fact.kind === "writing.saved") saved = { seq: at, event: fact };
      else told.push({ seq: at, event: fact });
    }
    const commits = await presentCommitted(connection, blogId, committed);
    return [...commits, ...(saved ? [saved] : []), ...told].toSorted((one, other) => one.seq - other.seq);
  });

/** `at` is where the stream is, `seq` the commit's own. */
async function presentCommitted(
  connection: Connection,
  blogId: string,
  committed: { at: number; seq: number }[],
): Promise<Presented[]> {
  const [first, last] = [committed[0], committed.at(-1)];
  if (!first || !last) return [];
  const rows = await commitsBetween(connection, blogId, first.seq - 1, last.seq + 1);
  const commits = await presentCommits(connection, rows);
  const isLong = Buffer.byteLength(JSON.stringify(commits)) > limits.live.message;
  const event = { kind: "writing.committed" as const, seq: last.seq, commits: isLong ? null : commits };
  return [{ seq: last.at, event }];
}
