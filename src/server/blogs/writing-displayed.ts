import { sameJson } from "../../shared/same-json.ts";
import type { Transaction } from "../database/writer.ts";
import { writingTopic } from "../live/stored-events.ts";
import { blogFactsById } from "./queries.ts";
import { fieldsAsSaved } from "./saved-form.ts";
import { fieldsOfBlog } from "./writing-content.ts";
import { storeWritingPictures } from "./writing-pictures.ts";
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
  return !blog || !sameJson(await fieldsOfBlog(tx, blog), fieldsAsSaved({ ...fields, restores: null }));
}
