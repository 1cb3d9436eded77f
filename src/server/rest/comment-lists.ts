import type { ViewerComment } from "../../shared/comments.ts";
import type { Context } from "../context.ts";
import { presentPerson } from "../profiles/present.ts";
import { maxPeople, restPerson, withViewer } from "./present.ts";
import { createPseudonymizer } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import type { BlogCommentRow } from "./queries.ts";
import type { CommentAnswer } from "./shapes.ts";
import { yieldThread, bytesOf, evenLength, type ResponseSpace } from "./response-space.ts";

/** Deeper replies are placed beside their parent, to bound the JSON's nesting. */
const deepest = 200;
/** Comments read before yielding; a response fits at most four times as many. */
const batchSize = 1_000;

/** A comment without replies, and with at most the viewer's like. */
export interface CommentWithoutLists {
  row: BlogCommentRow;
  answer: CommentAnswer;
  bytes: number;
}

const deletedAuthor = { _id: "", name: "deleted", username: "", profilePic: null };

/** Returns as many of a blog's first comments as could fit, parents first. */
export async function bareComments(
  ctx: Context,
  blogId: string,
  room: ResponseSpace,
): Promise<CommentWithoutLists[]> {
  const comments: CommentWithoutLists[] = [];
  let bytes = room.left;
  for (let after = 0, more = true; more && bytes > 0;) {
    const rows = await queries.commentsOfBlog(ctx.database.read, blogId, {
      viewer: ctx.viewer?.id ?? null,
      after,
      limit: batchSize,
      bytes,
    });
    for (const row of rows) {
      const answer = bareComment(ctx, row);
      comments.push({ row, answer, bytes: bytesOf(answer) });
      bytes -= comments.at(-1)?.bytes ?? 0;
    }
    after = rows.at(-1)?.seq ?? 0;
    more = rows.length === batchSize;
    await yieldThread();
  }
  return comments;
}

const bareComment = (ctx: Context, row: BlogCommentRow): CommentAnswer => ({
  _id: row.id,
  user:
    row.author && !row.isHidden
      ? restPerson(ctx, presentPerson(row.author))
      : { ...deletedAuthor, name: row.guestName ?? deletedAuthor.name },
  comment: row.isHidden ? "" : row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  likes: withViewer([], ctx.viewer?.id, Boolean(row.liked && !row.isHidden)),
  likesCount: row.isHidden ? 0 : row.likesCount,
  replies: [],
  repliesCount: row.repliesCount,
  parentComment: row.parentId,
});

/** Adds the newest ids of people who like each, `limit` in all. */
export async function fillComments(
  ctx: Context,
  blogId: string,
  comments: CommentWithoutLists[],
  limit: number,
): Promise<void> {
  const each = evenLength(
    comments.map(({ row }) => row.likesCount),
    limit,
    maxPeople,
  );
  if (comments.length === 0 || each === 0) return;
  const pseudonymize = await createPseudonymizer(ctx.database);
  for (let from = 0; from < comments.length; from += batchSize) {
    const batch = comments.slice(from, from + batchSize);
    const likes = await queries.newestPeople(
      ctx.database.read,
      "commentLikes",
      batch.map(({ row }) => row.id),
      { viewer: ctx.viewer?.id ?? null, each },
    );
    for (const { row, answer } of batch.filter((comment) => !comment.row.isHidden))
      answer.likes = withViewer(
        pseudonymize(blogId, likes.get(row.id) ?? []),
        ctx.viewer?.id,
        Boolean(row.liked),
        each,
      );
    await yieldThread();
  }
}

/** Returns comments as a tree, oldest first. They must come in the order of writing. */
export function asTree(comments: CommentWithoutLists[]): CommentAnswer[] {
  const top: CommentAnswer[] = [];
  const placesById = new Map<string, { answer: CommentAnswer; depth: number; siblings: CommentAnswer[] }>();
  for (const { row, answer } of comments) {
    const parent = row.parentId ? placesById.get(row.parentId) : undefined;
    const siblings = !parent ? top : parent.depth < deepest ? parent.answer.replies : parent.siblings;
    siblings.push(answer);
    placesById.set(row.id, {
      answer,
      depth: Math.min((parent?.depth ?? 0) + 1, deepest),
      siblings,
    });
  }
  // The clock may have been set back.
  for (const siblings of [top, ...comments.map(({ answer }) => answer.replies)])
    siblings.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
  return top;
}

/** Returns a comment after a write; an `isNew` one has no replies. */
export async function restComment(
  ctx: Context,
  comment: ViewerComment,
  { isNew }: { isNew: boolean },
): Promise<CommentAnswer> {
  const likes = comment.likesCount === 0 ? [] : await likersOf(ctx, comment);
  return {
    _id: comment.id,
    user: comment.author ? restPerson(ctx, comment.author) : deletedAuthor,
    comment: comment.text,
    createdAt: comment.createdAt,
    likes: withViewer(likes, ctx.viewer?.id, comment.liked),
    likesCount: comment.likesCount,
    replies: [],
    repliesCount: isNew
      ? 0
      : await queries.countReplies(ctx.database.read, comment.id, ctx.viewer?.id ?? null),
    parentComment: comment.parentId,
  };
}

async function likersOf(ctx: Context, { id, blogId }: ViewerComment): Promise<string[]> {
  const at = { viewer: ctx.viewer?.id ?? null, each: maxPeople };
  const likes = await queries.newestPeople(ctx.database.read, "commentLikes", [id], at);
  return (await createPseudonymizer(ctx.database))(blogId, likes.get(id) ?? []);
}
