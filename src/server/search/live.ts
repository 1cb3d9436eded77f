import { audienceKey } from "../blogs/live.ts";
import { searchTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Source } from "../live/source.ts";

/**
 * Presents that search results may have changed: all open searches must run again. Combines changes into one event per
 * audience, with the tags of all.
 */
export const searchSource = (): Source =>
  createSource("search", searchTopic, "search", async (events, jitterMs) => {
    const grouped = Map.groupBy(events, ({ event }) => `${event.kind} ${audienceOf(event)}`);
    return [...grouped.values()].flatMap((group) => {
      const last = group.at(-1);
      if (!last) return [];
      const presented =
        last.event.kind === "search.blogs"
          ? { kind: last.event.kind, tags: tagsOf(group.map(({ event }) => event)), jitterMs }
          : { kind: last.event.kind, jitterMs };
      return [{ seq: last.seq, event: presented, audience: audienceOf(last.event) }];
    });
  });

const audienceOf = (event: StoredEvent<"search">): string | undefined =>
  "followers" in event && event.followers ? audienceKey(event) : undefined;

/** Returns all tags; null when those of one event are not known. */
function tagsOf(events: StoredEvent<"search">[]): string[] | null {
  const tags = events.map((event) => ("tags" in event ? event.tags : undefined));
  return tags.every((some) => some !== undefined) ? [...new Set(tags.flat())] : null;
}
