import type { TopicsInUse } from "../../shared/feed.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { sharedRead } from "../live/signal-cache.ts";
import type { Context } from "../context.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { limitedTopic } from "../live/signals.ts";
import { mutedWordsOf } from "../blocks/mute-queries.ts";
import { offeredInterests, recommendedTopics, storedSettings } from "../site/queries.ts";
import { tagsInUse } from "./newest-public-queries.ts";

const maxTopics = 8;
const maxInterests = 20;
/** Tags that are read, for both lists. */
const maxTags = 200;

/** As people write a topic as a tag. */
const asTag = (topic: string): string => topic.replaceAll(" ", "").toLowerCase();

/** Returns the tags that most people use in recent public blogs. Shared by all viewers for a minute. */
const mostUsedTags = (ctx: Context): Promise<string[]> =>
  sharedRead(ctx, "topics in use", [feedTopic, searchTopic, limitedTopic], (connection) =>
    tagsInUse(connection, maxTags),
  );

/** Returns the most used tags, without recommended and muted ones. */
export async function topicsInUse(ctx: Context): Promise<TopicsInUse> {
  const { read } = ctx.database;
  const usedTags = await mostUsedTags(ctx);
  const recommendedTags = new Set(recommendedTopics(await storedSettings(read)).map(asTag));
  const mutes = createMuteFilter(await mutedWordsOf(read, ctx.viewer?.id ?? null));
  const tags = usedTags.filter(
    (tag) => hasTagPage(tag) && !recommendedTags.has(tag) && !mutes({ texts: [], tags: [tag] }),
  );
  return { tags: tags.slice(0, maxTopics) };
}

/** Returns the offered interests that are used most as tags; while there are few, also the first ones of each group in turn. */
export async function popularInterests(ctx: Context): Promise<{ topics: string[] }> {
  const { groups } = await offeredInterests(ctx.database.read);
  const byTag = new Map(groups.flatMap(({ topics }) => topics.map((topic) => [asTag(topic), topic])));
  const used = (await mostUsedTags(ctx)).flatMap((tag) => byTag.get(tag) ?? []);
  const inTurn = Array.from({ length: maxInterests }, (_, index) =>
    groups.flatMap(({ topics }) => topics[index] ?? []),
  ).flat();
  return { topics: [...new Set([...used, ...inTurn])].slice(0, maxInterests) };
}
