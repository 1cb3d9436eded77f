import { access } from "node:fs/promises";
import path from "node:path";
import type { Parts } from "../context.ts";
import { deletePictures, noteUse, picturesAfter, wronglyNoted } from "./queries.ts";
import { sweepPictures, type Swept } from "./service.ts";

const batch = 500;

export interface PictureFindings extends Swept {
  /** Rows that there are. */
  pictures: number;
  /** Shown somewhere, and without their files: only a backup has them. */
  missing: string[];
  /** Without files, shown nowhere, and gone now. */
  forgotten: number;
  /** Of which it was not right whether something shows them; it is now. */
  noted: number;
}

/** Looks at pictures both ways, rows whose files are gone and files that no row tells of, and mends what can be mended. */
export async function examinePictures(
  { database, media }: Pick<Parts, "database" | "media">,
  now: number,
): Promise<PictureFindings> {
  const found = { pictures: 0, missing: [] as string[], forgotten: 0, noted: 0 };
  for (let after = ""; ;) {
    const ids = await picturesAfter(database.read, after, batch);
    found.pictures += ids.length;
    const wrong = await wronglyNoted(database.read, ids);
    if (wrong.length > 0) await database.write((tx) => noteUse(tx, wrong, now));
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
      // A picture that was deleted while we looked is none.
      const left = new Set(await picturesAfter(database.read, after, batch));
      found.forgotten += forgotten.length;
      found.missing.push(...gone.filter((id) => left.has(id)));
    }
    if (ids.length < batch) break;
    after = ids.at(-1) ?? "";
  }
  return { ...found, ...(await sweepPictures({ database, media }, now)) };
}
