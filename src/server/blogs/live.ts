import type { FeedEvent } from "../../shared/events.ts";
import type { Context } from "../context.ts";
import { feedTopic } from "../live/outbox.ts";
import { openStream } from "../live/stream.ts";

/** The feed's stream: which public blogs of public accounts came and went. Anyone may listen. */
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
    present: async (facts) => facts.map(({ seq, fact }) => ({ seq, event: fact as FeedEvent })),
  });
