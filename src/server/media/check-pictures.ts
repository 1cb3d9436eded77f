import { access } from "node:fs/promises";
import path from "node:path";
import type { Services } from "../context.ts";
import { deletePictures, updateUnusedSince, picturesAfter, withWrongUnusedSince } from "./queries.ts";
import { sweepPictures, type SweepResult } from "./service.ts";

const batch = 500;

export interface PictureFindings extends SweepResult {
  pictures: number;
  /** Shown somewhere, but without files: only a backup has them. */
  missing: string[];
  /** Without files, shown nowhere, and now deleted. */
  forgotten: number;
  /** With a wrong `unused_at`, now corrected. */
  noted: number;
}

/** Finds rows without files and files without rows, and repairs what it can. */
export async function examinePictures(
  { database, media }: Pick<Services, "database" | "media">,
  now: number,
): Promise<PictureFindings> {
  const found = { pictures: 0, missing: [] as string[], forgotten: 0, noted: 0 };
  for (let after = ""; ;) {
    const ids = await picturesAfter(database.read, after, batch);
    found.pictures += ids.length;
    const wrong = await withWrongUnusedSince(database.read, ids);
    if (wrong.length > 0) await database.write((tx) => updateUnusedSince(tx, wrong, now));
    found.noted += wrong.length;
    const gone: string[] = [];
    for (const id of ids) {
      const hasFile = await access(path.join(media.folderOf(id), "full.webp")).then(
        () => true,
        () => false,
      );
      if (!hasFile) gone.push(id);
    }
    if (gone.length > 0) {
      const forgotten = await database.write((tx) => deletePictures(tx, gone, Number.MAX_SAFE_INTEGER));
      // Excludes pictures deleted meanwhile.
      const left = new Set(await picturesAfter(database.read, after, batch));
      found.forgotten += forgotten.length;
      found.missing.push(...gone.filter((id) => left.has(id)));
    }
    if (ids.length < batch) break;
    after = ids.at(-1) ?? "";
  }
  return { ...found, ...(await sweepPictures({ database, media }, now)) };
}
