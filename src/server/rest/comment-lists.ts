import { setImmediate } from "node:timers/promises";
import type { ViewerComment } from "../../shared/comments.ts";
import type { Context } from "../context.ts";
import { presentPerson } from "../profiles/present.ts";
import { idsEach, maxPeople, restPerson, withViewer } from "./present.ts";
import { createPseudonymizer } from "./pseudonyms.ts";
import * as queries from "./queries.ts";
import type { CommentAnswer } from "./shapes.ts";

/** Deeper replies are placed beside their parent, to bound the JSON's nesting. */
const deepest = 200;
/** The most comments in an answer, and the bytes of their texts. */
const maxComments = { count: 4_000, bytes: 1_000_000 };

const deletedAuthor = { _id: "", name: "deleted", username: "", profilePic: null };

/** Returns a blog's first comments as a tree, oldest first. */
export async function restComments(ctx: Context, blogId: string): Promise<CommentAnswer[]> {
  const { read } = ctx.database;
  const viewer = ctx.viewer?.id ?? null;
  const { count: limit, bytes } = maxComments;
  const rows = await queries.commentsOfBlog(read, blogId, { viewer, limit, bytes });
  await setImmediate();
  const each = idsEach(rows.length, maxPeople);
  const likers = await queries.newestPeople(
    read,
    "commentLikes",
    rows.map(({ id }) => id),
    { viewer, each },
  );
  await setImmediate();
  const pseudonymize = await createPseudonymizer(ctx.database);
  const comments = rows.map((row): CommentAnswer => {
    const { id, text, author, guestName, isHidden, liked, likesCount, repliesCount } = row;
    return {
      _id: id,
      user:
        author && !isHidden
          ? restPerson(ctx, presentPerson(author))
          : { ...deletedAuthor, name: guestName ?? deletedAuthor.name },
      comment: isHidden ? "" : text,
      createdAt: new Date(row.createdAt).toISOString(),
      likes: isHidden
        ? []
        : withViewer(pseudonymize(blogId, likers.get(id) ?? []), ctx.viewer?.id, Boolean(liked), each),
      likesCount: isHidden ? 0 : likesCount,
      replies: [],
      repliesCount,
      parentComment: row.parentId,
    };
  });
  return asTree(comments);
}

/** Returns comments as a tree, oldest first. They must come in the order of writing. */
function asTree(comments: CommentAnswer[]): CommentAnswer[] {
  const top: CommentAnswer[] = [];
  const placesById = new Map<string, { answer: CommentAnswer; depth: number; siblings: CommentAnswer[] }>();
  for (const answer of comments) {
    const parent = answer.parentComment ? placesById.get(answer.parentComment) : undefined;
    const siblings = !parent ? top : parent.depth < deepest ? parent.answer.replies : parent.siblings;
    siblings.push(answer);
    placesById.set(answer._id, { answer, depth: Math.min((parent?.depth ?? 0) + 1, deepest), siblings });
  }
  // The clock may have been set back.
  for (const siblings of [top, ...comments.map(({ replies }) => replies)])
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
