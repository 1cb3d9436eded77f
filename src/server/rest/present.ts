import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { SeenComment } from "../../shared/comments.ts";
import { limits } from "../../shared/limits.ts";
import type { Person } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import type { KnownUser } from "../users/access.ts";
import { canSeeFollowers } from "../users/policy.ts";
import { userById } from "../users/queries.ts";
import * as queries from "./queries.ts";
import type { BlogCommentRow } from "./queries.ts";
import { presentPerson } from "../users/present.ts";
import type { CardShape, CommentAnswer, PersonShape } from "./shapes.ts";

const most = limits.people.most;
/** Replies deeper than this stand beside their parent: JSON has no room for a thousand levels. */
const deepest = 200;
const mostComments = 5_000;

export type Card = z.output<typeof CardShape>;

/** A path of this site as the absolute URL that clients elsewhere need. */
export const absolute = ({ config }: Pick<Context, "config">, path: string | null): string | null =>
  path === null ? null : path.startsWith("/") ? config.publicUrl + path : path;

export const restPerson = (
  ctx: Pick<Context, "config">,
  { id, name, username, picture }: Person,
): z.output<typeof PersonShape> => ({ _id: id, name, username, profilePic: absolute(ctx, picture) });

/** Ids next to a count: at most the newest thousand, the viewer always among them if they are one of them. */
const withViewer = (ids: string[], viewerId: string | undefined, isOne: boolean): string[] =>
  isOne && viewerId && !ids.includes(viewerId) ? [viewerId, ...ids.slice(0, most - 1)] : ids;

const asObjects = (ids: string[]) => ids.map((id) => ({ _id: id }));

/** Ids of somebody's followers. Where the account does not show them to the viewer, that they are one of them is all they get. */
export async function restFollowers(ctx: Context, { user, standing }: KnownUser): Promise<{ _id: string }[]> {
  const ids = canSeeFollowers(standing, user)
    ? await queries.followerIdsOf(ctx.database.read, user.id, most)
    : [];
  return asObjects(withViewer(ids, ctx.viewer?.id, standing.isFollower));
}

/** Cards of lists (rest contract, CARD). */
export async function restCards(ctx: Context, cards: BlogCard[]): Promise<Card[]> {
  const self =
    ctx.viewer && cards.some((card) => card.author.id === ctx.viewer?.id)
      ? await userById(ctx.database.read, ctx.viewer.id)
      : undefined;
  return Promise.all(cards.map((card) => restCard(ctx, card, self?.email)));
}

async function restCard(ctx: Context, card: BlogCard, ownEmail: string | undefined): Promise<Card> {
  const { read } = ctx.database;
  const [likes, saves, comments] = await Promise.all([
    queries.likerIds(read, card.id, most),
    queries.saverIds(read, card.id, most),
    queries.topCommentIds(read, card.id, most),
  ]);
  const mine = card.author.id === ctx.viewer?.id;
  return {
    _id: card.id,
    blogId: card.slug,
    title: card.title,
    description: card.description,
    image: absolute(ctx, card.cover?.src ?? null),
    tags: card.tags,
    draft: card.draft,
    private: card.private,
    createdAt: card.publishedAt,
    creator: { ...restPerson(ctx, card.author), ...(mine && ownEmail ? { email: ownEmail } : {}) },
    likes: asObjects(withViewer(likes, ctx.viewer?.id, card.liked)),
    likesCount: card.likesCount,
    comments: asObjects(comments),
    commentsCount: card.commentsCount,
    totalSaves: withViewer(saves, ctx.viewer?.id, card.saved),
    totalSavesCount: card.savesCount,
  };
}

const nobody = { _id: "", name: "deleted", username: "", profilePic: null };

/** A blog's comments as a tree, oldest first. */
export async function restComments(ctx: Context, blogId: string): Promise<CommentAnswer[]> {
  const viewer = ctx.viewer?.id ?? null;
  const rows = await queries.commentsOfBlog(ctx.database.read, blogId, {
    viewer,
    limit: mostComments,
    likes: most,
  });
  const top: CommentAnswer[] = [];
  const placed = new Map<string, { answer: CommentAnswer; depth: number; above: CommentAnswer[] }>();
  for (const row of rows) {
    const answer = restCommentRow(ctx, row);
    const parent = row.parentId ? placed.get(row.parentId) : undefined;
    const siblings = !parent ? top : parent.depth < deepest ? parent.answer.replies : parent.above;
    siblings.push(answer);
    placed.set(row.id, { answer, depth: Math.min((parent?.depth ?? 0) + 1, deepest), above: siblings });
  }
  return top;
}

const restCommentRow = (ctx: Context, row: BlogCommentRow): CommentAnswer => ({
  _id: row.id,
  user: row.author ? restPerson(ctx, presentPerson(row.author)) : nobody,
  comment: row.text,
  createdAt: new Date(row.createdAt).toISOString(),
  likes: withViewer(row.likes, ctx.viewer?.id, row.liked),
  replies: [],
  parentComment: row.parentId,
});

/** One comment, as the calls that write one answer. */
export async function restComment(ctx: Context, comment: SeenComment): Promise<CommentAnswer> {
  return {
    _id: comment.id,
    user: comment.author ? restPerson(ctx, comment.author) : nobody,
    comment: comment.text,
    createdAt: comment.createdAt,
    likes: withViewer(
      await queries.commentLikers(ctx.database.read, comment.id, most),
      ctx.viewer?.id,
      comment.liked,
    ),
    replies: [],
    parentComment: comment.parentId,
  };
}

export const idObjects = asObjects;
export const mostPeople = most;
