import type { z } from "zod";
import { hasTagPage, maxCountedBlogs, type TaggedBlogs } from "../../shared/tags.ts";
import type {
  BlogList,
  BlogPage,
  BlogStats,
  EditableBlog,
  ListBlogs,
  ListByAuthor,
  ListTagged,
  ListOwnBlogs,
  ReadBlog,
} from "../../shared/blogs.ts";
import { pagesOf, type CountedList } from "../../shared/feed.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Connection } from "../database/connection.ts";
import type { RequestViewer, Context, MemberContext } from "../context.ts";
import { presentCover } from "../media/paths.ts";
import { followStatus, visibleUser } from "../profiles/access.ts";
import { canReadAccount, visibleTabs } from "../profiles/policy.ts";
import { userById } from "../profiles/queries.ts";
import { blogRelation, mayReadBlog, readableBlog, writableBlog } from "./access.ts";
import { canWriteBlog, countKinds, readableKinds } from "./policy.ts";
import { presentCard, presentLive } from "./present.ts";
import * as own from "./written-queries.ts";
import * as cards from "./card-queries.ts";
import { renderedHtml } from "../text/render-html.ts";
import { renderedTextOf } from "./rendered-html-cache.ts";
import { shownHtml } from "../writing/shown-text.ts";
import { withoutMuted } from "./muted.ts";
import * as queries from "./queries.ts";
import { presentSchedule, withSchedules } from "../writing/schedule.ts";
import { scheduleOf } from "../writing/schedule-queries.ts";
import { countTagged, listTagged } from "./tag-queries.ts";
import { changeFrom, renderChange } from "../text/changes.ts";

const pageAt = (viewer: RequestViewer | null, page: number, size: number): cards.ListPage => ({
  viewer: viewer?.id ?? null,
  limit: size + 1,
  offset: (page - 1) * size,
});
const asList = (rows: cards.CardRow[], page: number, size: number): BlogList => ({
  blogs: rows.slice(0, size).map(presentCard),
  page,
  hasMore: rows.length > size && !isBeyondLastPage(page + 1, size),
});
const empty = (page: number): BlogList => ({ blogs: [], page, hasMore: false });

/** Lists the blogs that the viewer can read, without drafts. Muted words shorten a page. */
export async function listBlogs(
  ctx: Context,
  { page, sort }: z.output<typeof ListBlogs>,
  size: number = limits.page.feed,
): Promise<BlogList> {
  if (isBeyondLastPage(page, size)) return empty(page);
  const { read } = ctx.database;
  const rows = await cards.listBlogs(read, sort, pageAt(ctx.viewer, page, size));
  const { blogs, ...list } = asList(rows, page, size);
  return { ...list, blogs: await withoutMuted(read, ctx.viewer, blogs) };
}

/** Returns a page of the feed with the number of pages. */
export async function listFeed(ctx: Context, input: z.output<typeof ListBlogs>): Promise<CountedList> {
  const list = await listBlogs(ctx, input);
  const count = await cards.countFeed(ctx.database.read, ctx.viewer?.id ?? null);
  return { ...list, pages: pagesOf(count, cards.maxCounted) };
}

/** Lists blogs with a tag. Muted people are excluded from list and count, muted words only from the list. */
export async function listByTag(
  ctx: Context,
  { tag, page, sort }: z.output<typeof ListTagged>,
): Promise<TaggedBlogs> {
  const size = limits.page.feed;
  const { read } = ctx.database;
  const count = await countTagged(read, tag, ctx.viewer?.id ?? null, maxCountedBlogs + 1);
  const pages = pagesOf(count, maxCountedBlogs);
  if (isBeyondLastPage(page, size)) return { ...empty(page), tag, count, pages };
  const rows = await listTagged(read, tag, sort, pageAt(ctx.viewer, page, size));
  const { blogs, ...list } = asList(rows, page, size);
  return { ...list, tag, count, pages, blogs: await withoutMuted(read, ctx.viewer, blogs) };
}

/** Lists a profile tab. Throws `forbidden` if the viewer cannot see it, `not_found` for an unknown person. */
export async function listByAuthor(
  ctx: Context,
  { username, tab, page }: z.output<typeof ListByAuthor>,
): Promise<BlogList & { userId: string }> {
  const { user, relation } = await visibleUser(ctx.database.read, ctx.viewer, { username });
  if (!visibleTabs(relation, user).includes(tab)) throw new AppError("forbidden", "You can’t see this list.");
  const size = limits.page.profile;
  if (isBeyondLastPage(page, size) || !canReadAccount(relation, user))
    return { ...empty(page), userId: user.id };
  const at = pageAt(ctx.viewer, page, size);
  const { read } = ctx.database;
  const rows = {
    blogs: () => own.listByAuthor(read, user.id, "public", at),
    "private-blogs": () => own.listByAuthor(read, user.id, "private", at),
    "draft-blogs": () => own.listByAuthor(read, user.id, "drafts", at),
    "liked-blogs": () => cards.listLiked(read, user.id, at),
    "saved-blogs": () => cards.listSaved(read, user.id, at),
  }[tab];
  return withPlans(read, { ...asList(await rows(), page, size), userId: user.id });
}

/** Only authors see drafts in lists. */
const withPlans = async <List extends BlogList>(connection: Connection, list: List): Promise<List> => ({
  ...list,
  blogs: await withSchedules(connection, list.blogs),
});

/** Lists the blogs that the viewer writes, alone or with others, with drafts. */
export async function myBlogs(
  ctx: MemberContext,
  { page, show = "all", sort = "latest", words = "" }: z.input<typeof ListOwnBlogs> & { page: number },
): Promise<BlogList> {
  const size = limits.page.profile;
  if (isBeyondLastPage(page, size)) return empty(page);
  const at = { ...pageAt(ctx.viewer, page, size), viewer: ctx.viewer.id };
  const { read } = ctx.database;
  return withPlans(
    read,
    asList(await own.listWritten(read, { show, sort, words: words.trim() }, at), page, size),
  );
}

/** Returns the viewer's totals (docs/specification.md, 9.19). */
export async function myStats(ctx: MemberContext): Promise<BlogStats> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  const blogs = countKinds(readableKinds({ isSelf: true, isFollower: false }), user);
  const [likes, comments] = [user.likesReceived, user.commentsReceived];
  return { blogs, likes, comments, averageLikes: blogs === 0 ? 0 : Math.round((10 * likes) / blogs) / 10 };
}

/** Returns a blog, also by a former slug. A client with another version of the text gets the change, if known. */
export async function readBlog(
  ctx: Context,
  { slug, has: clientDigest }: z.output<typeof ReadBlog>,
): Promise<Omit<BlogPage, "cursor">> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blog = await readableBlog(read, ctx.viewer, { slug });
  const row = await cards.cardById(read, blog.id, viewerId);
  // It may have become a draft meanwhile.
  if (!row || row.draft !== blog.draft || blog.authorVerifiedAt === null)
    throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const [card = presentCard(row)] = await withSchedules(read, [presentCard(row)]);
  return {
    ...card,
    ...(await textFor(ctx, blog, card.readingMinutes, clientDigest)),
    createdAt: new Date(blog.createdAt).toISOString(),
    editedAt: blog.editedAt === null ? null : new Date(blog.editedAt).toISOString(),
    commentsFrom: blog.commentsFrom,
    live: presentLive(blog),
    mine: blog.authorId === viewerId,
    writes: canWriteBlog(blogRelation(ctx.viewer, blog)),
    takedownReason: blog.takedownReason,
    ...forSearch(blog),
    follow: await followStatus(read, viewerId, {
      user: { id: blog.authorId, private: blog.authorPrivate },
      relation: { isSelf: blog.authorId === viewerId, isFollower: Boolean(blog.followsAuthor) },
    }),
  };
}

async function textFor(
  ctx: Context,
  blog: queries.BlogFacts,
  minutes: number,
  clientDigest: string | undefined,
): Promise<Pick<BlogPage, "html" | "digest" | "contents" | "change">> {
  if (clientDigest === undefined) return renderedTextOf(ctx, blog, minutes);
  const html = await shownHtml(ctx, blog);
  const known = await changeFrom(clientDigest, html);
  if (!known) {
    const { html: rendered, digest } = await renderedTextOf(ctx, blog, minutes);
    return { html: rendered, digest };
  }
  const renderHtml = (stored: string) =>
    renderedHtml(ctx.workers, stored, ctx.viewer?.id ?? addressKey(ctx.address));
  return { html: "", digest: known.change.to, change: await renderChange(known, renderHtml) };
}

const forSearch = ({ canonicalUrl, searchTitle, searchDescription }: queries.BlogFacts) => ({
  canonicalUrl,
  searchTitle,
  searchDescription,
});

/** Returns one card, for a list that learns of it by a live event. */
export async function blogCard(ctx: Context, { id }: { id: string }) {
  const { draft } = await readableBlog(ctx.database.read, ctx.viewer, { id });
  const row = await cards.cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  if (row?.draft !== draft) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  return presentCard(row);
}

/** Returns a blog for its form. Only for its authors. */
export async function editBlog(ctx: MemberContext, { slug }: { slug: string }): Promise<EditableBlog> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { slug });
  const [row, planned] = await Promise.all([
    cards.cardById(read, blog.id, ctx.viewer.id),
    scheduleOf(read, blog.id),
  ]);
  if (!row) throw new AppError("not_found", "This blog doesn’t exist.");
  const { id, title, description, tags, draft } = row;
  return {
    id,
    mine: blog.authorId === ctx.viewer.id,
    slug: row.slug,
    etag: blog.etag,
    title,
    description,
    tags: tags.filter(hasTagPage),
    draft,
    private: row.private,
    live: presentLive(blog),
    ...forSearch(blog),
    language: blog.language,
    cover: presentCover(row.cover, row.coverFocus),
    schedule: presentSchedule(planned),
    updatedAt: new Date(Math.max(blog.createdAt, row.publishedAt, blog.editedAt ?? 0)).toISOString(),
  };
}

/** Returns which of these blogs, saved on a device, the viewer can read now. */
export async function readable(ctx: Context, { slugs }: { slugs: string[] }): Promise<{ slugs: string[] }> {
  const readableSlugs: string[] = [];
  for (const slug of new Set(slugs))
    if (await mayReadBlog(ctx.database.read, ctx.viewer, { slug })) readableSlugs.push(slug);
  return { slugs: readableSlugs };
}
