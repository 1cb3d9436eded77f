import type { Services } from "../context.ts";
import { deletePictures, updateUnusedSince, picturesAfter, withWrongUnusedSince } from "./queries.ts";
import { sweepPictures, type SweepResult } from "./service.ts";

const batchSize = 500;

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
  const findings = { pictures: 0, missing: [] as string[], forgotten: 0, noted: 0 };
  const hasFiles = await media.finder();
  for (let after = ""; ;) {
    const ids = await picturesAfter(database.read, after, batchSize);
    findings.pictures += ids.length;
    const outdated = await withWrongUnusedSince(database.read, ids);
    if (outdated.length > 0) await database.write((tx) => updateUnusedSince(tx, outdated, now));
    findings.noted += outdated.length;
    const withoutFiles: string[] = [];
    for (const id of ids) {
      if (!(await hasFiles(id))) withoutFiles.push(id);
    }
    if (withoutFiles.length > 0) {
      const deleted = await database.write((tx) => deletePictures(tx, withoutFiles, Number.MAX_SAFE_INTEGER));
      // Excludes pictures deleted meanwhile.
      const remaining = new Set(await picturesAfter(database.read, after, batchSize));
      findings.forgotten += deleted.length;
      findings.missing.push(...withoutFiles.filter((id) => remaining.has(id)));
    }
    if (ids.length < batchSize) break;
    after = ids.at(-1) ?? "";
  }
  return { ...findings, ...(await sweepPictures({ database, media }, now)) };
}
