import type { Comment, SeenComment } from "../../shared/comments.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { openBlog } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/facts.ts";
import { notify, withdraw } from "../notices/service.ts";
import { staffIds } from "../users/staff-queries.ts";
import { answerable } from "./access.ts";
import { addComment, type Written } from "./add.ts";
import * as queries from "./held-queries.ts";
import { presentHeld } from "./present.ts";

/**
 * Keeps a comment until the author of the blog lets it in; where it waits `forLink`, moderators may do so, too. Throws `conflict`
 * where too many wait already.
 */
export async function hold(
  tx: Transaction,
  comment: Written,
  blog: BlogFacts,
  forLink: boolean,
): Promise<SeenComment> {
  const { id, parentId, authorId, text, createdAt } = comment;
  const { ofOne, ofBlog } = limits.held;
  if ((await queries.countHeld(tx, blog.id, authorId)) >= ofOne)
    throw new AppError(
      "conflict",
      `${ofOne} comments of yours wait here already. Please come back once its author has read them.`,
    );
  if ((await queries.countInQueue(tx, blog.id, blog.authorId)) >= ofBlog)
    throw new AppError("conflict", "Too many comments wait for its author. Please try again another day.");
  await queries.insertHeld(tx, { id, blogId: blog.id, parentId, authorId, text, createdAt, forLink });
  await tellHeld(tx, blog, { authorId, forLink });
  await notify(tx, noticeOf(blog, authorId));
  const held = await queries.heldById(tx, id, authorId);
  if (!held) throw new AppError("not_found", "This comment does not exist any more.");
  return presentHeld(held);
}

/** What waits below a blog as far as the viewer knows of it; nothing where nothing does. */
export async function heldFor(
  connection: Connection,
  blog: BlogFacts,
  viewer: { id: string },
): Promise<{ held?: Comment[] }> {
  const own = blog.authorId !== viewer.id;
  const rows = await queries.listHeld(connection, blog.id, viewer.id, { own, limit: limits.held.shown });
  return rows.length > 0 ? { held: rows.map(presentHeld) } : {};
}

/** Lets a comment in; the author of the blog may. It is as old as this. */
export async function letIn(ctx: MemberContext, { id }: { id: string }): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    const { held, blog } = await openHeld(tx, ctx.viewer, id);
    if (blog.authorId !== ctx.viewer.id) throw new AppError("forbidden", "Its author lets comments in here.");
    await admitHeld(tx, held, blog, [blog.authorId]);
    return { message: "The comment is there for everybody." };
  });
}

/** Puts a comment that waited below its blog, for whoever may; those who `know` of it hear nothing. */
export async function admitHeld(
  tx: Transaction,
  held: queries.HeldRow,
  blog: BlogFacts,
  know: string[] = [],
): Promise<void> {
  const { id, author, text } = held;
  // What it answers may have gone meanwhile: it stands by itself then.
  const parent = held.parentId ? await answerable(tx, author.id, held.parentId) : undefined;
  await queries.deleteHeld(tx, id);
  const comment = { id, parentId: parent?.id ?? null, text, authorId: author.id, createdAt: Date.now() };
  await addComment(tx, comment, blog, parent, know);
  await tellAnswered(tx, blog, held);
}

/** Deletes a comment that waits; the author of the blog may, and whoever wrote it. */
export async function dropHeld(ctx: MemberContext, id: string): Promise<{ blogId: string }> {
  return ctx.database.write(async (tx) => {
    const { held, blog } = await openHeld(tx, ctx.viewer, id);
    await takeAwayHeld(tx, held, blog);
    return { blogId: blog.id };
  });
}

/** The same in a write of whoever may. */
export async function takeAwayHeld(tx: Transaction, held: queries.HeldRow, blog: BlogFacts): Promise<void> {
  await queries.deleteHeld(tx, held.id);
  await tellAnswered(tx, blog, held);
}

/** A comment that waits, with its blog, to those who know of it. Throws `not_found` to everybody else. */
async function openHeld(tx: Connection, viewer: MemberContext["viewer"], id: string) {
  const gone = new AppError("not_found", "This comment does not wait any more.");
  const held = await queries.heldById(tx, id, viewer.id);
  if (!held) throw gone;
  const blog = await openBlog(tx, viewer, { id: held.blogId }).catch(() => {
    throw gone;
  });
  if (![held.author.id, blog.authorId].includes(viewer.id)) throw gone;
  return { held, blog };
}

const noticeOf = (blog: BlogFacts, writerId: string) =>
  ({ userId: blog.authorId, kind: "held", actorId: writerId, target: blog.id, blogId: blog.id }) as const;

async function tellHeld(
  tx: Transaction,
  blog: BlogFacts,
  { authorId, forLink }: { authorId: string; forLink: boolean },
): Promise<void> {
  const staff = forLink ? await staffIds(tx) : [];
  for (const userId of new Set([blog.authorId, authorId, ...staff]))
    await tx.fact(userTopic(userId), { kind: "own.held", blogId: blog.id });
}

async function tellAnswered(
  tx: Transaction,
  blog: BlogFacts,
  { author, forLink }: queries.HeldRow,
): Promise<void> {
  await tellHeld(tx, blog, { authorId: author.id, forLink });
  if ((await queries.countHeld(tx, blog.id, author.id)) === 0) await withdraw(tx, noticeOf(blog, author.id));
}
