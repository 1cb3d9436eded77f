import { setImmediate as nextTurn } from "node:timers/promises";
import { CommentText } from "../../shared/comments.ts";
import { limits } from "../../shared/limits.ts";
import { PersonName } from "../../shared/users.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { addGuestComments, type GuestComment } from "../comments/guests.ts";
import type { MemberContext } from "../context.ts";
import type { CommentsTaken } from "../database/schema/imports.ts";
import { inSteps } from "../database/steps.ts";
import type { Transaction } from "../database/writer.ts";
import { idInOrder } from "../ids.ts";
import { enforceNewAccountLimit, NewAccountLimitError, linksIn } from "../users/new-account-limits.ts";
import { importBounds as bounds } from "./bounds.ts";
import { importedBlog, noteComments } from "./queries.ts";
import { counted } from "./reading/values.ts";
import type { SourceComment } from "./source.ts";

/** What is said of a post's comments. */
export interface CommentsSaid {
  taken: number;
  problems: string[];
}

/** Comments ready to be stored: none before what it answers, in the order of their times. */
export interface Ready {
  comments: GuestComment[];
  problems: string[];
}

/** Where a comment stands among those of its post. */
const placeOf = ({ createdAt, id }: GuestComment): string => `${String(createdAt).padStart(15, "0")} ${id}`;

/** What of a post's comments can be stored below a blog, the same at each try. */
export async function readyComments(
  all: SourceComment[],
  blogId: string,
  now: number,
  later = 0,
): Promise<Ready> {
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
  /** What it answers of those that come in; through one that does not, what that answered. */
  const answered = (comment: SourceComment): SourceComment | undefined => {
    const passed = new Set([comment]);
    let at = known.get(comment.parent ?? "");
    while (at && !passed.has(at) && passed.size < bounds.passedOver) {
      if (said.has(at)) return at;
      passed.add(at);
      at = known.get(at.parent ?? "");
    }
    return undefined;
  };
  const placed = new Map<SourceComment, GuestComment>();
  const atTime = new Map<number, number>();
  for (const comment of said.keys()) {
    // From what stands above all others down: a thread may be deeper than calls may be.
    const chain = new Set<SourceComment>();
    for (let at: SourceComment | undefined = comment; at && !placed.has(at) && !chain.has(at);)
      at = answered(chain.add(at) && at);
    if (placed.size % 200 === 199) await nextTurn();
    for (const one of [...chain].toReversed()) {
      const parent = placed.get(answered(one) ?? one);
      const date = Math.min(Math.max(one.createdAt.getTime() + later, 0), now);
      // Never as old as what it answers (`addComment`).
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
    problems: problems.flatMap(([count, what]) => (count > 0 ? `${counted(count, "comment")} ${what}` : [])),
  };
}

/** A text as our schema has it, cut where it is too long; null where nothing of it can be shown. */
function readable(text: string, most: number, schema: typeof CommentText): string | null {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "").slice(0, most * 3);
  const letters = [...plain.toWellFormed().normalize("NFC")];
  const short = letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
  return schema.safeParse(short).data ?? null;
}

/**
 * Stores what of a post's comments was not stored before, some at a time. What was taken once and deleted here does not come back,
 * however often the source is imported; what was written there since comes in.
 */
export async function takeComments(
  ctx: MemberContext,
  { key, runId, requireRunning }: Target,
  ready: Ready,
): Promise<CommentsSaid> {
  const left = { placeless: 0, linked: 0 };
  let done: CommentsTaken = { to: "", taken: 0, runId };
  let from = 0;
  if (ready.comments.length > 0)
    await inSteps(ctx.database, async (tx) => {
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
      for (let at = ready.comments[from]; at && placeOf(at) <= done.to; at = ready.comments[from]) from++;
      const some = ready.comments.slice(from, from + bounds.commentsAtOnce);
      const last = some.at(-1);
      if (!last) return true;
      const wanted: GuestComment[] = [];
      for (const comment of some)
        if (await hasRoom(tx, ctx, comment)) wanted.push(comment);
        else left.linked++;
      const placeless = await addGuestComments(tx, blog, wanted);
      left.placeless += placeless.length;
      done = { to: placeOf(last), taken: done.taken + wanted.length - placeless.length, runId };
      await noteComments(tx, ctx.viewer.id, key, done);
      return from + some.length === ready.comments.length;
    });
  const problems = [...ready.problems];
  if (left.placeless > 0)
    problems.push(`${counted(left.placeless, "comment")} skipped: what they reply to is missing`);
  if (left.linked > 0)
    problems.push(
      `${counted(left.linked, "comment")} with links skipped: new accounts can post only a few links on their first day`,
    );
  return { taken: done.taken, problems };
}

interface Target {
  /** What the post is known by. */
  key: string;
  runId: string | null;
  requireRunning: (tx: Transaction) => Promise<void>;
}

/** Links in comments are bounded on an account's first day, whoever is said to have written them. */
async function hasRoom(tx: Transaction, ctx: MemberContext, { text }: GuestComment): Promise<boolean> {
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
