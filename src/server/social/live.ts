import type { UserEvent } from "../../shared/events.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic, type StoredFact } from "../live/outbox.ts";
import { openStream } from "../live/stream.ts";
import { countUnread } from "../notices/queries.ts";
import { presentPerson } from "../users/present.ts";
import { userById } from "../users/queries.ts";
import { presentRequest } from "./present.ts";
import { countRequests, requestBy } from "./queries.ts";

/** A person's own stream: what happens to them, and what they do in other tabs. The socket closes when the session ends. */
export const watchUser = (ctx: MemberContext, from: string | undefined, signal: AbortSignal | undefined) =>
  openStream<UserEvent>({
    database: ctx.database,
    bus: ctx.bus,
    topic: userTopic(ctx.viewer.id),
    rights: [],
    from,
    signal,
    streams: ctx.streams,
    mayRead: async () => (await userById(ctx.database.read, ctx.viewer.id)) !== undefined,
    present: async (facts) =>
      Promise.all(
        facts.map(async ({ seq, fact }) => ({
          seq,
          event: await present(ctx.database.read, ctx.viewer.id, fact),
        })),
      ),
  });

async function present(
  connection: Connection,
  userId: string,
  fact: StoredFact["fact"],
): Promise<UserEvent | null> {
  switch (fact.kind) {
    case "follow.requested": {
      const request = await requestBy(connection, userId, String(fact.requesterId));
      return request
        ? {
            kind: fact.kind,
            request: presentRequest(request),
            requestsCount: await countRequests(connection, userId),
          }
        : null;
    }
    case "follow.withdrawn":
      return {
        kind: fact.kind,
        requesterId: String(fact.requesterId),
        requestsCount: await countRequests(connection, userId),
      };
    case "follower.changed": {
      const user = await userById(connection, userId);
      return user ? { kind: fact.kind, followersCount: user.followersCount } : null;
    }
    case "notification.created":
    case "notification.read":
    case "notification.withdrawn":
      return { kind: fact.kind, unread: await countUnread(connection, userId) };
    case "profile.changed": {
      const user = await userById(connection, userId);
      return user ? { kind: fact.kind, person: presentPerson(user) } : null;
    }
    default:
      return fact as UserEvent;
  }
}
