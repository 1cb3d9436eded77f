import type { Node } from "prosemirror-model";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import { readDocument } from "../../shared/document/read.ts";
import { sameJson } from "../../shared/same-json.ts";
import {
  draftLimits,
  newDraftFields,
  type DraftFields,
  type OpenedDraft,
  type UnsavedBlog,
} from "../../shared/drafts.ts";
import type { MemberContext } from "../context.ts";
import { untitled } from "../database/blog-title.ts";
import type { Transaction } from "../database/writer.ts";
import { addressTopic } from "../live/signals.ts";
import { draftTopic } from "../live/stored-events.ts";
import { epochOf } from "../live/event-log.ts";
import { presentPicture } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import { requireWriter } from "../profiles/access.ts";
import { requireQuota, takeQuota, takeText } from "../profiles/quotas.ts";
import { newId } from "../runtime/ids.ts";
import { writableBlog } from "../blogs/access.ts";
import { newAddress, wasNeverPublished } from "../blogs/address.ts";
import { chargeWork, commitOfSite, documentOf, type Writer } from "./commits.ts";
import { beginningOf } from "./draft-document.ts";
import { fieldsOfBlog, textOfBlog } from "./draft-fields.ts";
import { picturesIn, storeDraftPictures } from "./draft-pictures.ts";
import * as queries from "./queries.ts";
import type { DraftHead } from "./queries.ts";
import { publishVisibility } from "../blogs/events.ts";
import { blogFactsById, insertUnpublished, type BlogFacts } from "../blogs/queries.ts";
import { isSlugOfTitle } from "../blogs/slug.ts";
import { recordDraft } from "../history/versions.ts";

/** What a new draft has: fields, text, and its author until they save it. */
interface NewDraft {
  fields: DraftFields;
  document: Node;
  begunBy?: string | null;
}

/** Begins a new blog, visible only to its author. Idempotent per id. Throws `too_many` above today's limit of blogs. */
export async function beginBlog(
  ctx: MemberContext,
  { id }: { id: string },
): Promise<{ id: string; slug: string }> {
  const { read } = ctx.database;
  await requireWriter(read, ctx.viewer);
  if (!(await blogFactsById(read, id, ctx.viewer.id))) {
    await requireQuota(ctx, "dailyBlogs");
    await ctx.database.write(async (tx) => {
      if (await blogFactsById(tx, id, ctx.viewer.id)) return;
      await takeQuota(tx, ctx, "dailyBlogs");
      const begun = {
        fields: newDraftFields(),
        document: readDocument(emptyDocument()),
        begunBy: ctx.viewer.id,
      };
      await insertDraftBlog(ctx, tx, { id, title: untitled }, begun);
    });
  }
  const { slug } = await writableBlog(read, ctx.viewer, { id });
  return { id, slug };
}

/** Stores a new unpublished blog of the viewer with its draft. Throws `conflict` if the requested slug is taken. */
export async function insertDraftBlog(
  ctx: MemberContext,
  tx: Transaction,
  { id, title, slug, at = Date.now() }: { id: string; title: string; slug?: string | undefined; at?: number },
  draft: NewDraft,
): Promise<BlogFacts> {
  await requireWriter(tx, ctx.viewer);
  const address = await newAddress(tx, title, slug);
  await insertUnpublished(tx, { id, slug: address, authorId: ctx.viewer.id, at });
  const blog = await writableBlog(tx, ctx.viewer, { id });
  await insertDraft(ctx, tx, blog, draft);
  tx.signal(addressTopic(address));
  const after = { draft: true, private: draft.fields.private, authorPrivate: blog.authorPrivate };
  await publishVisibility(tx, ctx.viewer.id, id, null, after);
  return blog;
}

/** Opens a blog's draft; begins one from the blog if there is none. */
export async function openDraft(ctx: MemberContext, { id }: { id: string }): Promise<OpenedDraft> {
  const row = await ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    await requireWriter(tx, ctx.viewer);
    return openOrBeginDraft(ctx, tx, blog);
  });
  const { read } = ctx.database;
  const document = (await documentOf(ctx, read, row)).toJSON() as unknown;
  const { seq, savedSeq: since, fields } = row;
  const [picture] = await picturesByIds(read, fields.coverId ? [fields.coverId] : []);
  return {
    id,
    seq,
    since,
    document,
    fields,
    cover: presentPicture(picture ?? null),
    isUnsaved: row.begunBy !== null,
    epoch: await epochOf(read),
  };
}

/** Returns the viewer's new blogs that were never saved, last changed first. */
export async function unfinished(ctx: MemberContext): Promise<{ blogs: UnsavedBlog[] }> {
  const rows = await queries.unsavedBlogs(ctx.database.read, ctx.viewer.id, draftLimits.unfinished);
  return { blogs: rows.map(({ id, changedAt }) => ({ id, changedAt: new Date(changedAt).toISOString() })) };
}

/** Discards what readers do not see by a commit that restores what they see. The history keeps it. */
export async function discardDraft(ctx: MemberContext, { id }: { id: string }): Promise<{ id: string }> {
  const { read } = ctx.database;
  const { authorId } = await writableBlog(read, ctx.viewer, { id });
  const draft = await queries.draftOf(read, id);
  // Without unpublished changes, no version is recorded.
  if (draft && draft.seq !== draft.savedSeq)
    await takeText(ctx, authorId, await queries.draftBytes(read, id));
  const work = await ctx.database.write(async (tx) => {
    const blog = await writableBlog(tx, ctx.viewer, { id });
    const row = await openOrBeginDraft(ctx, tx, blog);
    // An unpublished blog has no other text.
    if (queries.isUnpublished(row)) return 0;
    const current = await documentOf(ctx, tx, row);
    if (row.seq !== row.savedSeq)
      await recordDraft(tx, blog, row, current, {
        reason: "before-discard",
        at: Date.now(),
        by: ctx.viewer.id,
      });
    const [fields, document] = [await fieldsOfBlog(tx, blog), await textOfBlog(tx, blog)];
    const other = Object.entries(fields).filter(
      ([name, value]) => !sameJson(value, row.fields[name as keyof DraftFields]),
    );
    const seq = await commitOfSite(ctx, tx, row, document, Object.fromEntries(other));
    await markSaved(tx, row, seq);
    return current.nodeSize + document.nodeSize;
  });
  chargeWork(ctx, work);
  return { id };
}

/** Records that nothing is unpublished up to a commit, or that it was saved as a draft, for all open pages. */
export async function markSaved(
  tx: Transaction,
  { blogId, seq: current, draft }: Pick<DraftHead, "blogId" | "seq" | "draft">,
  seq: number,
  more: { namedFor?: string | null } = {},
): Promise<void> {
  const isAll = seq >= current;
  if (isAll && !draft) await storeDraftPictures(tx, blogId, []);
  await queries.updateDraft(tx, blogId, {
    savedSeq: seq,
    begunBy: null,
    ...(isAll && !draft && { nextVersionAt: null }),
    ...more,
  });
  tx.emit(draftTopic(blogId), { kind: "draft.saved", seq, draft });
}

export async function openOrBeginDraft(ctx: Writer, tx: Transaction, blog: BlogFacts): Promise<DraftHead> {
  const row = await queries.draftOf(tx, blog.id);
  if (row) return row;
  return insertDraft(ctx, tx, blog, {
    fields: await fieldsOfBlog(tx, blog),
    document: await textOfBlog(tx, blog),
  });
}

/** Stores the draft of a blog that has none. */
export async function insertDraft(
  ctx: Pick<Writer, "drafts">,
  tx: Transaction,
  blog: BlogFacts,
  { fields, document, begunBy = null }: NewDraft,
): Promise<DraftHead> {
  const now = Date.now();
  const head = newId();
  const row = { blogId: blog.id, seq: 1, head, fields, documentSeq: 1, savedSeq: 1, begunBy, changedAt: now };
  const isNamed = wasNeverPublished(blog) && isSlugOfTitle(blog.slug, fields.title || untitled);
  await queries.insertDraft(tx, {
    ...row,
    document: JSON.stringify(document.toJSON()),
    namedFor: isNamed ? fields.title || untitled : null,
    // What nobody wrote here, as of an import, is in no version yet.
    nextVersionAt: blog.draft && begunBy === null ? now : null,
    ...(blog.draft && beginningOf(document)),
  });
  ctx.drafts.set(blog.id, head, document, 0);
  if (blog.draft) await storeDraftPictures(tx, blog.id, [...picturesIn(document), fields.coverId]);
  return (await queries.draftOf(tx, blog.id))!;
}
