import type { z } from "zod";
import type {
  BlogList,
  BlogPage,
  BlogStats,
  BlogUpdate,
  EditableBlog,
  ListBlogs,
  ListByAuthor,
  NewBlog,
} from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Asker, Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, cursorNow, feedTopic, profileTopic, rightsTopic, userTopic } from "../live/outbox.ts";
import { presentPicture } from "../media/paths.ts";
import { pictureById } from "../media/queries.ts";
import { coverTypes, dropUnused } from "../media/service.ts";
import { followStatus, knownUser } from "../users/access.ts";
import { canReadAccount, visibleTabs } from "../users/policy.ts";
import { userById } from "../users/queries.ts";
import { ownBlog, readableBlog } from "./access.ts";
import { compose, type Composed } from "./compose.ts";
import { audienceOf, type Audience } from "./policy.ts";
import { presentCard } from "./present.ts";
import * as queries from "./queries.ts";
import { makeSlug } from "./slug.ts";

type Answer = { id: string; slug: string; message: string };

const pageAt = (viewer: Asker | null, page: number, size: number): queries.ListPage => ({
  viewer: viewer?.id ?? null,
  limit: size + 1,
  offset: (page - 1) * size,
});
const asList = (rows: queries.CardRow[], page: number, size: number): BlogList => ({
  blogs: rows.slice(0, size).map(presentCard),
  page,
  hasMore: rows.length > size,
});
const empty = (page: number): BlogList => ({ blogs: [], page, hasMore: false });

/** The feed: every blog the viewer may read, drafts excepted; `cursor` is where its live stream goes on. */
export async function listBlogs(
  ctx: Context,
  { page, sort }: z.output<typeof ListBlogs>,
  size: number = limits.page.feed,
): Promise<BlogList & { cursor: string }> {
  const cursor = await cursorNow(ctx.database.read);
  if (page > limits.page.highest) return { ...empty(page), cursor };
  return {
    ...asList(await queries.listBlogs(ctx.database.read, sort, pageAt(ctx.viewer, page, size)), page, size),
    cursor,
  };
}

/** A tab of a profile. Throws `forbidden` where the viewer does not have that tab, `not_found` where there is no such person. */
export async function listByAuthor(
  ctx: Context,
  { username, tab, page }: z.output<typeof ListByAuthor>,
): Promise<BlogList> {
  const { user, standing } = await knownUser(ctx.database.read, ctx.viewer, { username });
  if (!visibleTabs(standing, user).includes(tab))
    throw new AppError("forbidden", "This list is not shown to you.");
  if (page > limits.page.highest || !canReadAccount(standing, user)) return empty(page);
  const size = limits.page.profile;
  const at = pageAt(ctx.viewer, page, size);
  const { read } = ctx.database;
  const rows = {
    blogs: () => queries.listByAuthor(read, user.id, "public", at),
    "private-blogs": () => queries.listByAuthor(read, user.id, "private", at),
    "draft-blogs": () => queries.listByAuthor(read, user.id, "drafts", at),
    "liked-blogs": () => queries.listLiked(read, user.id, at),
    "saved-blogs": () => queries.listSaved(read, user.id, at),
  }[tab];
  return asList(await rows(), page, size);
}

/** The viewer's own blogs, drafts included, newest first. */
export async function myBlogs(ctx: MemberContext, { page }: { page: number }): Promise<BlogList> {
  if (page > limits.page.highest) return empty(page);
  return asList(
    await queries.listOwn(ctx.database.read, pageAt(ctx.viewer, page, limits.page.profile)),
    page,
    limits.page.profile,
  );
}

/** What the viewer's blogs came to (specification, 9 "Stats"). */
export async function myStats(ctx: MemberContext): Promise<BlogStats> {
  const sums = await queries.authorSums(ctx.database.read, ctx.viewer.id);
  return { ...sums, averageLikes: sums.blogs === 0 ? 0 : Math.round((10 * sums.likes) / sums.blogs) / 10 };
}

/** A blog as it is read. An old address finds it too; its `slug` is then the new one. */
export async function readBlog(ctx: Context, { slug }: { slug: string }): Promise<BlogPage> {
  const { read } = ctx.database;
  const cursor = await cursorNow(read);
  const blog = await readableBlog(read, ctx.viewer, { slug });
  const [row, html, known] = await Promise.all([
    queries.cardById(read, blog.id, ctx.viewer?.id ?? null),
    queries.blogHtml(read, blog.id),
    knownUser(read, ctx.viewer, { id: blog.authorId }),
  ]);
  if (!row) throw new AppError("not_found", "This blog does not exist, or is not for you to read.");
  return {
    ...presentCard(row),
    html,
    createdAt: new Date(blog.createdAt).toISOString(),
    editedAt: blog.editedAt === null ? null : new Date(blog.editedAt).toISOString(),
    mine: known.standing.isSelf,
    follow: await followStatus(read, ctx.viewer?.id ?? null, known),
    cursor,
  };
}

/** One card, to put into a list that learns of it live. */
export async function blogCard(ctx: Context, { id }: { id: string }) {
  await readableBlog(ctx.database.read, ctx.viewer, { id });
  const row = await queries.cardById(ctx.database.read, id, ctx.viewer?.id ?? null);
  if (!row) throw new AppError("not_found", "This blog does not exist, or is not for you to read.");
  return presentCard(row);
}

/** A blog with its document, for its author. */
export async function editBlog(ctx: MemberContext, { slug }: { slug: string }): Promise<EditableBlog> {
  const { read } = ctx.database;
  const blog = await ownBlog(read, ctx.viewer, { slug });
  const [row, body] = await Promise.all([
    queries.cardById(read, blog.id, ctx.viewer.id),
    queries.blogBody(read, blog.id),
  ]);
  if (!row || !body) throw new AppError("not_found", "This blog does not exist.");
  const { id, title, description, tags, draft } = row;
  return {
    id,
    slug: row.slug,
    title,
    description,
    tags,
    draft,
    private: row.private,
    cover: presentPicture(row.cover),
    document: body.document,
    updatedAt: new Date(blog.editedAt ?? blog.createdAt).toISOString(),
  };
}

/** Publishes a blog, or keeps it as a draft. The same id again by the same author is a retry: it changes what was made then. */
export async function createBlog(
  ctx: MemberContext,
  input: z.output<typeof NewBlog>,
  when: { publishedAt?: number; source?: string } = {},
): Promise<Answer> {
  const composed = await compose(ctx.database.read, input.document, ctx.config.publicUrl);
  const made = await ctx.database.write(async (tx) => {
    const before = await queries.blogFactsById(tx, input.id, ctx.viewer.id);
    if (before && before.authorId !== ctx.viewer.id)
      throw new AppError("conflict", "That id is taken. Please try again.");
    if (before) return undefined;
    await requireCover(tx, ctx.viewer, input.coverId);
    const now = Date.now();
    const { pictureIds, ...stored } = composed;
    const { id, title, description, tags, coverId, draft } = input;
    const slug = await freshSlug(tx, title);
    await queries.insertBlog(tx, {
      ...stored,
      id,
      slug,
      title,
      description,
      tags,
      coverId,
      draft,
      private: input.private,
      authorId: ctx.viewer.id,
      createdAt: when.publishedAt ?? now,
      publishedAt: when.publishedAt ?? now,
    });
    await queries.setBlogTags(tx, id, tags);
    await queries.setBlogPictures(tx, id, pictureIds);
    if (when.source) await queries.rememberImport(tx, ctx.viewer.id, when.source, id, now);
    await tellOfVisibility(tx, ctx.viewer.id, id, "nobody", await audience(tx, ctx.viewer.id, input));
    return { id, slug, message: savedMessage(input) };
  });
  return made ?? updateBlog(ctx, input);
}

/** Changes what is given of a blog. Its address stays. */
export async function updateBlog(ctx: MemberContext, input: z.output<typeof BlogUpdate>): Promise<Answer> {
  const known = await ownBlog(ctx.database.read, ctx.viewer, { id: input.id });
  if ((input.draft ?? known.draft) !== known.draft || (input.private ?? known.private) !== known.private)
    await ctx.limits.take("visibility", ctx.viewer.id);
  const composed: Composed | undefined =
    input.document === undefined
      ? undefined
      : await compose(ctx.database.read, input.document, ctx.config.publicUrl);
  const { answer, pictures } = await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id: input.id });
    const draft = input.draft ?? blog.draft;
    const isPrivate = input.private ?? blog.private;
    const now = Date.now();
    const before = await queries.picturesOfBlog(tx, blog.id);
    if (input.coverId !== blog.coverId) await requireCover(tx, ctx.viewer, input.coverId ?? null);
    const { pictureIds, ...stored } = composed ?? { pictureIds: undefined };
    const { title, description, tags, coverId } = input;
    const body = composed && (await queries.blogBody(tx, blog.id));
    const same =
      body?.html === composed?.html &&
      title === blog.title &&
      draft === blog.draft &&
      isPrivate === blog.private &&
      coverId === blog.coverId;
    if (composed && same && sameText(description, tags, await queries.cardById(tx, blog.id, ctx.viewer.id)))
      return { answer: { id: blog.id, slug: blog.slug, message: savedMessage(blog) }, pictures: [] };
    const given = Object.fromEntries(
      Object.entries({ title, description, tags, coverId, ...stored }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    await queries.updateBlog(tx, blog.id, {
      ...given,
      draft,
      private: isPrivate,
      ...(blog.draft ? { publishedAt: now } : { editedAt: now }),
    });
    if (tags) await queries.setBlogTags(tx, blog.id, tags);
    if (pictureIds) await queries.setBlogPictures(tx, blog.id, pictureIds);
    await tx.fact(blogTopic(blog.id), { kind: "blog.edited" });
    if (draft !== blog.draft || isPrivate !== blog.private)
      await tellNoticed(tx, await queries.noticedOfBlog(tx, blog.id));
    await tellOfVisibility(
      tx,
      ctx.viewer.id,
      blog.id,
      audienceOf(blog),
      await audience(tx, ctx.viewer.id, { draft, private: isPrivate }),
    );
    return {
      answer: { id: blog.id, slug: blog.slug, message: savedMessage({ draft, private: isPrivate }) },
      pictures: before,
    };
  });
  await dropUnused(ctx, pictures);
  return answer;
}

/** Deletes a blog with its comments, likes, saves, and the pictures nothing else shows. */
export async function deleteBlog(ctx: MemberContext, { id }: { id: string }): Promise<{ message: string }> {
  const pictures = await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    const shown = await queries.picturesOfBlog(tx, id);
    const noticed = await queries.noticedOfBlog(tx, id);
    await queries.deleteBlog(tx, id);
    await tellNoticed(tx, noticed);
    await tellOfVisibility(tx, ctx.viewer.id, id, audienceOf(blog), "nobody");
    return shown;
  });
  await dropUnused(ctx, pictures);
  return { message: "The blog is deleted." };
}

const sameText = (
  description: string | undefined,
  tags: string[] | undefined,
  row: queries.CardRow | undefined,
) => description === row?.description && JSON.stringify(tags) === JSON.stringify(row?.tags);

const savedMessage = (blog: { draft: boolean; private: boolean }) =>
  blog.draft
    ? "Draft saved."
    : blog.private
      ? "Published privately: your followers can read it."
      : "Your blog is published.";

async function audience(
  tx: Connection,
  authorId: string,
  blog: { draft: boolean; private: boolean },
): Promise<Audience> {
  const author = await userById(tx, authorId);
  return audienceOf({ ...blog, authorPrivate: author?.private ?? true });
}

const width: Record<Audience, number> = { nobody: 0, followers: 1, everybody: 2 };

/**
 * Tells the feed what came and went (followers alone, where it is for them: blogs/live.ts), the author's other tabs that
 * their blogs changed, and open streams to ask for their right.
 */
async function tellOfVisibility(
  tx: Transaction,
  authorId: string,
  blogId: string,
  was: Audience,
  is: Audience,
): Promise<void> {
  const only = (whom: Audience) => (whom === "followers" ? { followersOf: authorId } : {});
  if (width[is] > width[was]) {
    const row = await queries.cardById(tx, blogId, authorId);
    await tx.fact(feedTopic, {
      kind: "blog.published",
      blogId,
      publishedAt: new Date(row?.publishedAt ?? Date.now()).toISOString(),
      ...only(is),
    });
  }
  if (width[is] < width[was]) await tx.fact(feedTopic, { kind: "blog.gone", blogId, ...only(was) });
  await tx.fact(userTopic(authorId), { kind: "own.blogs" });
  tx.ring(rightsTopic(blogId));
  tx.ring(profileTopic(authorId));
}

/** Tells people that their notices changed: those about a blog come and go with their right to it. */
async function tellNoticed(tx: Transaction, userIds: string[]): Promise<void> {
  for (const userId of userIds) await tx.fact(userTopic(userId), { kind: "notification.withdrawn" });
}

async function requireCover(tx: Connection, viewer: Asker, pictureId: string | null): Promise<void> {
  if (pictureId === null) return;
  const picture = await pictureById(tx, pictureId);
  if (!picture || picture.ownerId !== viewer.id)
    throw new AppError("bad_request", "That cover picture is not there any more. Please choose it again.", {
      field: "coverId",
    });
  if (!coverTypes.includes(picture.type))
    throw new AppError("bad_request", "A cover is a PNG or JPEG picture.", { field: "coverId" });
}

async function freshSlug(tx: Connection, title: string): Promise<string> {
  for (;;) {
    const slug = makeSlug(title);
    if (!(await queries.slugTaken(tx, slug))) return slug;
  }
}
