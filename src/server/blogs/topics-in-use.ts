import type { TopicsInUse } from "../../shared/feed.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { createMuteFilter } from "../../shared/mute-filter.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { sharedRead } from "../live/shared-reads.ts";
import type { Context } from "../context.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { limitedTopic } from "../live/signals.ts";
import { mutedWordsOf } from "../blocks/mute-queries.ts";
import { recommendedTopics, storedSettings } from "../site/queries.ts";
import { tagsInUse } from "./newest-public-queries.ts";

const maxTopics = 8;

/** As people write a topic as a tag. */
const asTag = (topic: string): string => topic.replaceAll(" ", "").toLowerCase();

/**
 * Returns the tags that most people use in recent public blogs, without recommended and muted ones. Shared by all viewers for a
 * minute.
 */
export async function topicsInUse(ctx: Context): Promise<TopicsInUse> {
  const { read } = ctx.database;
  const topics = [feedTopic, searchTopic, limitedTopic];
  const usedTags = await sharedRead(ctx, "topics in use", topics, () =>
    tagsInUse(read, 3 * maxTopics + staffLimits.topics),
  );
  const recommendedTags = new Set(recommendedTopics(await storedSettings(read)).map(asTag));
  const mutes = createMuteFilter(await mutedWordsOf(read, ctx.viewer?.id ?? null));
  const tags = usedTags.filter(
    (tag) => hasTagPage(tag) && !recommendedTags.has(tag) && !mutes({ texts: [], tags: [tag] }),
  );
  return { tags: tags.slice(0, maxTopics) };
}
