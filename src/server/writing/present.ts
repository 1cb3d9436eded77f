import type { Commit } from "../../shared/drafts.ts";
import type { Connection } from "../database/connection.ts";
import { presentPicture } from "../media/paths.ts";
import { picturesByIds } from "../media/queries.ts";
import type { CommitRow } from "./queries.ts";

/** Returns a draft's commits as its authors' pages get them, with the covers that they set. */
export async function presentCommits(connection: Connection, rows: CommitRow[]): Promise<Commit[]> {
  const ids = rows.flatMap(({ fields }) => fields.coverId ?? []);
  const pictures = new Map((await picturesByIds(connection, ids)).map((picture) => [picture.id, picture]));
  return rows.map(({ seq, authorId, client, number, steps, fields }) => ({
    seq,
    author: authorId,
    client,
    number,
    steps,
    fields,
    ...(fields.coverId === undefined
      ? {}
      : { cover: presentPicture(pictures.get(fields.coverId ?? "") ?? null) }),
  }));
}
