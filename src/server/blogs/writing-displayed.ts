import type { z } from "zod";
import { BlogUpdate } from "../../shared/blogs.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { WritingFields } from "../../shared/writing.ts";
import type { Transaction } from "../database/writer.ts";
import { writingTopic } from "../live/stored-events.ts";
import { blogFactsById } from "./queries.ts";
import { fieldsOfBlog, storeWritingPictures } from "./writing.ts";
import { updateWriting, writingOf, type WritingHead } from "./writing-queries.ts";

/**
 * Marks a published blog's working copy as saved if readers see all of it, for all its open pages. `document` is its text in the
 * form in which it is saved, `displayed` the blog's, both as JSON.
 */
export async function markSavedIfDisplayed(
  tx: Transaction,
  row: WritingHead,
  document: string,
  displayed: string,
): Promise<void> {
  const id = row.blogId;
  const latest = await writingOf(tx, id);
  if (latest?.seq !== row.seq || document !== displayed) return;
  // Readers see other fields only after an update.
  if (await hasOtherFields(tx, row)) return;
  await storeWritingPictures(tx, id, []);
  await updateWriting(tx, id, { savedSeq: row.seq });
  await tx.emit(writingTopic(id), { kind: "writing.saved", seq: row.seq, draft: false });
}

async function hasOtherFields(tx: Transaction, { blogId, fields }: WritingHead): Promise<boolean> {
  const blog = await blogFactsById(tx, blogId, null);
  return !blog || !sameJson(await fieldsOfBlog(tx, blog), asStored({ ...fields, restores: null }));
}

/** Returns fields as a save stores them: without a space at the end of the title, for example. */
const asStored = (fields: WritingFields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, shapes[name]?.safeParse(value).data ?? value]),
  );
const shapes: Partial<Record<string, z.ZodType>> = BlogUpdate.shape;
