import type { z } from "zod";
import { BlogUpdate, type SavedBlog } from "../../shared/blogs.ts";
import type { PublishWriting, WritingFields } from "../../shared/writing.ts";
import { emptyDocument } from "../../shared/document/schema.ts";
import { readDocument } from "../../shared/document/read.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { actingAs } from "../acting-context.ts";
import type { Context, MemberContext, Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { writingTopic } from "../live/stored-events.ts";
import { NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import { fieldOf } from "../http/input-messages.ts";
import { writableBlog } from "./access.ts";
import { whileDraft } from "./precondition.ts";
import { blogDocument, blogFactsById } from "./queries.ts";
import { linksNotice } from "./pictures.ts";
import { isRevisionOf } from "./revision-queries.ts";
import { isRevisionDue } from "./revisions.ts";
import { nameOf, savedForm, untitled } from "./saved-form.ts";
import { createBlog, updateBlog } from "./service.ts";
import { wordsOf } from "./slug.ts";
import { beginWriting, commitOfSite, documentOf, storeWritingPictures } from "./writing.ts";
import { updateWriting, writingOf, type WritingHead } from "./writing-queries.ts";
import { hasUnpublishedChanges, recordWriting } from "./writing-revisions.ts";

/** Begins a new blog, visible only to its author. Idempotent per id. */
export async function beginBlog(ctx: MemberContext, { id }: { id: string }): Promise<{ id: string }> {
  if (await blogFactsById(ctx.database.read, id, ctx.viewer.id)) {
    await writableBlog(ctx.database.read, ctx.viewer, { id });
    return { id };
  }
  const emptyFields = {
    description: "",
    tags: [],
    coverId: null,
    coverFocus: null,
    canonicalUrl: "",
    searchTitle: "",
    searchDescription: "",
    language: "",
  };
  await createBlog(
    ctx,
    { id, title: untitled, ...emptyFields, draft: true, private: false, document: emptyDocument() },
    {
      also: async (tx) => {
        if (await writingOf(tx, id)) return;
        const blog = await writableBlog(tx, ctx.viewer, { id });
        await beginWriting(ctx, tx, blog, { about: { title: "" }, begunBy: ctx.viewer.id });
      },
    },
  );
  return { id };
}

/** Saves the working copy of a draft, for lists, the API and other devices. */
export const saveWriting: JobHandler<{ blogId: string }> = {
  run: async (services, { blogId }) => {
    const { database } = services;
    const blog = await blogFactsById(database.read, blogId, null);
    const row = await writingOf(database.read, blogId);
    if (!blog || !row) return;
    if (!blog.draft) return storeDocument(services, row);
    if (row.savedSeq === row.seq) return;
    try {
      const { links } = await saveAs(actingAs(services, blog.authorId), row, "on the way");
      const event = { kind: "writing.message" as const, message: linksNotice(links).trim() };
      if (links > 0) await database.write((tx) => tx.emit(writingTopic(blogId), event));
    } catch (error) {
      // A bad text is reported when it is published; the working copy keeps it.
      if (error instanceof AppError && error.code !== "unavailable")
        throw new NonRetryableError(error.message);
      throw error;
    }
  },
};

/** Stores the whole document, so that older commits can be deleted, and unpublished changes as a revision when one is due. */
async function storeDocument(
  services: Pick<Services, "database" | "writings">,
  { blogId }: WritingHead,
): Promise<void> {
  await services.database.write(async (tx) => {
    const row = await writingOf(tx, blogId);
    const blog = await blogFactsById(tx, blogId, null);
    if (!row || !blog) return;
    if (hasUnpublishedChanges(row) && (await isRevisionDue(tx, blogId, Date.now())))
      await recordWriting(tx, blog, row, await documentOf(services, tx, row), {
        why: "unpublished",
        at: row.changedAt,
      });
    if (row.documentSeq === row.seq) return;
    const document = JSON.stringify((await documentOf(services, tx, row)).toJSON());
    await updateWriting(tx, blogId, { document, documentSeq: row.seq });
  });
}

/**
 * Saves the working copy, published or as a draft. Throws `bad_request` or `conflict`, keeping it, if it cannot be published.
 */
export async function publishWriting(
  ctx: MemberContext,
  { id, ...target }: z.output<typeof PublishWriting>,
): Promise<SavedBlog> {
  const { read } = ctx.database;
  await writableBlog(read, ctx.viewer, { id });
  const row = await writingOf(read, id);
  if (!row) throw new AppError("not_found", "Nothing has been written here yet.");
  if (!target.draft && row.fields.title.trim() === "")
    throw new AppError("bad_request", "Please give your blog a title.", { field: "title" });
  return saveAs(ctx, row, target);
}

type As = Omit<z.output<typeof PublishWriting>, "id">;

async function saveAs(ctx: MemberContext, row: WritingHead, target: As | "on the way"): Promise<SavedBlog> {
  const id = row.blogId;
  const { title: _title, address, restores, ...fields } = row.fields;
  const document = savedForm(await documentOf(ctx, ctx.database.read, row));
  const name = nameOf(row);
  const content = { ...fields, id, title: name, document };
  // Keeps the slug while a title is typed: each letter would make another.
  if (target === "on the way")
    return updateBlog(ctx, parseUpdate(content), whileDraft, {
      writingSave: target,
      writtenUpTo: row.seq,
      // What the save changes is the site's, not the owner's.
      also: (tx) => markSaved({ ...ctx, viewer: null }, tx, row),
    });
  const isNamed = row.namedFor === null || wordsOf(row.namedFor) === wordsOf(name);
  const slug = address === "" ? {} : { slug: address };
  // Without the revision it is an ordinary save.
  const isKept = restores !== null && (await isRevisionOf(ctx.database.read, id, restores));
  const update = { ...content, ...target, ...slug, ...(isKept ? { restores } : {}) };
  return updateBlog(ctx, parseUpdate(update), undefined, {
    writingSave: isNamed || address !== "" ? "as named" : "to be named",
    also: (tx) => markSaved(ctx, tx, row, target),
  });
}

function parseUpdate(update: unknown): z.output<typeof BlogUpdate> {
  const { data, error } = BlogUpdate.safeParse(update);
  const [issue] = error?.issues ?? [];
  if (data) return data;
  throw new AppError("bad_request", issue?.message ?? messages.update, { field: fieldOf(issue) ?? "title" });
}

/** Marks the working copy as saved up to `row` and commits what the save changed (remote images). */
async function markSaved(
  ctx: Pick<Context, "writings" | "viewer">,
  tx: Transaction,
  row: WritingHead,
  target?: As,
): Promise<void> {
  const id = row.blogId;
  const now = await writingOf(tx, id);
  const body = await blogDocument(tx, id);
  if (!now || !body) return;
  const isUnchanged = now.seq === row.seq;
  const hasAddress = target !== undefined && row.fields.address !== "";
  const appliedFields: Partial<WritingFields> = {};
  if (hasAddress && now.fields.address === row.fields.address) appliedFields.address = "";
  if (target && row.fields.restores !== null && now.fields.restores === row.fields.restores)
    appliedFields.restores = null;
  const document = await documentOf(ctx, tx, now);
  const isAsWritten = !isUnchanged || body.document === JSON.stringify(savedForm(document));
  const next = isAsWritten ? document : readDocument(JSON.parse(body.document));
  const seq = await commitOfSite(ctx, tx, now, next, appliedFields);
  // Now the blog's own.
  if (isUnchanged) await storeWritingPictures(tx, id, []);
  const savedSeq = isUnchanged ? seq : row.seq;
  if (!target) return updateWriting(tx, id, { savedSeq });
  const isMade = target.draft && row.namedFor !== null && !hasAddress;
  await updateWriting(tx, id, { savedSeq, begunBy: null, namedFor: isMade ? nameOf(row) : null });
  await tx.emit(writingTopic(id), { kind: "writing.saved", seq: savedSeq, draft: target.draft });
}
