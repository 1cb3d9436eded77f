import type { StaffWaiting } from "../../shared/moderation.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { withAllRead, withAllSeen, withOneRead, type CachedNotifications } from "./notifications.ts";
import { patch, patchListedPerson, patchPerson } from "../live/queries/patch.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";

/** Inserts a request in the order of its date. */
const withRequest = (requests: FollowRequest[], request: FollowRequest): FollowRequest[] =>
  [request, ...withoutRequest(requests, request.id)].toSorted((one, other) =>
    one.askedAt < other.askedAt ? 1 : one.askedAt > other.askedAt ? -1 : 0,
  );

const withoutRequest = (requests: FollowRequest[], id: string): FollowRequest[] =>
  requests.some((pending) => pending.id === id) ? requests.filter((pending) => pending.id !== id) : requests;

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
    "person.changed": (known, { person }) => {
      const patched = known.notifications.map((notification) => {
        const actors = notification.actors.map((actor) => patchPerson(actor, person));
        return actors.some((actor, index) => actor !== notification.actors[index])
          ? { ...notification, actors }
          : notification;
      });
      return patched.some((notification, index) => notification !== known.notifications[index])
        ? { ...known, notifications: patched }
        : known;
    },
  },
});

interface Requests {
  requests: FollowRequest[];
}
const requestsNow = (known: Requests, requests: FollowRequest[]): Requests =>
  requests === known.requests ? known : { ...known, requests };

const requests = liveQuery<Requests>({
  topics: ({ requests: { length } }) => ["me", length > 0 && "feed"],
  on: {
    "follow.requested": (known, { request }) => requestsNow(known, withRequest(known.requests, request)),
    "follow.withdrawn": (known, { requesterId }) =>
      requestsNow(known, withoutRequest(known.requests, requesterId)),
    "person.gone": (known, { personId }) => requestsNow(known, withoutRequest(known.requests, personId)),
    "person.changed": (known, event) => {
      const patched = known.requests.map((request) => patchListedPerson(request, event));
      return patched.some((request, index) => request !== known.requests[index])
        ? { requests: patched }
        : known;
    },
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
