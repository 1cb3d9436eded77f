import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { MoveCaret } from "../../shared/drafts.ts";
import type { MemberContext, Services } from "../context.ts";
import { writableBlog } from "../blogs/access.ts";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import { draftTopic } from "../live/stored-events.ts";
import { createSource, type Presented, type Source } from "../live/source.ts";
import { presentCommits } from "./present.ts";
import { commitsBetween, weighCommits } from "./queries.ts";

/** Presents a text that is edited: commits as one event, the last save, and messages to its authors. */
export const draftSource = (connection: Connection, blogId: string): Source =>
  createSource("draft", draftTopic(blogId), `draft:${blogId}`, async (events) => {
    const committed: { at: number; seq: number }[] = [];
    let saved: Presented | undefined;
    const others: Presented[] = [];
    for (const { seq: eventSeq, event } of events) {
      if (event.kind === "draft.committed") committed.push({ at: eventSeq, seq: event.seq });
      else if (event.kind === "draft.saved") saved = { seq: eventSeq, event };
      else others.push({ seq: eventSeq, event });
    }
    const commits = await presentCommitted(connection, blogId, committed);
    return [...commits, ...(saved ? [saved] : []), ...others].toSorted((a, b) => a.seq - b.seq);
  });

/** `at` is the event's sequence number, `seq` the commit's. */
async function presentCommitted(
  connection: Connection,
  blogId: string,
  committed: { at: number; seq: number }[],
): Promise<Presented[]> {
  const [first, last] = [committed[0], committed.at(-1)];
  if (!first || !last) return [];
  const range = [connection, blogId, first.seq - 1, last.seq + 1] as const;
  const { commits: count, bytes } = await weighCommits(...range);
  // Without some, the page fetches them, or opens the text again.
  const isSent = count === last.seq - first.seq + 1 && bytes <= limits.live.message;
  const commits = isSent ? await presentCommits(connection, await commitsBetween(...range)) : null;
  return [{ seq: last.at, event: { kind: "draft.committed", seq: last.seq, commits } }];
}

/** The last message to a text's authors, not to be repeated with each keystroke. */
const lastMessages = new LRUCache<string, string>({ max: 500, ttl: 60_000 });

/** Shows a message to everyone who has the text open. */
export async function notifyWriters(
  { database }: Pick<Services, "database">,
  blogId: string,
  message: string,
): Promise<void> {
  if (lastMessages.get(blogId) === message) return;
  lastMessages.set(blogId, message);
  await database.write(async (tx) => tx.emit(draftTopic(blogId), { kind: "draft.message", message }));
}

/** Moves a page's caret. Access was checked when its stream opened, otherwise here. */
export async function moveCaret(
  ctx: MemberContext,
  { id, client, ...caret }: z.output<typeof MoveCaret>,
): Promise<{ id: string }> {
  if (!ctx.draftPresence.moveCaret(id, ctx.viewer.id, client, caret))
    await writableBlog(ctx.database.read, ctx.viewer, { id });
  return { id };
}
