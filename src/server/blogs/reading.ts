import type { z } from "zod";
import { mostTagged, type TaggedBlogs } from "../../shared/tags.ts";
import type {
  BlogList,
  BlogPage,
  BlogStats,
  EditableBlog,
  ListBlogs,
  ListByAuthor,
  ListTagged,
  MyBlogs,
  ReadBlog,
} from "../../shared/blogs.ts";
import { pagesOf, type CountedList } from "../../shared/feed.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { isBeyond } from "../../shared/paging.ts";
import type { Connection } from "../database/connection.ts";
import type { Asker, Context, MemberContext } from "../context.ts";
import { presentCover } from "../media/paths.ts";
import { followStatus, knownUser } from "../users/access.ts";
import { canReadAccount, visibleTabs } from "../users/policy.ts";
import { userById } from "../users/queries.ts";
import { blogStanding, mayReadBlog, readableBlog, writableBlog } from "./access.ts";
import { canWriteBlog, countKinds, isLive, readableKinds } from "./policy.ts";
import { presentCard } from "./present.ts";
import * as own from "./written-queries.ts";
import * as cards from "./card-queries.ts";
import { drawnHtml } from "./drawn-html.ts";
import { textOf } from "./drawn-texts.ts";
import { withoutMuted } from "./muted.ts";
import * as queries from "./queries.ts";
import { presentSchedule, withSchedules } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";
import { countTagged, listTagged } from "./tag-queries.ts";
import { changeFrom, digestOf, drawnChange } from "./text-changes.ts";

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

/** A page of the feed as the site shows it, with how many there are. */
export async function listFeed(ctx: Context, asked: z.output<typeof ListBlogs>): Promise<CountedList> {
  const list = await listBlogs(ctx, asked);
  const count = await cards.countFeed(ctx.database.read, ctx.viewer?.id ?? null);
  return { ...list, pages: pagesOf(count, cards.mostCounted) };
}

/** What has a tag, as the feed is listed. Who has muted somebody or a word finds them neither in the list nor, of people, in its count. */
export async function listByTag(
  ctx: Context,
  { tag, page, sort }: z.output<typeof ListTagged>,
): Promise<TaggedBlogs> {
  const size = limits.page.feed;
  const { read } = ctx.database;
  const count = await countTagged(read, tag, ctx.viewer?.id ?? null, mostTagged + 1);
  const pages = pagesOf(count, mostTagged);
  if (isBeyond(page, size)) return { ...empty(page), tag, count, pages };
  const rows = await listTagged(read, tag, sort, pageAt(ctx.viewer, page, size));
  const { blogs, ...list } = asList(rows, page, size);
  return { ...list, tag, count, pages, blogs: await withoutMuted(read, ctx.viewer, blogs) };
}

/** A tab of a profile. Throws `forbidden` where the viewer does not have that tab, `not_found` where there is no such person. */
export async function listByAuthor(
  ctx: Context,
  { username, tab, page }: z.output<typeof ListByAuthor>,
): Promise<BlogList & { userId: string }> {
  const { user, standing } = await knownUser(ctx.database.read, ctx.viewer, { username });
  if (!visibleTabs(standing, user).includes(tab)) throw new AppError("forbidden", "You can’t see this list.");
  const size = limits.page.profile;
  if (isBeyond(page, size) || !canReadAccount(standing, user)) return { ...empty(page), userId: user.id };
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

/** Whoever has drafts in a list writes them. */
const withPlans = async <List extends BlogList>(connection: Connection, list: List): Promise<List> => ({
  ...list,
  blogs: await withSchedules(connection, list.blogs),
});

/** What the viewer writes, alone and with others, drafts included, newest first. */
export async function myBlogs(
  ctx: MemberContext,
  { page, show = "all", sort = "latest", words = "" }: z.input<typeof MyBlogs> & { page: number },
): Promise<BlogList> {
  const size = limits.page.profile;
  if (isBeyond(page, size)) return empty(page);
  const at = { ...pageAt(ctx.viewer, page, size), viewer: ctx.viewer.id };
  const { read } = ctx.database;
  return withPlans(
    read,
    asList(await own.listWritten(read, { show, sort, words: words.trim() }, at), page, size),
  );
}

/** What the viewer's blogs came to (docs/specification.md, 9.19). */
export async function myStats(ctx: MemberContext): Promise<BlogStats> {
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (!user) throw new AppError("not_found", "This account no longer exists.");
  const blogs = countKinds(readableKinds({ isSelf: true, isFollower: false }), user);
  const [likes, comments] = [user.likesReceived, user.commentsReceived];
  return { blogs, likes, comments, averageLikes: blogs === 0 ? 0 : Math.round((10 * likes) / blogs) / 10 };
}

/**
 * A blog as it is read. An old address finds it too; its `slug` is then the new one. Who has another text of it gets what changed,
 * where that is known.
 */
export async function readBlog(
  ctx: Context,
  { slug, has }: z.output<typeof ReadBlog>,
): Promise<Omit<BlogPage, "cursor">> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const blog = await readableBlog(read, ctx.viewer, { slug });
  const row = await cards.cardById(read, blog.id, viewerId);
  if (!row || blog.authorVerifiedAt === null)
    throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  const [card = presentCard(row)] = await withSchedules(read, [presentCard(row)]);
  return {
    ...card,
    ...(await textFor(ctx, blog, card.readingMinutes, has)),
    createdAt: new Date(blog.createdAt).toISOString(),
    editedAt: blog.editedAt === null ? null : new Date(blog.editedAt).toISOString(),
    commentsFrom: blog.commentsFrom,
    live: isLive(blog),
    mine: blog.authorId === viewerId,
    writes: canWriteBlog(blogStanding(ctx.viewer, blog)),
    takedownReason: blog.takedownReason,
    ...forSearch(blog),
    follow: await followStatus(read, viewerId, {
      user: { id: blog.authorId, private: blog.authorPrivate },
      standing: { isSelf: blog.authorId === viewerId, isFollower: Boolean(blog.followsAuthor) },
    }),
  };
}

async function textFor(
  ctx: Context,
  blog: queries.BlogFacts,
  minutes: number,
  has: string | undefined,
): Promise<Pick<BlogPage, "html" | "digest" | "contents" | "change">> {
  if (has === undefined) return textOf(ctx, blog, minutes);
  const html = await queries.blogHtml(ctx.database.read, blog.id);
  const draw = async (stored: string) => drawnHtml(ctx.workers, stored);
  const change = changeFrom(has, html);
  return change
    ? { html: "", digest: change.to, change: await drawnChange(change, draw) }
    : { html: await draw(html), digest: digestOf(html) };
}

const forSearch = ({ canonicalUrl, searchTitle, searchDescription }: queries.BlogFacts) => ({
  canonicalUrl,
  searchTitle,
  searchDescription,
});

/** One card, to put into a list that learns of it live. */
export async function blogCard(ctx: Context, { id }: { id: string }) {
  await readableBlog(ctx.database.read, ctx.viewer, { id });
  const row = await cards.cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  if (!row) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  return presentCard(row);
}

/** A blog as its form needs it, for its author. */
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
    version: blog.version,
    title,
    description,
    tags,
    draft,
    private: row.private,
    live: isLive(blog),
    ...forSearch(blog),
    language: blog.language,
    guessedLanguage: blog.guessedLanguage,
    cover: presentCover(row.cover, row.coverFocus),
    schedule: presentSchedule(planned),
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
