import type { FollowRequest } from "../../shared/social.ts";
import { changed, keptListed, keptPerson } from "../live/changed.ts";
import { kept } from "../live/kept.ts";
import type { KeptTable } from "../live/kept.ts";
import { allRead, allSeen, oneRead } from "./notifications.ts";
import type { CachedNotifications } from "./notifications.ts";
import { withRequest, withoutRequest } from "./requests.ts";

/** The list itself is asked for by whoever shows it, when nobody is reading in it. */
const notifications = kept<CachedNotifications>({
  topics: () => ["feed", "me"],
  on: {
    "notification.created": (known, { unread, unseen }) => changed(known, { unread, unseen, isOlder: true }),
    "notification.withdrawn": (known, { unread, unseen }) =>
      changed(known, { unread, unseen, isOlder: true }),
    "notification.read": (known, { unread, unseen, only }) =>
      only ? changed(oneRead(known, only), { unread, unseen }) : unread === 0 ? allRead(known) : known,
    "notification.seen": (known, { unseen }) => changed(known, { unseen }),
    "own.seen": allSeen,
    "own.read": (known, { only }) => (only ? oneRead(known, only) : allRead(known)),
    "person.changed": (known, { person }) => {
      const named = known.notifications.map((notification) => {
        const actors = notification.actors.map((actor) => keptPerson(actor, person));
        return actors.some((actor, index) => actor !== notification.actors[index])
          ? { ...notification, actors }
          : notification;
      });
      return named.some((notification, index) => notification !== known.notifications[index])
        ? { ...known, notifications: named }
        : known;
    },
  },
});

interface Requests {
  requests: FollowRequest[];
}
const requestsNow = (known: Requests, requests: FollowRequest[]): Requests =>
  requests === known.requests ? known : { ...known, requests };

const requests = kept<Requests>({
  topics: ({ requests: { length } }) => ["me", length > 0 && "feed"],
  on: {
    "follow.requested": (known, { request }) => requestsNow(known, withRequest(known.requests, request)),
    "follow.withdrawn": (known, { requesterId }) =>
      requestsNow(known, withoutRequest(known.requests, requesterId)),
    "person.gone": (known, { personId }) => requestsNow(known, withoutRequest(known.requests, personId)),
    "person.changed": (known, event) => {
      const named = known.requests.map((request) => keptListed(request, event));
      return named.some((request, index) => request !== known.requests[index]) ? { requests: named } : known;
    },
  },
});

/** How what waits for a member is kept; not in the table of every page, since guests have none. */
export const keptNotifications: KeptTable = {
  "social.notifications": notifications,
  "social.requests": requests,
};
