import type { OwnEvent, StreamEvent } from "../../shared/live.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic, type Fact } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";
import { countUnread, countUnseen } from "../notifications/queries.ts";
import { presentPerson } from "../users/present.ts";
import { userById } from "../users/queries.ts";
import { presentRequest } from "./present.ts";
import { countRequests, requestBy } from "./queries.ts";

/** What happens to a person, and what they do in other tabs. */
export const ownSource = (connection: Connection, userId: string): Source =>
  asSource("user", userTopic(userId), "me", async (facts) =>
    Promise.all(
      facts.map(async ({ seq, fact }) => ({
        seq,
        event: await present(connection, userId, fact),
        hiddenIfBlocked: [
          ...("requesterId" in fact ? [{ person: fact.requesterId }] : []),
          ...("userId" in fact ? [{ person: fact.userId }] : []),
        ],
      })),
    ),
  );

async function present(
  connection: Connection,
  userId: string,
  fact: Fact<"user">,
): Promise<OwnEvent | StreamEvent | null> {
  switch (fact.kind) {
    // Nobody learns whose block it is: pages refetch everything, as after any lost connection.
    case "own.walls":
      return { kind: "reset", spread: 0 };
    case "follow.requested": {
      const request = await requestBy(connection, userId, fact.requesterId);
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
        requesterId: fact.requesterId,
        requestsCount: await countRequests(connection, userId),
      };
    case "follower.changed": {
      const user = await userById(connection, userId);
      return user ? { kind: fact.kind, followersCount: user.followersCount } : null;
    }
    case "notification.created":
    case "notification.withdrawn":
      return { kind: fact.kind, ...(await countNotifications(connection, userId)) };
    case "notification.read":
      return { ...fact, ...(await countNotifications(connection, userId)) };
    case "notification.seen":
      return { kind: fact.kind, unseen: await countUnseen(connection, userId) };
    case "own.profile": {
      const user = await userById(connection, userId);
      return user ? { kind: fact.kind, person: presentPerson(user) } : null;
    }
    default:
      return fact;
  }
}

const countNotifications = async (connection: Connection, userId: string) => ({
  unread: await countUnread(connection, userId),
  unseen: await countUnseen(connection, userId),
});
