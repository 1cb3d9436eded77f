import type { Node } from "prosemirror-model";
import { isPictureName } from "../../shared/document/picture-names.ts";
import type { Transaction } from "../database/writer.ts";
import { pictureIdOf } from "../media/paths.ts";
import { picturesByIds, picturesForAuthorsOf, updateUnusedSince } from "../media/queries.ts";
import { setDraftPictures } from "./queries.ts";

/** Records the existing pictures that only the draft shows. Those that its authors can see now stay visible to them. */
export async function storeDraftPictures(
  tx: Transaction,
  blogId: string,
  ids: (string | null)[],
): Promise<void> {
  const existing = await picturesByIds(tx, [...new Set(ids.filter((id) => id !== null))]);
  const existingIds = existing.map(({ id }) => id);
  const shared = new Set(await picturesForAuthorsOf(tx, blogId, existingIds));
  const before = await setDraftPictures(
    tx,
    blogId,
    existingIds.map((mediaId) => ({ mediaId, shared: shared.has(mediaId) })),
  );
  await updateUnusedSince(tx, [...before, ...existingIds], Date.now());
}

/** Returns the ids of our pictures in a text, in order. */
export function picturesIn(document: Node): string[] {
  const ids: string[] = [];
  document.descendants((node) => {
    const id = isPictureName(node.type.name) ? pictureIdOf(String(node.attrs.src)) : null;
    if (id) ids.push(id);
  });
  return ids;
}
