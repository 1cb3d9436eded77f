import type { BlogCard } from "../../shared/blogs.ts";
import { muting } from "../../shared/muting.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";

/** These cards without those of others that say a word or have a tag which the viewer has muted. */
export async function withoutMuted<Card extends BlogCard>(
  connection: Connection,
  viewer: Asker | null,
  cards: Card[],
): Promise<Card[]> {
  const mutes = muting(await mutedWordsOf(connection, viewer?.id ?? null));
  return cards.filter(
    ({ author, title, description, excerpt, tags }) =>
      author.id === viewer?.id || !mutes({ texts: [title, description, excerpt], tags }),
  );
}
