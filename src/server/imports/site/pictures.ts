import { limits } from "../../../shared/limits.ts";
import { existingValues, insertMissingRows } from "../../database/insert-missing-rows.ts";
import { media } from "../../database/schema/media.ts";
import { users } from "../../database/schema/profiles.ts";
import { isDiskFull } from "../../database/errors.ts";
import { widthsOf } from "../../media/paths.ts";
import { Id } from "../../../shared/users.ts";
import { errorMessage } from "../report.ts";
import { FileProblem } from "../source.ts";
import type { RestoreStep, RestoreContext } from "./steps.ts";
import { idOf, oneOf, text, time, type Row } from "./values.ts";

/** The most bytes of a resized WebP, which may exceed the original upload. */
const maxBytes = 4 * limits.image.bytes;

/** Pictures with their files: stores the widest and creates the smaller sizes from it. */
export const pictures: RestoreStep = {
  file: "media.json",
  batchSize: 8,
  prepare: async (row, tools) => {
    if (!Id.safeParse(row.id).success) return null;
    if (row.file !== null) await putFiles(text(row.id), text(row.file), tools);
    return row;
  },
  put: async (tx, rows, { now }) => {
    const owners = await existingValues(
      tx,
      users.id,
      rows.map(({ owner }) => idOf(owner)),
    );
    return insertMissingRows(
      tx,
      media,
      rows.map((row) => pictureOf(row, owners, now)),
    );
  },
};

async function putFiles(
  id: string,
  name: string,
  { services, files, root, reportProblem }: RestoreContext,
): Promise<void> {
  try {
    const bytes = await files.read(root + name, maxBytes);
    await services.media.restoreFiles(id, bytes);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = error instanceof FileProblem ? error.message : errorMessage(error);
    reportProblem(name, `The picture couldn’t be imported: ${reason}`);
  }
}

function pictureOf(row: Row, owners: ReadonlySet<string>, now: number): typeof media.$inferInsert {
  const owner = idOf(row.owner);
  const width = Number(row.width) || 0;
  return {
    id: text(row.id),
    ownerId: owner !== null && owners.has(owner) ? owner : null,
    hash: text(row.hash),
    type: oneOf(["webp", "jpeg", "png", "gif", "avif"], row.type),
    width,
    height: Number(row.height) || 0,
    bytes: Number(row.bytes) || 0,
    color: text(row.color),
    widths: widthsOf(width),
    createdAt: time(row.createdAt) ?? 0,
    // Until `examinePictures` finds its uses at the end.
    unusedAt: now,
  };
}
