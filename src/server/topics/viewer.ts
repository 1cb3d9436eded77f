import type { ViewerEvent, StreamEvent } from "../../shared/live.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic, type StoredEvent } from "../live/stored-events.ts";
import { appealOf } from "../moderation/appeal-queries.ts";
import { createSource, type Source } from "../live/source.ts";
import { countUnread, countUnseen } from "../notifications/queries.ts";
import { presentPerson } from "../profiles/present.ts";
import { isStaff, waitingForStaff } from "../moderation/staff-queries.ts";
import { userById } from "../profiles/queries.ts";
import { presentRequest } from "../follows/present.ts";
import { countRequests, requestBy } from "../follows/queries.ts";

/** Presents a person's events, including those from other tabs. */
export const viewerSource = (connection: Connection, userId: string): Source =>
  createSource("user", userTopic(userId), "me", async (events) =>
    Promise.all(
      events.map(async ({ seq, event }) => ({
        seq,
        event: await present(connection, userId, event),
        hiddenIfBlocked: [
          ...("requesterId" in event ? [{ person: event.requesterId }] : []),
          ...("userId" in event ? [{ person: event.userId }] : []),
        ],
      })),
    ),
  );

async function present(
  connection: Connection,
  userId: string,
  event: StoredEvent<"user">,
): Promise<ViewerEvent | StreamEvent | null> {
  switch (event.kind) {
    // Nameless, so that it does not reveal whose block it is: pages refetch everything.
    case "viewer.blocksChanged":
      return { kind: "reset", jitterMs: 0 };
    case "follow.requested": {
      const request = await requestBy(connection, userId, event.requesterId);
      return request
        ? {
            kind: event.kind,
            request: presentRequest(request),
            requestsCount: await countRequests(connection, userId),
          }
        : null;
    }
    case "follow.withdrawn":
      return {
        kind: event.kind,
        requesterId: event.requesterId,
        requestsCount: await countRequests(connection, userId),
      };
    case "follower.changed": {
      const user = await userById(connection, userId);
      return user ? { kind: event.kind, followersCount: user.followersCount } : null;
    }
    case "notification.created":
    case "notification.withdrawn":
      return { kind: event.kind, ...(await countNotifications(connection, userId)) };
    case "notification.read":
      return { ...event, ...(await countNotifications(connection, userId)) };
    case "notification.seen":
      return { kind: event.kind, unseen: await countUnseen(connection, userId) };
    case "viewer.appealChanged":
      return { ...event, appeal: await appealOf(connection, event.blogId) };
    case "viewer.reportsChanged":
      // Read now: a role that was lost hears nothing more.
      return (await isStaff(connection, userId))
        ? { kind: event.kind, waiting: await waitingForStaff(connection) }
        : null;
    case "viewer.profileChanged": {
      const user = await userById(connection, userId);
      return user ? { kind: event.kind, person: presentPerson(user) } : null;
    }
    default:
      return event;
  }
}

const countNotifications = async (connection: Connection, userId: string) => ({
  unread: await countUnread(connection, userId),
  unseen: await countUnseen(connection, userId),
});
