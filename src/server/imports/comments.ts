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
import { importBounds as bounds } from "./bounds.ts";
import { importedBlog, saveCommentsTaken } from "./queries.ts";
import { countText } from "./reading/values.ts";
import type { SourceComment } from "./source.ts";

/** The outcome of importing a post's comments. */
export interface CommentsOutcome {
  taken: number;
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
  all: SourceComment[],
  blogId: string,
  now: number,
  later = 0,
): Promise<PreparedComments> {
  const out = { waiting: 0, unreadable: 0, cut: 0, many: 0 };
  const known = new Map<string, SourceComment>();
  const said = new Map<SourceComment, { text: string; guestName: string }>();
  for (const [at, comment] of all.entries()) {
    if (at % 200 === 199) await nextTurn();
    if (known.has(comment.source)) continue;
    known.set(comment.source, comment);
    if (!comment.approved) out.waiting++;
    else if (said.size >= bounds.comments) out.many++;
    else {
      const text = readable(comment.text, limits.comment.max, CommentText);
      if (text === null) out.unreadable++;
      else {
        if (text.endsWith("…") && !comment.text.trimEnd().endsWith("…")) out.cut++;
        const guestName = readable(comment.name.replace(/\s+/g, " "), limits.name.max, PersonName);
        said.set(comment, { text, guestName: guestName ?? "Anonymous" });
      }
    }
  }
  /** Returns the nearest ancestor that is imported. */
  const answered = (comment: SourceComment): SourceComment | undefined => {
    const passed = new Set([comment]);
    let at = known.get(comment.parent ?? "");
    while (at && !passed.has(at) && passed.size < bounds.skippedAncestors) {
      if (said.has(at)) return at;
      passed.add(at);
      at = known.get(at.parent ?? "");
    }
    return undefined;
  };
  const placed = new Map<SourceComment, GuestComment>();
  const atTime = new Map<number, number>();
  for (const comment of said.keys()) {
    // Topmost first, without recursion: threads may be deeper than the call stack.
    const chain = new Set<SourceComment>();
    for (let at: SourceComment | undefined = comment; at && !placed.has(at) && !chain.has(at);)
      at = answered(chain.add(at) && at);
    if (placed.size % 200 === 199) await nextTurn();
    for (const one of [...chain].toReversed()) {
      const parent = placed.get(answered(one) ?? one);
      const date = Math.min(Math.max(one.createdAt.getTime() + later, 0), now);
      // Always later than its parent (`addComment`).
      const createdAt = Math.max(date, parent ? parent.createdAt + 1 : 0);
      const order = atTime.get(createdAt) ?? 0;
      atTime.set(createdAt, order + 1);
      const id = idInOrder(createdAt, order, `${blogId}\n${one.source}`);
      placed.set(one, { ...said.get(one)!, id, parentId: parent?.id ?? null, createdAt });
    }
  }
  const problems = [
    [out.waiting, "skipped: not approved on the old site"],
    [out.unreadable, "skipped: no readable text"],
    [out.cut, `cut to ${limits.comment.max.toLocaleString("en")} characters`],
    [out.many, `skipped: at most ${bounds.comments.toLocaleString("en")} are imported per post`],
  ] as const;
  return {
    comments: [...placed.values()].sort(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    ),
    problems: problems.flatMap(([count, what]) =>
      count > 0 ? `${countText(count, "comment")} ${what}` : [],
    ),
  };
}

/** Returns a text that `schema` accepts, cut to `most` characters; null when nothing readable remains. */
function readable(text: string, most: number, schema: typeof CommentText): string | null {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "").slice(0, most * 3);
  const letters = [...plain.toWellFormed().normalize("NFC")];
  const short = letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
  return schema.safeParse(short).data ?? null;
}

/**
 * Stores new comments in batches. Imported comments that were deleted here never return; comments added at the source since are
 * stored.
 */
export async function storeComments(
  ctx: MemberContext,
  { key, runId, requireRunning }: Target,
  ready: PreparedComments,
): Promise<CommentsOutcome> {
  const left = { placeless: 0, linked: 0 };
  let done: CommentsTaken = { to: "", taken: 0, runId };
  let from = 0;
  if (ready.comments.length > 0)
    await runInSteps(ctx.database, async (tx) => {
      await requireRunning(tx);
      const row = await importedBlog(tx, ctx.viewer.id, key);
      const blog = row?.blogId ? await blogFactsById(tx, row.blogId, null) : undefined;
      if (!blog) return true;
      const { comments: before } = row ?? {};
      done = {
        to: before?.to ?? "",
        taken: runId !== null && before?.runId === runId ? before.taken : 0,
        runId,
      };
      for (let at = ready.comments[from]; at && sortKey(at) <= done.to; at = ready.comments[from]) from++;
      const some = ready.comments.slice(from, from + bounds.commentsAtOnce);
      const last = some.at(-1);
      if (!last) return true;
      const wanted: GuestComment[] = [];
      for (const comment of some)
        if (await isWithinLinkLimit(tx, ctx, comment)) wanted.push(comment);
        else left.linked++;
      const placeless = await addGuestComments(tx, blog, wanted);
      left.placeless += placeless.length;
      done = { to: sortKey(last), taken: done.taken + wanted.length - placeless.length, runId };
      await saveCommentsTaken(tx, ctx.viewer.id, key, done);
      return from + some.length === ready.comments.length;
    });
  const problems = [...ready.problems];
  if (left.placeless > 0)
    problems.push(`${countText(left.placeless, "comment")} skipped: what they reply to is missing`);
  if (left.linked > 0)
    problems.push(
      `${countText(left.linked, "comment")} with links skipped: new accounts can post only a few links on their first day`,
    );
  return { taken: done.taken, problems };
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
    await enforceNewAccountLimit(tx, ctx, "firstDayTalk", () => links);
    return true;
  } catch (error) {
    if (error instanceof NewAccountLimitError) return false;
    throw error;
  }
}
