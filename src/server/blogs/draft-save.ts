import type { z } from "zod";
import { BlogUpdate, type SavedBlog } from "../../shared/blogs.ts";
import type { PublishDraft, DraftFields } from "../../shared/drafts.ts";
import { emptyDocument } from "../../shared/document/schema.ts";
import { readDocument } from "../../shared/document/read.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { sameJson } from "../../shared/same-json.ts";
import { actingAs } from "../acting-context.ts";
import type { Context, MemberContext, Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { draftTopic } from "../live/stored-events.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { fieldOf } from "../http/input-messages.ts";
import { writableBlog } from "./access.ts";
import { fromVersion } from "./precondition.ts";
import { blogDocument, blogFactsById, type BlogFacts } from "./queries.ts";
import { isVersionOf } from "./version-queries.ts";
import { isVersionDue } from "./versions.ts";
import { nameOf, savedForm, untitled } from "./saved-form.ts";
import { createBlog, updateBlog, type SaveOptions } from "./service.ts";
import { wordsOf } from "./slug.ts";
import { beginDraft, commitOfSite, documentOf, storeWholeDocument } from "./drafts.ts";
import { markSavedIfDisplayed } from "./draft-displayed.ts";
import { notifyWriters } from "./draft-messages.ts";
import { storeDraftPictures } from "./draft-pictures.ts";
import { updateDraft, draftOf, type DraftHead } from "./draft-queries.ts";
import { hasUnpublishedChanges, recordDraft } from "./draft-versions.ts";

/** Begins a new blog, visible only to its author. Returns its slug. Idempotent per id. */
export async function beginBlog(
  ctx: MemberContext,
  { id }: { id: string },
): Promise<{ id: string; slug: string }> {
  if (await blogFactsById(ctx.database.read, id, ctx.viewer.id)) {
    const { slug } = await writableBlog(ctx.database.read, ctx.viewer, { id });
    return { id, slug };
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
  const { slug } = await createBlog(
    ctx,
    { id, title: untitled, ...emptyFields, draft: true, private: false, document: emptyDocument() },
    {
      also: async (tx) => {
        if (await draftOf(tx, id)) return;
        const blog = await writableBlog(tx, ctx.viewer, { id });
        await beginDraft(ctx, tx, blog, { about: { title: "" }, begunBy: ctx.viewer.id });
      },
    },
  );
  return { id, slug };
}

/** Saves the draft of a draft, for lists, the API and other devices. */
export const saveDraft: JobHandler<{ blogId: string }> = {
  run: async (services, { blogId }) => {
    try {
      await retryIfChanged(() => autosave(services, blogId));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable" || isChanged(error)) throw error;
      if (error.code === "not_found") return;
      // The draft keeps the text.
      await notifyWriters(services, blogId, `This draft can’t be published yet: ${error.message}`);
    }
  },
};

async function autosave(services: Services, blogId: string): Promise<void> {
  const { database } = services;
  // The version first: a save in between refuses this one.
  const blog = await blogFactsById(database.read, blogId, null);
  const row = await draftOf(database.read, blogId);
  if (!blog || !row) return;
  if (!blog.draft) {
    await storeDocument(services, row);
    return markUndone(services, blogId);
  }
  if (row.savedSeq === row.seq) return;
  await saveValidParts(actingAs(services, blog.authorId), { blog, row }, "on the way");
}

/** Stores the whole document, so that older commits can be deleted, and unpublished changes as a version when one is due. */
async function storeDocument(
  services: Pick<Services, "database" | "drafts">,
  { blogId }: DraftHead,
): Promise<void> {
  await services.database.write(async (tx) => {
    const row = await draftOf(tx, blogId);
    const blog = await blogFactsById(tx, blogId, null);
    if (!row || !blog) return;
    if (hasUnpublishedChanges(row) && (await isVersionDue(tx, blogId, Date.now())))
      await recordDraft(tx, blog, row, await documentOf(services, tx, row), {
        why: "unpublished",
        at: row.changedAt,
      });
    if (row.documentSeq !== row.seq)
      await storeWholeDocument(services, tx, row, await documentOf(services, tx, row));
  });
}

/** Marks a published blog's draft as saved once all unpublished changes were undone. */
async function markUndone(services: Pick<Services, "database" | "drafts">, blogId: string): Promise<void> {
  await services.database.write(async (tx) => {
    const [row, body] = [await draftOf(tx, blogId), await blogDocument(tx, blogId)];
    if (!row || !body || row.draft || row.savedSeq === row.seq) return;
    const document = JSON.stringify(savedForm(await documentOf(services, tx, row)));
    await markSavedIfDisplayed(tx, row, document, body.document);
  });
}

/**
 * Saves the draft, published or as a draft. Throws `bad_request` or `conflict`, keeping it, if it cannot be published.
 */
export async function publish(
  ctx: MemberContext,
  { id, ...target }: z.output<typeof PublishDraft>,
): Promise<SavedBlog> {
  return retryIfChanged(async () => {
    const { blog, row } = await blogAndDraft(ctx, id);
    if (!row) throw new AppError("not_found", "Nothing has been written here yet.");
    if (!target.draft && row.fields.title.trim() === "") throw titleMissing();
    return saveAs(ctx, { blog, row }, target);
  });
}

export const titleMissing = () =>
  new AppError("bad_request", "Please give your blog a title.", { field: "title" });

interface BlogAndDraft {
  blog: BlogFacts;
  row: DraftHead;
}

/** Returns a blog and, read after it, its draft. */
export async function blogAndDraft(
  ctx: MemberContext,
  id: string,
): Promise<Pick<BlogAndDraft, "blog"> & { row: DraftHead | undefined }> {
  const { read } = ctx.database;
  const blog = await writableBlog(read, ctx.viewer, { id });
  return { blog, row: await draftOf(read, id) };
}

const mostTries = 5;

const changedMeanwhile = () =>
  new AppError("conflict", "This blog was changed meanwhile. Please try again.", { field: "version" });

/** Whether a save was refused because the blog changed meanwhile. */
export const isChanged = (error: unknown): boolean =>
  error instanceof AppError && error.code === "conflict" && error.field === "version";

/** Repeats a save of the draft if the blog changed meanwhile, so that it never replaces a later commit. */
export async function retryIfChanged<T>(save: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await save();
    } catch (error) {
      if (!isChanged(error) || tries === mostTries) throw error;
    }
}

type As = Omit<z.output<typeof PublishDraft>, "id">;

/** The fields that a save can leave out. */
const optionalFields: ReadonlySet<string> = new Set([
  "title",
  "description",
  "tags",
  "coverId",
  "coverFocus",
  "slug",
  "canonicalUrl",
  "searchTitle",
  "searchDescription",
  "language",
]);

/** Saves the draft without the fields that are refused: the blog keeps its last valid value of each. */
export async function saveValidParts(
  ctx: MemberContext,
  found: BlogAndDraft,
  target: As | "on the way",
  also?: SaveOptions["also"],
): Promise<SavedBlog> {
  const leftOut = new Set<string>();
  for (;;)
    try {
      return await saveAs(ctx, found, target, { leftOut, also });
    } catch (error) {
      const field = error instanceof AppError && !isChanged(error) ? (error.field ?? "") : "";
      if (!optionalFields.has(field) || leftOut.has(field)) throw error;
      leftOut.add(field);
      // Of the refused cover.
      if (field === "coverId") leftOut.add("coverFocus");
    }
}

/** Saves the draft if the blog is unchanged, else throws `conflict`. */
async function saveAs(
  ctx: MemberContext,
  { blog, row }: BlogAndDraft,
  target: As | "on the way",
  {
    leftOut = new Set(),
    also,
  }: { leftOut?: ReadonlySet<string>; also?: SaveOptions["also"] | undefined } = {},
): Promise<SavedBlog> {
  const id = row.blogId;
  const condition = fromVersion(blog.version);
  const { title: _title, address, restores, intent: _intent, ...fields } = row.fields;
  const document = savedForm(await documentOf(ctx, ctx.database.read, row));
  const content = { ...fields, id, title: nameOf(row), document };
  const parse = (update: object) =>
    parseUpdate(Object.fromEntries(Object.entries(update).filter(([name]) => !leftOut.has(name))));
  // Keeps the slug while a title is typed: each letter would make another.
  if (target === "on the way")
    return updateBlog(ctx, parse(content), condition, {
      draftSave: target,
      writtenUpTo: row.seq,
      // What the save changes is the site's, not the owner's.
      also: (tx) => markSaved({ ...ctx, viewer: null }, tx, row, leftOut),
    });
  const slug = address === "" ? {} : { slug: address };
  // Without the version it is an ordinary save.
  const isKept = restores !== null && (await isVersionOf(ctx.database.read, id, restores));
  const update = parse({ ...content, ...target, ...slug, ...(isKept ? { restores } : {}) });
  const isNamed = row.namedFor === null || wordsOf(row.namedFor) === wordsOf(update.title ?? blog.title);
  return updateBlog(ctx, update, condition, {
    draftSave: isNamed || update.slug !== undefined ? "as named" : "to be named",
    also: async (tx, saved) => {
      await also?.(tx, saved);
      await markSaved(ctx, tx, row, leftOut, target);
    },
  });
}

function parseUpdate(update: unknown): z.output<typeof BlogUpdate> {
  const { data, error } = BlogUpdate.safeParse(update);
  const [issue] = error?.issues ?? [];
  if (data) return data;
  throw new AppError("bad_request", issue?.message ?? messages.update, { field: fieldOf(issue) ?? "title" });
}

/** Marks the draft as saved up to `row` and commits what the save changed (remote images). */
async function markSaved(
  ctx: Pick<Context, "drafts" | "viewer">,
  tx: Transaction,
  row: DraftHead,
  leftOut: ReadonlySet<string>,
  target?: As,
): Promise<void> {
  const id = row.blogId;
  const now = await draftOf(tx, id);
  const body = await blogDocument(tx, id);
  if (!now || !body) return;
  // Published, or saved with later commits or a discard, while this was saved.
  if (now.savedSeq > row.seq || (!target && !now.draft)) throw changedMeanwhile();
  const isUnchanged = now.seq === row.seq;
  const hasAddress = target !== undefined && row.fields.address !== "" && !leftOut.has("slug");
  const appliedFields: Partial<DraftFields> = {};
  if (hasAddress && now.fields.address === row.fields.address) appliedFields.address = "";
  if (target && row.fields.restores !== null && now.fields.restores === row.fields.restores)
    appliedFields.restores = null;
  if (target && row.fields.intent !== null && sameJson(now.fields.intent, row.fields.intent))
    appliedFields.intent = null;
  // A commit without a change: what was left out is an unpublished change.
  if (target && leftOut.size > 0) appliedFields.title = now.fields.title;
  const document = await documentOf(ctx, tx, now);
  const isAsWritten = !isUnchanged || body.document === JSON.stringify(savedForm(document));
  const next = isAsWritten ? document : readDocument(JSON.parse(body.document));
  const seq = await commitOfSite(ctx, tx, now, next, appliedFields);
  // The others are now the blog's own.
  if (isUnchanged) await storeDraftPictures(tx, id, leftOut.has("coverId") ? [row.fields.coverId] : []);
  const lastSeq = isUnchanged ? seq : row.seq;
  if (!target) return updateDraft(tx, id, { savedSeq: lastSeq });
  const savedSeq = leftOut.size > 0 ? lastSeq - 1 : lastSeq;
  const isMade = target.draft && row.namedFor !== null && !hasAddress;
  await updateDraft(tx, id, { savedSeq, begunBy: null, namedFor: isMade ? nameOf(row) : null });
  await tx.emit(draftTopic(id), { kind: "draft.saved", seq: savedSeq, draft: target.draft });
}
