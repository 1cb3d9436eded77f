import type { z } from "zod";
import type { LiveState, SetLive, SetSummary } from "../../shared/entries.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import { coAuthorIds } from "../authors/queries.ts";
import { writableBlog } from "../blogs/access.ts";
import { isOnAir } from "../blogs/policy.ts";
import { presentLive } from "../blogs/present.ts";
import { blogHtml, setLiveState, type BlogFacts } from "../blogs/queries.ts";
import type { MemberContext, RequestViewer } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { blogTopic, userTopic } from "../live/stored-events.ts";
import { requireWriter } from "../profiles/access.ts";
import { digestOf } from "../text/changes.ts";
import { countEntries } from "./queries.ts";

/**
 * Starts, ends or reopens a live blog. One that ends without entries is an ordinary blog again. Throws `bad_request` for a draft.
 */
export async function setLive(
  ctx: MemberContext,
  { id, live }: z.output<typeof SetLive>,
): Promise<{ live: LiveState | null }> {
  await ctx.limits.take("visibility", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    if (live) await requireWriter(tx, ctx.viewer);
    if (live && blog.draft) throw new AppError("bad_request", "Publish this draft first.");
    if (live !== isOnAir(blog)) await change(tx, blog, await stateAfter(tx, blog, live));
    return { live: presentLive(await writableBlog(tx, ctx.viewer, { id })) };
  });
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
  return ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    if (blog.liveSince === null) throw new AppError("conflict", "This is not a live blog.");
    if (!sameJson(summary, blog.summary)) await change(tx, blog, { summary });
    return { summary };
  });
}

/** Stores it and publishes it to the blog's page, to lists, and to its authors' own lists. */
async function change(
  tx: Transaction,
  { id, authorId }: BlogFacts,
  state: Parameters<typeof setLiveState>[2],
): Promise<void> {
  await setLiveState(tx, id, state);
  await tx.emit(blogTopic(id), { kind: "blog.edited", was: digestOf(await blogHtml(tx, id)) });
  for (const author of [authorId, ...(await coAuthorIds(tx, id))])
    await tx.emit(userTopic(author), { kind: "viewer.blogsChanged", blogId: id });
}
