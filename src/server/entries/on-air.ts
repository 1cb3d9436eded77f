import type { z } from "zod";
import type { BlogCard } from "../../shared/blogs.ts";
import type { LiveState, OnAirBlog } from "../../shared/entries.ts";
import type { SetEmbeddable, SetLive, SetSummary } from "../../shared/entry-inputs.ts";
import { audienceOf } from "../../shared/audience.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import { coAuthorIds } from "../authors/queries.ts";
import { ownBlog, writableBlog } from "../blogs/access.ts";
import { publishCoverage } from "../blogs/events.ts";
import { isOnAir } from "../blogs/policy.ts";
import { oneOfEachAuthorFirst } from "../blogs/one-of-each-author.ts";
import { publishedCards } from "../blogs/card-queries.ts";
import { presentCard, presentLive } from "../blogs/present.ts";
import { blogHtml, setLiveState, type BlogFacts } from "../blogs/queries.ts";
import type { Context, MemberContext, RequestViewer } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueueOnce } from "../jobs/jobs.ts";
import { blogTopic, feedTopic, userTopic } from "../live/stored-events.ts";
import { requireWriter } from "../profiles/access.ts";
import { digestOf } from "../text/changes.ts";
import { notifyFollowersJob } from "./notify-followers.ts";
import { blogsOnAir, ownOnAir } from "./on-air-queries.ts";
import { countEntries } from "./queries.ts";

/** Of `read` live blogs home shows some, of different authors if it can. */
const most = { read: 50, onHome: 5, own: 5 };

/** Returns live blogs on air that the viewer can read, newest first, but one of each author before all others. */
export async function liveNow(ctx: Context): Promise<{ blogs: BlogCard[] }> {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id ?? null;
  const rows = oneOfEachAuthorFirst(await blogsOnAir(read, viewerId, most.read, Date.now()));
  const ids = rows.slice(0, most.onHome).map(({ id }) => id);
  return { blogs: (await publishedCards(read, ids, viewerId)).map(presentCard) };
}

/** Returns the live blogs on air that the viewer writes. */
export const ownLive = async ({ database, viewer }: MemberContext): Promise<{ blogs: OnAirBlog[] }> => ({
  blogs: await ownOnAir(database.read, viewer.id, most.own),
});

/**
 * Starts, ends or reopens a live blog. One that ends without entries is an ordinary blog again. Throws `bad_request` for a draft.
 */
export async function setLive(
  ctx: MemberContext,
  { id, live }: z.output<typeof SetLive>,
): Promise<{ live: LiveState | null }> {
  await ctx.limits.take("visibility", ctx.viewer.id);
  if (live) await takeStart(ctx, id);
  return ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    if (live) await requireWriter(tx, ctx.viewer);
    if (live && blog.draft) throw new AppError("bad_request", "Publish this draft first.");
    if (live !== isOnAir(blog)) await change(tx, blog, await stateAfter(tx, blog, live));
    return { live: presentLive(await writableBlog(tx, ctx.viewer, { id })) };
  });
}

/** Counts a start against the limit of the blog's owner, whose followers hear of it. Throws `too_many`. */
export async function takeStart(ctx: MemberContext, id: string): Promise<void> {
  const blog = await writableBlog(ctx.database.read, ctx.viewer, { id });
  if (blog.liveSince === null) await ctx.limits.take("goLive", blog.authorId);
}

/** Starts a published blog as a live blog, if it is none yet. */
export async function startLive(tx: Transaction, viewer: RequestViewer, id: string): Promise<void> {
  const blog = await writableBlog(tx, viewer, { id });
  if (blog.liveSince === null) await change(tx, blog, { liveSince: Date.now(), liveEnded: null });
}

async function stateAfter(
  tx: Transaction,
  { id, liveSince }: BlogFacts,
  live: boolean,
): Promise<Pick<BlogFacts, "liveSince" | "liveEnded">> {
  const now = Date.now();
  if (live) return { liveSince: liveSince ?? now, liveEnded: null };
  return (await countEntries(tx, id)) === 0
    ? { liveSince: null, liveEnded: null }
    : { liveSince, liveEnded: now };
}

/** Changes the summary above a live blog's entries. Throws `conflict` for another blog. */
export async function setSummary(
  ctx: MemberContext,
  { id, summary }: z.output<typeof SetSummary>,
): Promise<{ summary: string[] }> {
  await ctx.limits.take("entry", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    if (blog.liveSince === null) throw new AppError("conflict", "This is not a live blog.");
    if (!sameJson(summary, blog.summary)) await change(tx, blog, { summary });
    return { summary };
  });
}

/** Lets other sites show the viewer's own live blog, or no longer. Throws `conflict` for another blog. */
export async function setEmbeddable(
  ctx: MemberContext,
  { id, embeddable }: z.output<typeof SetEmbeddable>,
): Promise<{ embeddable: boolean }> {
  await ctx.limits.take("visibility", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if (blog.liveSince === null) throw new AppError("conflict", "This is not a live blog.");
    if (embeddable !== blog.embeddable) await change(tx, blog, { embeddable });
    return { embeddable };
  });
}

/** Stores it and publishes it to the blog's page, to lists, and to its authors; the first start also to their followers. */
async function change(
  tx: Transaction,
  blog: BlogFacts,
  state: Parameters<typeof setLiveState>[2],
): Promise<void> {
  const { id, authorId } = blog;
  const isLiveChange = state.liveEnded !== undefined;
  await setLiveState(tx, id, state);
  tx.emit(blogTopic(id), { kind: "blog.edited", was: digestOf(await blogHtml(tx, id)) });
  await publishCoverage(tx, blog);
  for (const author of [authorId, ...(await coAuthorIds(tx, id))])
    tx.emit(userTopic(author), {
      kind: "viewer.blogsChanged",
      blogId: id,
      ...(isLiveChange && { live: true }),
    });
  if (!isLiveChange) return;
  const followers = audienceOf(blog) === "followers";
  tx.emit(feedTopic, { kind: "live.changed", blogId: id, authorId, followers });
  if (blog.liveSince === null && state.liveSince)
    await enqueueOnce(tx, notifyFollowersJob, { blogId: id }, 1_000);
}
