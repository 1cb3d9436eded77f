import { limits } from "../../../shared/limits.ts";
import { knownValues, putRows } from "../../database/put-rows.ts";
import { media } from "../../database/schema/media.ts";
import { users } from "../../database/schema/users.ts";
import { isFull } from "../../database/errors.ts";
import { widthsOf } from "../../media/paths.ts";
import { Id } from "../../../shared/users.ts";
import { reasonOf } from "../report.ts";
import { FileProblem } from "../source.ts";
import type { Step, Tools } from "./steps.ts";
import { idOf, oneOf, text, time, type Row } from "./values.ts";

/** What a picture that was made smaller takes at most as WebP: some take more than what was uploaded. */
const most = 4 * limits.image.bytes;

/** Pictures with their files: the widest is taken as it is, the others are made of it as they were before. */
export const pictures: Step = {
  file: "media.json",
  atOnce: 8,
  ready: async (row, tools) => {
    if (!Id.safeParse(row.id).success) return null;
    if (row.file !== null) await putFiles(text(row.id), text(row.file), tools);
    return row;
  },
  put: async (tx, rows, { now }) => {
    const owners = await knownValues(
      tx,
      users.id,
      rows.map(({ owner }) => idOf(owner)),
    );
    return putRows(
      tx,
      media,
      rows.map((row) => pictureOf(row, owners, now)),
    );
  },
};

async function putFiles(id: string, name: string, { parts, files, root, tell }: Tools): Promise<void> {
  try {
    const bytes = await files.read(root + name, most);
    await parts.media.putBack(id, bytes);
  } catch (error) {
    if (isFull(error)) throw error;
    const reason = error instanceof FileProblem ? error.message : reasonOf(error);
    tell(name, `The picture couldn’t be imported: ${reason}`);
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
    // What shows it comes later; the end looks through all of them.
    unusedAt: now,
  };
}
