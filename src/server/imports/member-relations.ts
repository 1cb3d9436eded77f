import { blockBetween, insertBlock } from "../blocks/queries.ts";
import { setMute } from "../blocks/mute-queries.ts";
import type { Services } from "../context.ts";
import { rightsTopic } from "../live/signals.ts";
import { insertFollow } from "../social/queries.ts";
import type { Member } from "./members.ts";
import { valuesIn } from "./reading/json.ts";
import { isRow, type Row } from "./reading/values.ts";
import type { Files } from "./source.ts";

/** Stores whom the members of a site's export block, mute and follow among themselves. Nobody is notified. */
export async function importRelations(
  { database }: Pick<Services, "database">,
  files: Files,
  members: readonly Member[],
): Promise<void> {
  const idsHere = new Map(members.map(({ formerId, ctx }) => [formerId, ctx.viewer.id]));
  const idHere = (person: unknown) => (isRow(person) ? idsHere.get(String(person.id)) : undefined);
  for (const { folder, formerId, ctx } of members) {
    const id = ctx.viewer.id;
    const now = Date.now();
    const others = async (file: string, otherOf: (row: Row) => unknown) => {
      const found: { row: Row; other: string }[] = [];
      for await (const { value: row } of valuesIn(files, `${folder}/${file}`, ["$.*"])) {
        const other = isRow(row) ? idHere(otherOf(row)) : undefined;
        if (isRow(row) && other !== undefined && other !== id) found.push({ row, other });
      }
      return found;
    };
    const hidden = await others("hidden.json", ({ other }) => other);
    const followed = await others("follows.json", ({ follower, followed: person, accepted }) =>
      accepted === true && isRow(follower) && follower.id === formerId ? person : undefined,
    );
    await database.write(async (tx) => {
      for (const { row, other } of hidden)
        await (row.kind === "block" ? insertBlock(tx, id, other, now) : setMute(tx, id, other, true, now));
      for (const { other } of followed) {
        if (!(await blockBetween(tx, id, other)).exists) await insertFollow(tx, id, other, now);
      }
      tx.signal(rightsTopic(id));
    });
  }
}
