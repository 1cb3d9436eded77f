import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { mayReadBlog } from "./access.ts";
import { cardById, type CardRow } from "./queries.ts";

/** Cards of published blogs in this order. Whatever the viewer may not read any more since it was looked up is left out. */
export async function readableCards(connection: Connection, viewer: Asker | null, ids: string[]): Promise<CardRow[]> {
  const cards = await Promise.all(
    ids.map(async (id) => {
      const [card, readable] = await Promise.all([cardById(connection, id, viewer?.id ?? null), mayReadBlog(connection, viewer, id)]);
      return card && readable && !card.draft ? [card] : [];
    }),
  );
  return cards.flat();
}
