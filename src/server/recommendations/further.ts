import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { Further, FurtherBlog, ReadFurther } from "../../shared/further.ts";
import type { Context } from "../context.ts";
import { mutedBy } from "../blocks/mute-queries.ts";
import { presentListed } from "../profiles/present.ts";
import { listedAmong } from "../profiles/queries.ts";
import { blogRelation, readableBlog } from "../blogs/access.ts";
import { cardById, publishedCards, type CardRow } from "../blogs/card-queries.ts";
import { adjacentBlog } from "./further-queries.ts";
import { withoutMuted } from "../blogs/muted.ts";
import { visibleKinds } from "../blogs/policy.ts";
import { authorsIn, presentCard } from "../blogs/present.ts";
import { relatedTo } from "./related.ts";

const mostRelated = 3;

/**
 * Returns a blog's authors, the author's next and previous blog, and three related ones, without unreadable and muted blogs.
 * Related ones exclude the viewer's own, liked and just read (`excludedIds`).
 */
export async function readFurther(
  ctx: Context,
  { id, without: excludedIds }: z.output<typeof ReadFurther>,
): Promise<Further> {
  const { viewer } = ctx;
  const viewerId = viewer?.id ?? null;
  const { read } = ctx.database;
  const blog = await readableBlog(read, viewer, { id });
  const card = await cardById(read, id, viewerId);
  if (!card) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const people = authorsIn(card).map((person) => person.id);
  const authors = (await listedAmong(read, people, viewerId)).map((row) => presentListed(row, viewerId));
  // A draft has no position among published blogs.
  if (blog.draft) return { authors, blogs: [] };
  const mutes = new Set(viewerId === null ? [] : await mutedBy(read, viewerId));
  const presentUnmuted = async (rows: CardRow[]): Promise<BlogCard[]> =>
    withoutMuted(read, viewer, rows.filter(({ author }) => !mutes.has(author.id)).map(presentCard));
  const { isAuthor, followsAuthor, authorPrivate } = blogRelation(viewer, blog);
  const kinds = visibleKinds({ isSelf: isAuthor, isFollower: followsAuthor }, { private: authorPrivate });
  const blogs: FurtherBlog[] = [];
  for (const place of ["next", "previous"] as const) {
    const row = await adjacentBlog(read, place, blog, kinds, viewerId);
    if (row) blogs.push(...(await presentUnmuted([row])).map((furtherBlog) => ({ ...furtherBlog, place })));
  }
  const excluded = new Set([id, ...excludedIds, ...blogs.map((furtherBlog) => furtherBlog.id)]);
  const relatedIds = (
    await relatedTo(ctx, { id, authorId: blog.authorId, title: card.title, tags: card.tags })
  ).filter((relatedId) => !excluded.has(relatedId));
  const isNew = (row: CardRow) => row.author.id !== viewerId && !row.liked;
  const rows = (await publishedCards(read, relatedIds, viewerId)).filter(isNew);
  const related = (await presentUnmuted(rows)).slice(0, mostRelated);
  return {
    authors,
    blogs: [...blogs, ...related.map((furtherBlog) => ({ ...furtherBlog, place: "related" as const }))],
  };
}
