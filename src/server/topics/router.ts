import type { z } from "zod";
import { limits } from "../../shared/limits.ts";
import { FollowTopics, type TopicName } from "../../shared/live.ts";
import type { Context } from "../context.ts";
import { publicProcedure } from "../http/trpc.ts";
import { blockedEitherWay, limitedIds, limitedIdsVisibleTo } from "../blocks/queries.ts";
import { mutedBy } from "../blocks/mute-queries.ts";
import type { HiddenSource } from "../live/block-filter.ts";
import { blocksTopic, limitedTopic } from "../live/signals.ts";
import { userTopic } from "../live/stored-events.ts";
import { openTopicStream } from "../live/topic-stream.ts";
import { accessToTopics, isInAudience, topicsFor } from "./topics.ts";

/** Opens the stream of a page. Throws `unauthorized` where a guest follows what only members have. */
function followTopics(ctx: Context, input: z.output<typeof FollowTopics>, signal: AbortSignal | undefined) {
  const names = [...new Set(input.topics)] as TopicName[];
  return openTopicStream({
    database: ctx.database,
    bus: ctx.bus,
    dispatcher: ctx.dispatcher,
    topics: topicsFor(ctx, names),
    from: [input.since, input.lastEventId],
    viewerTopic: ctx.viewer ? userTopic(ctx.viewer.id) : undefined,
    accessTo: (stale) => accessToTopics(ctx, stale),
    isInAudience: (name, audience) => isInAudience(ctx, name, audience),
    hidden: hiddenFrom(ctx),
    signal,
    connection: ctx.connection,
    // Over HTTP the answer's length counts.
    onReplayed: (bytes) => ctx.connection && ctx.limits.takeForCost(ctx.address, { characters: bytes }),
  });
}

/** Returns how to read who is hidden from the viewer. */
function hiddenFrom(ctx: Context): HiddenSource {
  const { read } = ctx.database;
  const viewerId = ctx.viewer?.id;
  const idsFor = async (idsOf: (connection: typeof read, id: string) => Promise<string[]>) =>
    new Set(viewerId === undefined ? [] : await idsOf(read, viewerId));
  return {
    signals: [limitedTopic, ...(viewerId === undefined ? [] : [blocksTopic(viewerId)])],
    load: async () => {
      const limited = (await ctx.sharedReads.of(
        "limited accounts",
        [limitedTopic],
        async () => new Set(await limitedIds(ctx.database.latest)),
      )) as ReadonlySet<string>;
      const followed = limited.size > 0 ? await idsFor(limitedIdsVisibleTo) : limited;
      return {
        blocked: await idsFor(blockedEitherWay),
        muted: await idsFor(mutedBy),
        limited,
        visibleLimited: followed,
      };
    },
  };
}

/** Counts a call with many topics as several: the access to each topic is read, and all its events. */
async function chargeForTopics(ctx: Context, { topics }: z.output<typeof FollowTopics>): Promise<void> {
  await ctx.limits.take("read", ctx.address, Math.floor(topics.length / limits.live.topicsAPoint));
}

export const liveProcedures = {
  follow: publicProcedure.input(FollowTopics).subscription(async ({ ctx, input, signal }) => {
    await chargeForTopics(ctx, input);
    return followTopics(ctx, input, signal);
  }),
};
