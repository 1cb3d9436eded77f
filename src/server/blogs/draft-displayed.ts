import { sameJson } from "../../shared/same-json.ts";
import type { Transaction } from "../database/writer.ts";
import { draftTopic } from "../live/stored-events.ts";
import { blogFactsById } from "./queries.ts";
import { fieldsAsSaved } from "./saved-form.ts";
import { fieldsOfBlog } from "./draft-content.ts";
import { storeDraftPictures } from "./draft-pictures.ts";
import { updateDraft, draftOf, type DraftHead } from "./draft-queries.ts";

/**
 * Marks a published blog's draft as saved if readers see all of it, for all its open pages. `document` is its text in the
 * form in which it is saved, `displayed` the blog's, both as JSON.
 */
export async function markSavedIfDisplayed(
  tx: Transaction,
  row: DraftHead,
  document: string,
  displayed: string,
): Promise<void> {
  const id = row.blogId;
  const latest = await draftOf(tx, id);
  if (latest?.seq !== row.seq || document !== displayed) return;
  // Readers see other fields only after an update.
  if (await hasOtherFields(tx, row)) return;
  await storeDraftPictures(tx, id, []);
  await updateDraft(tx, id, { savedSeq: row.seq });
  await tx.emit(draftTopic(id), { kind: "draft.saved", seq: row.seq, draft: false });
}

async function hasOtherFields(tx: Transaction, { blogId, fields }: DraftHead): Promise<boolean> {
  const blog = await blogFactsById(tx, blogId, null);
  return !blog || !sameJson(await fieldsOfBlog(tx, blog), fieldsAsSaved({ ...fields, restores: null }));
}
