import { setImmediate as nextTurn } from "node:timers/promises";
import { CommentText } from "../../shared/comments.ts";
import { limits } from "../../shared/limits.ts";
import { PersonName } from "../../shared/users.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { addGuestComments, type GuestComment } from "../comments/guests.ts";
import type { MemberContext } from "../context.ts";
import type { CommentsTaken } from "../database/schema/imports.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { idInOrder } from "../runtime/ids.ts";
import { enforceNewAccountLimit, NewAccountLimitError, linksIn } from "../profiles/new-account-limits.ts";
import { requireTextRoom } from "../profiles/quotas.ts";
import { importBounds as bounds } from "./bounds.ts";
import { importedBlog, saveCommentsTaken } from "./queries.ts";
import { countText } from "../../shared/count-text.ts";
import type { SourceComment } from "./source.ts";

/** The outcome of importing a post's comments. */
export interface CommentsOutcome {
  importedCount: number;
  problems: string[];
}

/** Comments ready to be stored, sorted by time, each after its parent. */
export interface PreparedComments {
  comments: GuestComment[];
  problems: string[];
}

/** Returns a comment's sort key within its post. */
const sortKey = ({ createdAt, id }: GuestComment): string => `${String(createdAt).padStart(15, "0")} ${id}`;

/** Prepares a post's comments for storage, deterministically: retries yield the same IDs. */
export async function prepareComments(
  sourceComments: SourceComment[],
  blogId: string,
  now: number,
  offset = 0,
): Promise<PreparedComments> {
  const counts = { waiting: 0, unreadable: 0, cut: 0, many: 0 };
  const bySource = new Map<string, SourceComment>();
  const texts = new Map<SourceComment, { text: string; guestName: string }>();
  for (const [index, comment] of sourceComments.entries()) {
    if (index % 200 === 199) await nextTurn();
    if (bySource.has(comment.source)) continue;
    bySource.set(comment.source, comment);
    if (!comment.approved) counts.waiting++;
    else if (texts.size >= bounds.comments) counts.many++;
    else {
      const text = readable(comment.text, limits.comment.max, CommentText);
      if (text === null) counts.unreadable++;
      else {
        if (text.endsWith("…") && !comment.text.trimEnd().endsWith("…")) counts.cut++;
        const guestName = readable(comment.name.replace(/\s+/g, " "), limits.name.max, PersonName);
        texts.set(comment, { text, guestName: guestName ?? "Anonymous" });
      }
    }
  }
  /** Returns the nearest ancestor that is imported. */
  const nearestParent = (comment: SourceComment): SourceComment | undefined => {
    const visited = new Set([comment]);
    let ancestor = bySource.get(comment.parent ?? "");
    while (ancestor && !visited.has(ancestor) && visited.size < bounds.skippedAncestors) {
      if (texts.has(ancestor)) return ancestor;
      visited.add(ancestor);
      ancestor = bySource.get(ancestor.parent ?? "");
    }
    return undefined;
  };
  const prepared = new Map<SourceComment, GuestComment>();
  const countAtTime = new Map<number, number>();
  for (const comment of texts.keys()) {
    // Topmost first, without recursion: threads may be deeper than the call stack.
    const chain = new Set<SourceComment>();
    for (
      let current: SourceComment | undefined = comment;
      current && !prepared.has(current) && !chain.has(current);
    )
      current = nearestParent(chain.add(current) && current);
    if (prepared.size % 200 === 199) await nextTurn();
    for (const one of [...chain].toReversed()) {
      const parent = prepared.get(nearestParent(one) ?? one);
      const date = Math.min(Math.max(one.createdAt.getTime() + offset, 0), now);
      // Always later than its parent (`addComment`).
      const createdAt = Math.max(date, parent ? parent.createdAt + 1 : 0);
      const order = countAtTime.get(createdAt) ?? 0;
      countAtTime.set(createdAt, order + 1);
      const id = idInOrder(createdAt, order, `${blogId}\n${one.source}`);
      prepared.set(one, { ...texts.get(one)!, id, parentId: parent?.id ?? null, createdAt });
    }
  }
  const problems = [
    [counts.waiting, "skipped: not approved on the old site"],
    [counts.unreadable, "skipped: no readable text"],
    [counts.cut, `cut to ${limits.comment.max.toLocaleString("en")} characters`],
    [counts.many, `skipped: at most ${bounds.comments.toLocaleString("en")} are imported per post`],
  ] as const;
  return {
    comments: [...prepared.values()].sort(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    ),
    problems: problems.flatMap(([count, what]) =>
      count > 0 ? `${countText(count, "comment")} ${what}` : [],
    ),
  };
}

/** Returns a text that `schema` accepts, cut to `maxLength` characters; null when nothing readable remains. */
function readable(text: string, maxLength: number, schema: typeof CommentText): string | null {
  // eslint-disable-next-line no-control-regex
  const cleaned = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "").slice(0, maxLength * 3);
  const characters = [...cleaned.toWellFormed().normalize("NFC")];
  const shortened =
    characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength - 1).join("")}…`;
  return schema.safeParse(shortened).data ?? null;
}

/**
 * Stores new comments in batches. Imported comments that were deleted here never return; comments added at the source since are
 * stored.
 */
export async function storeComments(
  ctx: MemberContext,
  { key, runId, requireRunning }: Target,
  prepared: PreparedComments,
): Promise<CommentsOutcome> {
  const skipped = { placeless: 0, linked: 0 };
  let progress: CommentsTaken = { to: "", taken: 0, runId };
  let from = 0;
  const bytes = prepared.comments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > 0) await requireTextRoom(ctx, ctx.viewer.id, bytes);
  if (prepared.comments.length > 0)
    await runInSteps(ctx.database, async (tx) => {
      await requireRunning(tx);
      const row = await importedBlog(tx, ctx.viewer.id, key);
      const blog = row?.blogId ? await blogFactsById(tx, row.blogId, null) : undefined;
      if (!blog) return true;
      const { comments: previous } = row ?? {};
      progress = {
        to: previous?.to ?? "",
        taken: runId !== null && previous?.runId === runId ? previous.taken : 0,
        runId,
      };
      for (
        let next = prepared.comments[from];
        next && sortKey(next) <= progress.to;
        next = prepared.comments[from]
      )
        from++;
      const batch = prepared.comments.slice(from, from + bounds.commentsAtOnce);
      const last = batch.at(-1);
      if (!last) return true;
      const accepted: GuestComment[] = [];
      for (const comment of batch)
        if (await isWithinLinkLimit(tx, ctx, comment)) accepted.push(comment);
        else skipped.linked++;
      const placeless = await addGuestComments(tx, blog, accepted);
      skipped.placeless += placeless.length;
      progress = { to: sortKey(last), taken: progress.taken + accepted.length - placeless.length, runId };
      await saveCommentsTaken(tx, ctx.viewer.id, key, progress);
      return from + batch.length === prepared.comments.length;
    });
  const problems = [...prepared.problems];
  if (skipped.placeless > 0)
    problems.push(`${countText(skipped.placeless, "comment")} skipped: what they reply to is missing`);
  if (skipped.linked > 0)
    problems.push(
      `${countText(skipped.linked, "comment")} with links skipped: new accounts can post only a few links on their first day`,
    );
  return { importedCount: progress.taken, problems };
}

interface Target {
  /** The post's key. */
  key: string;
  runId: string | null;
  requireRunning: (tx: Transaction) => Promise<void>;
}

/** Counts links against a new account's limit, whichever name the comment carries. */
async function isWithinLinkLimit(
  tx: Transaction,
  ctx: MemberContext,
  { text }: GuestComment,
): Promise<boolean> {
  const links = linksIn(text);
  if (links === 0) return true;
  try {
    await enforceNewAccountLimit(tx, ctx, "firstDayLinks", () => links);
    return true;
  } catch (error) {
    if (error instanceof NewAccountLimitError) return false;
    throw error;
  }
}
