import type { FeedEvent } from "../../shared/events.ts";
import type { Context } from "../context.ts";
import { feedTopic } from "../live/outbox.ts";
import { openStream } from "../live/stream.ts";
import { standingTo } from "../users/access.ts";
import { readableKinds } from "./policy.ts";

/**
 * The feed's stream: which blogs came and went. Anyone may listen; of those for followers nobody hears but their author
 * and who follows them at that moment.
 */
export const watchFeed = (ctx: Context, from: string | undefined, signal: AbortSignal | undefined) =>
  openStream<FeedEvent>({
    database: ctx.database,
    bus: ctx.bus,
    topic: feedTopic,
    rights: [],
    from,
    signal,
    streams: ctx.streams,
    mayRead: async () => true,
    isAmong: async (authorId) =>
      ctx.viewer !== null &&
      readableKinds(await standingTo(ctx.database.read, ctx.viewer, authorId)).includes("private"),
    present: async (facts) =>
      facts.map(({ seq, fact: { followersOf, ...event } }) => ({
        seq,
        event: event as FeedEvent,
        among: followersOf as string | undefined,
      })),
  });
