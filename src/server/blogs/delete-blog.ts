import type { z } from "zod";
import type { RemoveBlog } from "../../shared/blogs.ts";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import { AppError } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import { endAuthorships } from "../authors/service.ts";
import { authorsOf, parseBlogKey, ownBlog, type BlogKey } from "./access.ts";
import { cardById } from "./card-queries.ts";
import type { Precondition } from "../writing/precondition.ts";
import { blogFactsById, deleteBlogRow, picturesOfBlog, updateBlog, type BlogFacts } from "./queries.ts";
import { deleteVersions, someVersions } from "../history/queries.ts";
import { publishVisibility } from "./events.ts";
import { picturesOfDraft, draftOf } from "../writing/queries.ts";
import { readDraftDocument } from "../writing/text-queries.ts";
import { deleteCommentsOfBlog } from "../comments/removal-queries.ts";
import { deleteEntriesOfBlog } from "../entries/removal-queries.ts";
import type { MemberContext } from "../context.ts";
import type { Database } from "../database/connection.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { profileTopic, userTopic } from "../live/stored-events.ts";
import { rightsTopic } from "../live/signals.ts";
import { updateUnusedSince } from "../media/queries.ts";
import { deleteNotificationsWhere } from "../notifications/queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { deleteSubscriptions } from "../notifications/subscription-queries.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { deleteLikesOf } from "../likes/delete-queries.ts";
import { deleteSomeReadingPositionsIn } from "./reading-position-queries.ts";

/** Rows in one transaction: some tens of milliseconds. */
const maxRows = 300;

export const blogDeletionJob = "delete-blog";
interface Removal {
  blogId: string;
  authorId: string;
}

/**
 * Deletes a blog with its comments, likes, saves and versions; pictures stay for a month. A job continues for many comments;
 * meanwhile only the author finds the blog, as a draft.
 */
export async function deleteBlog(
  ctx: MemberContext,
  key: BlogKey,
  condition?: Precondition,
): Promise<{ message: string }> {
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, key);
    if (condition && !condition.holds(blog)) throw condition.refusal();
    await startBlogDeletion(tx, blog);
  });
  return { message: "Blog deleted." };
}

/** Deletes a blog for the editor. Throws `conflict` if a `begun` draft was saved. */
export async function discardBlog(
  ctx: MemberContext,
  { id, begun }: z.output<typeof RemoveBlog>,
): Promise<{ message: string }> {
  if (!begun) return deleteBlog(ctx, { id });
  await ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id });
    if ((await draftOf(tx, id))?.begunBy == null)
      throw new AppError("conflict", "This blog was saved in the meantime.");
    await startBlogDeletion(tx, blog);
  });
  return { message: "Draft discarded." };
}

/** Deletes a new draft that was left empty, as by a letter typed and erased. One with versions or co-authors stays. */
export async function discardEmptyDraft(database: Database, id: string): Promise<void> {
  await database.write(async (tx) => {
    const [row, blog] = [await draftOf(tx, id), await blogFactsById(tx, id, null)];
    if (!row || !blog || row.begunBy === null) return;
    const { fields } = row;
    const texts = [fields.title, fields.description, fields.address, fields.canonicalUrl];
    texts.push(fields.searchTitle, fields.searchDescription, fields.coverId ?? "", ...fields.tags);
    if (texts.join("").trim() !== "") return;
    const { document } = await readDraftDocument(tx, row);
    if (!sameJson(trimDocument(document.toJSON() as NodeJson), trimDocument(emptyDocument()))) return;
    if ((await someVersions(tx, id, 1)).length > 0 || (await authorsOf(tx, blog)).length > 1) return;
    await startBlogDeletion(tx, blog);
  });
}

/** Deletes a blog in a transaction that checked permission. */
export async function startBlogDeletion(tx: Transaction, blog: BlogFacts): Promise<void> {
  const { id, authorId } = blog;
  // Lists by tag need the former tags.
  const tags = (await cardById(tx, id, authorId))?.tags;
  if ((await deleteSomeOfBlog(tx, id, maxRows)) >= maxRows) {
    await updateBlog(tx, id, { draft: true, takedownReason: null });
    const removal: Removal = { blogId: id, authorId };
    await enqueue(tx, blogDeletionJob, removal);
  }
  await publishVisibility(tx, authorId, id, { ...blog, tags }, null);
}

/** Deletes a blog by id or slug. */
export const deleteByKey = (ctx: MemberContext, key: string, condition: Precondition | undefined) =>
  deleteBlog(ctx, parseBlogKey(key), condition);

/** Deletes some of a blog, and finally the blog itself. Returns how many rows; fewer than `limit` once all is gone. */
export async function deleteSomeOfBlog(tx: Transaction, blogId: string, limit: number): Promise<number> {
  await publishStaffWork(tx);
  await endAuthorships(tx, blogId);
  const pictures = [...(await picturesOfBlog(tx, blogId)), ...(await picturesOfDraft(tx, blogId))];
  const recipients = await deleteNotificationsWhere(tx, { blogId }, limit);
  let removed = recipients.length;
  for (const part of [
    deleteCommentsOfBlog,
    deleteSomeEntries,
    deleteLikesOf,
    deleteSomeReadingPositionsIn,
    deleteSubscriptions,
    deleteSomeVersions,
  ])
    if (removed < limit) removed += await part(tx, blogId, limit - removed);
  if (removed < limit) {
    await deleteBlogRow(tx, blogId);
    await updateUnusedSince(tx, pictures, Date.now());
  }
  publishWithdrawn(tx, recipients);
  return removed;
}

async function deleteSomeEntries(tx: Transaction, blogId: string, limit: number): Promise<number> {
  const { removed, pictures } = await deleteEntriesOfBlog(tx, blogId, limit);
  await updateUnusedSince(tx, pictures, Date.now());
  return removed;
}

/** How many words of a version cost as much as a row. */
const wordsPerRow = 3_000;

async function deleteSomeVersions(tx: Transaction, blogId: string, limit: number): Promise<number> {
  const ids: string[] = [];
  let cost = 0;
  for (const { id, words } of await someVersions(tx, blogId, limit)) {
    if (cost >= limit) break;
    ids.push(id);
    cost += 1 + Math.floor(words / wordsPerRow);
  }
  await updateUnusedSince(tx, await deleteVersions(tx, ids), Date.now());
  return cost;
}

/** Continues `deleteBlog`. */
export const resumeBlogDeletion: JobHandler<Removal> = {
  timeLimit: 30 * 60_000,
  run: (services, { blogId, authorId }, { signal }) =>
    runInSteps(
      services.database,
      async (tx) => {
        if ((await deleteSomeOfBlog(tx, blogId, maxRows)) >= maxRows) return false;
        tx.emit(userTopic(authorId), { kind: "viewer.blogsChanged", blogId });
        tx.emit(profileTopic(authorId), { kind: "profile.listed", list: "draft-blogs" });
        tx.signal(rightsTopic(blogId));
        return true;
      },
      signal,
    ),
};
