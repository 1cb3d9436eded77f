import type { z } from "zod";
import type {
  BlogList,
  BlogPage,
  BlogStats,
  EditableBlog,
  ListBlogs,
  ListByAuthor,
} from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { isBeyond } from "../../shared/paging.ts";
import type { Asker, Context, MemberContext } from "../context.ts";
import { presentPicture } from "../media/paths.ts";
import { followStatus, knownUser } from "../users/access.ts";
import { canReadAccount, visibleTabs } from "../users/policy.ts";
import { userById } from "../users/queries.ts";
import { mayReadBlog, ownBlog, readableBlog } from "./access.ts";
import { countKinds, readableKinds } from "./policy.ts";
import { presentCard } from "./present.ts";
import * as cards from "./card-queries.ts";
import { textOf } from "./drawn-texts.ts";
import { withoutMuted } from "./muted.ts";
import * as queries from "./queries.ts";

const pageAt = (viewer: Asker | null, page: number, size: number): cards.ListPage => ({
  viewer: viewer?.id ?? null,
  limit: size + 1,
  offset: (page - 1) * size,
});
const asList = (rows: cards.CardRow[], page: number, size: number): BlogList => ({
  blogs: rows.slice(0, size).map(presentCard),
  page,
  hasMore: rows.length > size && !isBeyond(page + 1, size),
});
const empty = (page: number): BlogList => ({ blogs: [], page, hasMore: false });

/**
 * The feed: every blog the viewer may read, drafts excepted. What says a word that they have muted leaves its page, which is
 * then shorter: no other page moves for it.
 */
export async function listBlogs(
  ctx: Context,
  { page, sort }: z.output<typeof ListBlogs>,
  size: number = limits.page.feed,
): Promise<BlogList> {
  if (isBeyond(page, size)) return empty(page);
  const { read } = ctx.database;
  const rows = await cards.listBlogs(read, sort, pageAt(ctx.viewer, page, size));
  const { blogs, ...list } = asList(rows, page, size);
  return { ...list, blogs: await withoutMuted(read, ctx.viewer, blogs) };
}

/** A tab of a profile. Throws `forbidden` where the viewer does not have that tab, `not_found` where there is no such person. */
export async function listByAuthor(
  ctx: Context,
  { username, tab, page }: z.output<typeof ListByAuthor>,
): Promise<BlogList & { userId: string }> {
  const { user, standing } = await knownUser(ctx.database.read, ctx.viewer, { username });
  if (!visibleTabs(standing, user).includes(tab))
    throw new AppError("forbidden", "This list is not shown to you.");
  const size = limits.page.profile;
  if (isBeyond(page, size) || !canReadAccount(standing, user)) return { ...empty(page), userId: user.id };
  const at = pageAt(ctx.viewer, page, size);
  const { read } = ctx.database;
  const rows = {
    blogs: () => cards.listByAuthor(read, user.id, "public", at),
    "private-blogs": () => cards.listByAuthor(read, user.id, "private", at),
    "draft-blogs": () => cards.listByAuthor(read, user.id, "drafts", at),
    "liked-blogs": () => cards.listLiked(read, user.id, at),
    "saved-blogs": () => cards.listSaved(read, user.id, at),
  }[tab];
  return { ...asList(await rows(), page, size), userId: user.id };
}

/** The viewer's own blogs, drafts included, newest first. */
export async function myBlogs(ctx: MemberContext, { page }: { page: number }): Promise<BlogList> {
  const size = limits.page.profile;
  if (isBeyond(page, size)) return empty(page);
  const kinds = readableKinds({ isSelf: true, isFollower: false });
  const at = pageAt(ctx.viewer, page, size);
  return asList(await cards.listReadable(ctx.database.read, ctx.viewer.id, kinds, at), page, size);
}

/** What the viewer's blogs came to (docs/specification.md, 9.19). */
export async function myStats(ctx: MemberContext): Promise<BlogStats> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account does not exist any more.");
  const blogs = countKinds(readableKinds({ isSelf: true, isFollower: false }), user);
  const [likes, comments] = [user.likesReceived, user.commentsReceived];
  return { blogs, likes, comments, averageLikes: blogs === 0 ? 0 : Math.round((10 * likes) / blogs) / 10 };
}

/** A blog as it is read. An old address finds it too; its `slug` is then the new one. */
export async function readBlog(ctx: Context, { slug }: { slug: string }): Promise<Omit<BlogPage, "cursor">> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blog = await readableBlog(read, ctx.viewer, { slug });
  const row = await cards.cardById(read, blog.id, viewerId);
  if (!row || blog.authorVerifiedAt === null)
    throw new AppError("not_found", "This blog does not exist, or is not for you to read.");
  return {
    ...presentCard(row),
    html: await textOf(ctx, blog),
    createdAt: new Date(blog.createdAt).toISOString(),
    editedAt: blog.editedAt === null ? null : new Date(blog.editedAt).toISOString(),
    commentsFrom: blog.commentsFrom,
    mine: blog.authorId === viewerId,
    hiddenFor: blog.hiddenFor,
    follow: await followStatus(read, viewerId, {
      user: { id: blog.authorId, private: blog.authorPrivate },
      standing: { isSelf: blog.authorId === viewerId, isFollower: Boolean(blog.followsAuthor) },
    }),
  };
}

/** One card, to put into a list that learns of it live. */
export async function blogCard(ctx: Context, { id }: { id: string }) {
  await readableBlog(ctx.database.read, ctx.viewer, { id });
  const row = await cards.cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  if (!row) throw new AppError("not_found", "This blog does not exist, or is not for you to read.");
  return presentCard(row);
}

/** A blog with its document, for its author. */
export async function editBlog(ctx: MemberContext, { slug }: { slug: string }): Promise<EditableBlog> {
  const { read } = ctx.database;
  const blog = await ownBlog(read, ctx.viewer, { slug });
  const [row, body] = await Promise.all([
    cards.cardById(read, blog.id, ctx.viewer.id),
    queries.blogBody(read, blog.id),
  ]);
  if (!row || !body) throw new AppError("not_found", "This blog does not exist.");
  const { id, title, description, tags, draft } = row;
  return {
    id,
    slug: row.slug,
    version: blog.version,
    title,
    description,
    tags,
    draft,
    private: row.private,
    cover: presentPicture(row.cover),
    document: body.document,
    updatedAt: new Date(Math.max(blog.createdAt, row.publishedAt, blog.editedAt ?? 0)).toISOString(),
  };
}

/** Of blogs that a device has kept, the addresses of those that the viewer may read now. */
export async function readable(ctx: Context, { slugs }: { slugs: string[] }): Promise<{ slugs: string[] }> {
  const found: string[] = [];
  for (const slug of new Set(slugs))
    if (await mayReadBlog(ctx.database.read, ctx.viewer, { slug })) found.push(slug);
  return { slugs: found };
}
