import { audienceKey, readersOf } from "../blogs/live.ts";
import { blogFactsById } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { searchTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Source } from "../live/source.ts";

/**
 * Presents that search results may have changed: all open searches must run again. Combines changes into one event per
 * audience, with the tags of all. A blog that its audience can no longer read is not known by its tags.
 */
export const searchSource = ({ database: { read } }: Pick<Context, "database">): Source =>
  createSource("search", searchTopic, "search", async (events, jitterMs) => {
    const grouped = Map.groupBy(events, ({ event }) => `${event.kind} ${audienceOfEvent(event)}`);
    return Promise.all(
      [...grouped.values()].map(async (group) => {
        const { seq, event } = group.at(-1)!;
        const tags = await Promise.all(group.map((entry) => tagsNow(read, entry.event)));
        return {
          seq,
          event:
            event.kind === "search.blogs"
              ? { kind: event.kind, tags: allOrNull(tags), jitterMs }
              : { kind: event.kind, jitterMs },
          audience: audienceOfEvent(event),
        };
      }),
    );
  });

const audienceOfEvent = (event: StoredEvent<"search">): string | undefined =>
  "followers" in event && event.followers ? audienceKey(event) : undefined;

/** Returns the tags of a changed blog that its audience can read; undefined for others, which any list may have had. */
async function tagsNow(connection: Connection, event: StoredEvent<"search">): Promise<string[] | undefined> {
  if (event.kind !== "search.blogs" || event.blogId === undefined) return undefined;
  const readers = await readersOf(connection, await blogFactsById(connection, event.blogId, null));
  return readers === "everyone" || (readers === "followers" && event.followers) ? event.tags : undefined;
}

const allOrNull = (tags: (string[] | undefined)[]): string[] | null =>
  tags.every((some) => some !== undefined) ? [...new Set(tags.flat())] : null;
