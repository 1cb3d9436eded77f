import type { StaffWaiting } from "../../shared/moderation.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { withAllRead, withAllSeen, withOneRead, type CachedNotifications } from "./notifications.ts";
import { patch, patchListedPerson, patchPerson } from "../live/queries/patch.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";

/** New entries are only counted: the list fetches them when nobody is reading in it. */
const notifications = liveQuery<CachedNotifications>({
  topics: () => ["feed", "me"],
  on: {
    "notification.created": (known, { unread, unseen }) => patch(known, { unread, unseen, isStale: true }),
    "notification.withdrawn": (known, { unread, unseen }) => patch(known, { unread, unseen, isStale: true }),
    "notification.read": (known, { unread, unseen, only }) =>
      only ? patch(withOneRead(known, only), { unread, unseen }) : unread === 0 ? withAllRead(known) : known,
    "notification.seen": (known, { unseen }) => patch(known, { unseen }),
    "notifications.seen": withAllSeen,
    "notifications.read": (known, { only }) => (only ? withOneRead(known, only) : withAllRead(known)),
    "person.changed": (known, { person }) =>
      patch(known, {
        notifications: known.notifications.map((one) =>
          patch(one, { actors: one.actors.map((actor) => patchPerson(actor, person)) }),
        ),
      }),
  },
});

interface Requests {
  requests: FollowRequest[];
}
const withoutRequest = (known: Requests, id: string): Requests =>
  patch(known, { requests: known.requests.filter((request) => request.id !== id) });

const requests = liveQuery<Requests>({
  topics: ({ requests: { length } }) => ["me", length > 0 && "feed"],
  on: {
    // In the order of their dates.
    "follow.requested": (known, { request }) =>
      patch(known, {
        requests: [request, ...withoutRequest(known, request.id).requests].toSorted((one, other) =>
          other.askedAt.localeCompare(one.askedAt),
        ),
      }),
    "follow.withdrawn": (known, { requesterId }) => withoutRequest(known, requesterId),
    "person.gone": (known, { personId }) => withoutRequest(known, personId),
    "person.changed": (known, event) =>
      patch(known, { requests: known.requests.map((request) => patchListedPerson(request, event)) }),
  },
});

/** What waits for moderators, for badges. */
const waiting = liveQuery<StaffWaiting>({
  topics: () => ["me"],
  on: { "viewer.reportsChanged": (known, event) => patch(known, event.waiting) },
});

/** Live queries of members, which no guest loads. */
export const notificationQueries: LiveQueries = {
  "social.notifications": notifications,
  "social.requests": requests,
  "moderation.waiting": waiting,
};
