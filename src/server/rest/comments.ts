import type { SeenComment } from "../../shared/comments.ts";
import type { Context } from "../context.ts";
import { presentPerson } from "../users/present.ts";
import { mostPeople, restPerson, withViewer } from "./present.ts";
import { telling } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import type { BlogCommentRow } from "./queries.ts";
import type { CommentAnswer } from "./shapes.ts";
import { breathe, bytesOf, evenly, type Room } from "./size.ts";

/** Replies deeper than this stand beside their parent: JSON has no room for a thousand levels. */
const deepest = 200;
/** Read at once; then others have their turn. An answer has room for four times as many at most. */
const atOnce = 1_000;

/** A comment that stands alone as yet, of its likes the viewer's own alone. */
export interface BareComment {
  row: BlogCommentRow;
  answer: CommentAnswer;
  bytes: number;
}

const nobody = { _id: "", name: "deleted", username: "", profilePic: null };

/** The first comments and replies of a blog, as many as could fit: none of them before what it answers. */
export async function bareComments(ctx: Context, blogId: string, room: Room): Promise<BareComment[]> {
  const bare: BareComment[] = [];
  let bytes = room.left;
  for (let after = 0, more = true; more && bytes > 0;) {
    const rows = await queries.commentsOfBlog(ctx.database.read, blogId, {
      viewer: ctx.viewer?.id ?? null,
      after,
      limit: atOnce,
      bytes,
    });
    for (const row of rows) {
      const answer = bareComment(ctx, row);
      bare.push({ row, answer, bytes: bytesOf(answer) });
      bytes -= bare.at(-1)?.bytes ?? 0;
    }
    after = rows.at(-1)?.number ?? 0;
    more = rows.length === atOnce;
    await breathe();
  }
  return bare;
}

const bareComment = (ctx: Context, row: BlogCommentRow): CommentAnswer => ({
  _id: row.id,
  user:
    row.author && !row.isHidden
      ? restPerson(ctx, presentPerson(row.author))
      : { ...nobody, name: row.guestName ?? nobody.name },
  comment: row.isHidden ? "" : row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  likes: withViewer([], ctx.viewer?.id, Boolean(row.liked && !row.isHidden)),
  likesCount: row.isHidden ? 0 : row.likesCount,
  replies: [],
  repliesCount: row.repliesCount,
  parentComment: row.parentId,
});

/** Puts in the newest ids of who likes each, `most` in all. */
export async function fillComments(
  ctx: Context,
  blogId: string,
  comments: BareComment[],
  most: number,
): Promise<void> {
  const each = evenly(
    comments.map(({ row }) => row.likesCount),
    most,
    mostPeople,
  );
  if (comments.length === 0 || each === 0) return;
  const tell = await telling(ctx.database);
  for (let from = 0; from < comments.length; from += atOnce) {
    const some = comments.slice(from, from + atOnce);
    const likes = await queries.newestPeople(
      ctx.database.read,
      "commentLikes",
      some.map(({ row }) => row.id),
      { viewer: ctx.viewer?.id ?? null, each },
    );
    for (const { row, answer } of some.filter((one) => !one.row.isHidden))
      answer.likes = withViewer(
        tell(blogId, likes.get(row.id) ?? []),
        ctx.viewer?.id,
        Boolean(row.liked),
        each,
      );
    await breathe();
  }
}

/** Comments as a tree, oldest first. They come in the order they were written. */
export function asTree(comments: BareComment[]): CommentAnswer[] {
  const top: CommentAnswer[] = [];
  const placed = new Map<string, { answer: CommentAnswer; depth: number; above: CommentAnswer[] }>();
  for (const { row, answer } of comments) {
    const parent = row.parentId ? placed.get(row.parentId) : undefined;
    const siblings = !parent ? top : parent.depth < deepest ? parent.answer.replies : parent.above;
    siblings.push(answer);
    placed.set(row.id, { answer, depth: Math.min((parent?.depth ?? 0) + 1, deepest), above: siblings });
  }
  // The clock may have been turned back between two of them.
  for (const siblings of [top, ...comments.map(({ answer }) => answer.replies)])
    siblings.sort((one, other) =>
      one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0,
    );
  return top;
}

/** One comment, as the calls that write one answer; nobody has answered what `isNew`. */
export async function restComment(
  ctx: Context,
  comment: SeenComment,
  { isNew }: { isNew: boolean },
): Promise<CommentAnswer> {
  const likes = comment.likesCount === 0 ? [] : await likersOf(ctx, comment);
  return {
    _id: comment.id,
    user: comment.author ? restPerson(ctx, comment.author) : nobody,
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

async function likersOf(ctx: Context, { id, blogId }: SeenComment): Promise<string[]> {
  const at = { viewer: ctx.viewer?.id ?? null, each: mostPeople };
  const likes = await queries.newestPeople(ctx.database.read, "commentLikes", [id], at);
  return (await telling(ctx.database))(blogId, likes.get(id) ?? []);
}
