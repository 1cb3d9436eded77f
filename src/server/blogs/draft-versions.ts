import type { Node } from "prosemirror-model";
import { countWords, documentToText } from "../../shared/document/to-text.ts";
import type { VersionReason } from "../../shared/versions.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import { pictureById, picturesForAuthorsOf } from "../media/queries.ts";
import type { BlogFacts } from "./queries.ts";
import { isContentOfBlog, newestWithContent, type VersionContent } from "./version-content-queries.ts";
import { setReason } from "./version-queries.ts";
import {
  insertInitialVersion,
  insertVersionOfDraft,
  publishHistoryChange,
  recordAutosavedState,
} from "./versions.ts";
import { fieldsAsSaved, nameOf, savedForm } from "./saved-form.ts";
import { picturesIn } from "./draft-pictures.ts";
import { lastCommitAuthor, type DraftHead } from "./draft-queries.ts";

/** Whether a draft may differ from what readers of its blog see. Live writing saves it, and its versions, itself. */
export const hasUnpublishedChanges = ({ draft, liveSince, seq, savedSeq }: DraftHead): boolean =>
  !draft && liveSince === null && seq !== savedSeq;

/**
 * Stores a draft as a version, unless the blog or the newest version says the same. Names its last writer, or `by`.
 */
export async function recordDraft(
  tx: Transaction,
  blog: BlogFacts,
  row: DraftHead,
  document: Node,
  { why, at, by }: { why: VersionReason; at: number; by?: string },
): Promise<void> {
  const content = await contentOf(tx, row, document);
  if (await isContentOfBlog(tx, blog.id, content)) {
    if (await recordAutosavedState(tx, blog)) await publishHistoryChange(tx, blog);
    return;
  }
  await insertInitialVersion(tx, blog, Date.now());
  const newest = await newestWithContent(tx, blog.id, content);
  if (newest && (why !== "discarded" || newest.why !== "unpublished")) return;
  if (newest) await setReason(tx, newest.id, { why });
  else {
    const author = by ?? (await lastCommitAuthor(tx, blog.id, row.seq)) ?? blog.authorId;
    const words = countWords(documentToText(savedForm(document)));
    // In the history, all authors see a picture: not one that they could not see before.
    const pictureIds = await picturesForAuthorsOf(tx, blog.id, [...new Set(picturesIn(document))]);
    await insertVersionOfDraft(tx, blog.id, { by: author, why, at }, { ...content, words }, pictureIds);
  }
  await publishHistoryChange(tx, blog);
}

/** Returns what a save would store, as far as it is valid. */
async function contentOf(connection: Connection, row: DraftHead, document: Node): Promise<VersionContent> {
  const { description, tags, coverId, coverFocus } = row.fields;
  const hasCover = coverId !== null && (await pictureById(connection, coverId)) !== undefined;
  return {
    ...fieldsAsSaved({ title: nameOf(row), description, tags }),
    ...(hasCover ? { coverId, coverFocus } : { coverId: null, coverFocus: null }),
    document: JSON.stringify(savedForm(document)),
  };
}
