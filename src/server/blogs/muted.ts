import type { BlogCard } from "../../shared/blogs.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../blocks/mute-queries.ts";

/** Removes cards of others with words or tags that the viewer muted. */
export async function withoutMuted<Card extends BlogCard>(
  connection: Connection,
  viewer: RequestViewer | null,
  cards: Card[],
): Promise<Card[]> {
  const mutes = createMuteFilter(await mutedWordsOf(connection, viewer?.id ?? null));
  return cards.filter(
    ({ author, title, description, excerpt, tags }) =>
      author.id === viewer?.id || !mutes({ texts: [title, description, excerpt], tags }),
  );
}
