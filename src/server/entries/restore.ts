import { entryLimits } from "../../shared/entries.ts";
import { writableBlog } from "../blogs/access.ts";
import { publishEntryWords } from "../blogs/events.ts";
import { blogHtml, setLiveState, type BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic } from "../live/stored-events.ts";
import { requireWriter } from "../profiles/access.ts";
import { enforceNewAccountLimit, linksInHtml } from "../profiles/new-account-limits.ts";
import { digestOf } from "../text/changes.ts";
import * as queries from "./queries.ts";
import { composeEntry, requireRoom, showPictures, timeOf } from "./service.ts";

/** An entry of another site. */
export interface FormerEntry {
  id: string;
  blogId: string;
  /** The time that readers see. */
  at: Date;
  createdAt: Date;
  editedAt: Date | null;
  title: string;
  isKey: boolean;
  /** JSON. */
  document: string;
}

/** The state of a live blog that has ended. */
export interface FormerLiveState {
  since: Date;
  ended: Date;
  summary: string[];
}

/**
 * Adds an entry of another site to the viewer's blog, which becomes a live blog in this state if it is none. A known id changes
 * nothing. Nobody is notified. `also` is stored with it. Throws as `postEntry` does, but the blog need not be on air.
 */
export async function restoreEntry(
  ctx: MemberContext,
  { id, blogId, title, isKey, document, ...times }: FormerEntry,
  { live, also }: { live: FormerLiveState; also: (tx: Transaction) => Promise<void> },
): Promise<void> {
  const { composed } = await composeEntry(ctx, blogId, { title, document });
  await ctx.database.write(async (tx) => {
    await also(tx);
    if (await queries.entryById(tx, id, ctx.viewer.id)) return;
    const blog = await writableBlog(tx, ctx.viewer, { id: blogId });
    await requireWriter(tx, ctx.viewer);
    await requireRoom(tx, blogId);
    await enforceNewAccountLimit(tx, ctx, "firstDayBlogs", () => linksInHtml(composed.html));
    const now = Date.now();
    if (blog.liveSince === null) await restoreState(tx, blog, live, now);
    const past = (time: Date) => timeOf({ at: time.toISOString() }, now);
    await queries.insertEntry(tx, {
      ...queries.derived(composed),
      id,
      blogId,
      authorId: ctx.viewer.id,
      title,
      isKey,
      at: past(times.at),
      createdAt: past(times.createdAt),
      editedAt: times.editedAt && past(times.editedAt),
    });
    await showPictures(ctx, tx, blog, id, composed.pictureIds, now);
    tx.emit(blogTopic(blogId), { kind: "entry.posted", entryId: id });
    await publishEntryWords(tx, blog);
  });
}

async function restoreState(
  tx: Transaction,
  { id }: BlogFacts,
  { since, ended, summary }: FormerLiveState,
  now: number,
): Promise<void> {
  const liveSince = Math.min(since.getTime(), now);
  await setLiveState(tx, id, {
    liveSince,
    liveEnded: Math.max(liveSince, Math.min(ended.getTime(), now)),
    summary: summary.slice(0, entryLimits.summary.points),
  });
  tx.emit(blogTopic(id), { kind: "blog.edited", was: digestOf(await blogHtml(tx, id)) });
}
