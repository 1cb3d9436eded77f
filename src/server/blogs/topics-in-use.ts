import type { TopicsInUse } from "../../shared/feed.ts";
import { recommendedTags } from "../../shared/interests.ts";
import { muting } from "../../shared/muting.ts";
import { sharedRead } from "../live/shared-reads.ts";
import type { Context } from "../context.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { limitedTopic } from "../live/signals.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { tagsInUse } from "./showcase-queries.ts";

const most = 8;

/**
 * The tags that most people use lately in what everybody may read, without those that are recommended anyway, and those that the
 * viewer has muted. Found once for all, and anew when something comes, goes or is tagged otherwise, after a minute in any case.
 */
export async function topicsInUse(ctx: Context): Promise<TopicsInUse> {
  const { read } = ctx.database;
  const topics = [feedTopic, searchTopic, limitedTopic];
  const found = await sharedRead(ctx, "topics in use", topics, () =>
    tagsInUse(read, 3 * most + recommendedTags.length),
  );
  const mutes = muting(await mutedWordsOf(read, ctx.viewer?.id ?? null));
  const tags = found.filter((tag) => !recommendedTags.includes(tag) && !mutes({ texts: [], tags: [tag] }));
  return { tags: tags.slice(0, most) };
}
