import type { z } from "zod";
import { BlogUpdate, type SavedBlog } from "../../shared/blogs.ts";
import type { PublishWriting, WritingFields } from "../../shared/writing.ts";
import type { Node } from "prosemirror-model";
import { emptyDocument, type NodeJson } from "../../shared/document/schema.ts";
import { trimmed } from "../../shared/document/trimmed.ts";
import { readDocument } from "../../shared/document/read.ts";
import { AppError, messages } from "../../shared/errors.ts";
import { actingAs } from "../acting.ts";
import type { MemberContext, Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { writingTopic } from "../live/stored-events.ts";
import { Hopeless, type JobHandler } from "../jobs/jobs.ts";
import { fieldOf } from "../wording.ts";
import { writableBlog } from "./access.ts";
import { whileDraft } from "./condition.ts";
import { blogDocument, blogFactsById } from "./queries.ts";
import { saidOfLinks } from "./pictures.ts";
import { isRevisionOf } from "./revision-queries.ts";
import { createBlog, updateBlog } from "./service.ts";
import { wordsOf } from "./slug.ts";
import { beginWriting, commitOfSite, documentOf, notePictures } from "./writing.ts";
import { updateWriting, writingOf, type WritingHead } from "./writing-queries.ts";

/** What a draft is called that has no title yet. */
const untitled = "Untitled";

/** Begins a new blog, which nobody but its author sees. The same id again is the same blog. */
export async function beginBlog(ctx: MemberContext, { id }: { id: string }): Promise<{ id: string }> {
  if (await blogFactsById(ctx.database.read, id, ctx.viewer.id)) {
    await writableBlog(ctx.database.read, ctx.viewer, { id });
    return { id };
  }
  const about = {
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
    { id, title: untitled, ...about, draft: true, private: false, document: emptyDocument() },
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

/** Has a draft say what was written in it, where lists, the API and other devices look. What is published stays as it is. */
export const saveWriting: JobHandler<{ blogId: string }> = {
  run: async (parts, { blogId }) => {
    const { database } = parts;
    const blog = await blogFactsById(database.read, blogId, null);
    const row = await writingOf(database.read, blogId);
    if (!blog || !row) return;
    if (!blog.draft) return storeDocument(parts, row);
    if (row.savedSeq === row.seq) return;
    try {
      const { links } = await saveAs(actingAs(parts, blog.authorId), row, "on the way");
      const event = { kind: "writing.message" as const, message: saidOfLinks(links).trim() };
      if (links > 0) await database.write((tx) => tx.emit(writingTopic(blogId), event));
    } catch (error) {
      // What is wrong with the text is said where it is published; it stands in the working copy meanwhile.
      if (error instanceof AppError && error.code !== "unavailable") throw new Hopeless(error.message);
      throw error;
    }
  },
};

/** Stores the whole document, so that its older commits need not be kept. */
async function storeDocument(
  parts: Pick<Parts, "database" | "writings">,
  { blogId }: WritingHead,
): Promise<void> {
  await parts.database.write(async (tx) => {
    const row = await writingOf(tx, blogId);
    if (!row || row.documentSeq === row.seq) return;
    const document = JSON.stringify((await documentOf(parts, tx, row)).toJSON());
    await updateWriting(tx, blogId, { document, documentSeq: row.seq });
  });
}

/**
 * Saves what was written, for readers or as a draft. Throws `bad_request` and `conflict` where something of it can't be
 * published: it stands as it is then.
 */
export async function publishWriting(
  ctx: MemberContext,
  { id, ...as }: z.output<typeof PublishWriting>,
): Promise<SavedBlog> {
  const { read } = ctx.database;
  await writableBlog(read, ctx.viewer, { id });
  const row = await writingOf(read, id);
  if (!row) throw new AppError("not_found", "Nothing has been written here yet.");
  if (!as.draft && row.fields.title.trim() === "")
    throw new AppError("bad_request", "Please give your blog a title.", { field: "title" });
  return saveAs(ctx, row, as);
}

type As = Omit<z.output<typeof PublishWriting>, "id">;

async function saveAs(ctx: MemberContext, row: WritingHead, as: As | "on the way"): Promise<SavedBlog> {
  const id = row.blogId;
  const { title: _title, address, restores, ...fields } = row.fields;
  const document = savedForm(await documentOf(ctx, ctx.database.read, row));
  const name = nameOf(row);
  const said = { ...fields, id, title: name, document };
  // While it is written the address stays: each letter of a title would make another one.
  if (as === "on the way")
    return updateBlog(ctx, checked(said), whileDraft, {
      isWritten: as,
      also: (tx) => settle(ctx, tx, row),
    });
  const isNamed = row.namedFor === null || wordsOf(row.namedFor) === wordsOf(name);
  const wish = address === "" ? {} : { slug: address };
  // One that is not kept any more makes it a save like all others.
  const isKept = restores !== null && (await isRevisionOf(ctx.database.read, id, restores));
  const update = { ...said, ...as, ...wish, ...(isKept ? { restores } : {}) };
  return updateBlog(ctx, checked(update), undefined, {
    isWritten: isNamed || address !== "" ? "as named" : "to be named",
    also: (tx) => settle(ctx, tx, row, as),
  });
}

function checked(update: unknown): z.output<typeof BlogUpdate> {
  const { data, error } = BlogUpdate.safeParse(update);
  const [issue] = error?.issues ?? [];
  if (data) return data;
  throw new AppError("bad_request", issue?.message ?? messages.update, { field: fieldOf(issue) ?? "title" });
}

/** The blog says what was written up to there. What became of it on the way (pictures from elsewhere) is told to who writes. */
async function settle(ctx: MemberContext, tx: Transaction, row: WritingHead, as?: As): Promise<void> {
  const id = row.blogId;
  const now = await writingOf(tx, id);
  const body = await blogDocument(tx, id);
  if (!now || !body) return;
  const isStill = now.seq === row.seq;
  const hasAddress = as !== undefined && row.fields.address !== "";
  const taken: Partial<WritingFields> = {};
  if (hasAddress && now.fields.address === row.fields.address) taken.address = "";
  if (as && row.fields.restores !== null && now.fields.restores === row.fields.restores)
    taken.restores = null;
  const document = await documentOf(ctx, tx, now);
  const isAsWritten = !isStill || body.document === JSON.stringify(savedForm(document));
  const next = isAsWritten ? document : readDocument(JSON.parse(body.document));
  const seq = await commitOfSite(ctx, tx, now, next, taken);
  // The blog shows them now.
  if (isStill) await notePictures(tx, id, []);
  const savedSeq = isStill ? seq : row.seq;
  if (!as) return updateWriting(tx, id, { savedSeq });
  const isMade = as.draft && row.namedFor !== null && !hasAddress;
  await updateWriting(tx, id, { savedSeq, begunBy: null, namedFor: isMade ? nameOf(row) : null });
  await tx.emit(writingTopic(id), { kind: "writing.saved", seq: savedSeq, draft: as.draft });
}

/** What it is called, also where nobody has named it. */
export const nameOf = ({ fields }: WritingHead): string => fields.title.trim() || untitled;

/** The document as it is stored: without the room that stands at its end while it is written. */
export const savedForm = (document: Node): NodeJson => trimmed(document.toJSON() as NodeJson);
