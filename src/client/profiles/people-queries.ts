import type { PeopleList } from "../../shared/social.ts";
import { REFETCH, liveQuery, Incomplete } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";
import { peopleHandlers } from "./profile-queries.ts";
import { registerLiveQueries } from "../live/live.ts";
import { patch } from "../live/queries/patch.ts";
import { keepToggledOff } from "../live/mutations/recent-toggles.ts";

const withoutPerson = (list: PeopleList, goneId: string): PeopleList =>
  patch(list, { people: list.people.filter(({ id }) => id !== goneId) });

/** A page of followers or followed people. A person just unfollowed there stays, to be followed again. */
const people = liveQuery<PeopleList, { list: "followers" | "following" }>({
  topics: ({ userId }) => [`profile:${userId}`, "feed", "me"],
  on: {
    ...peopleHandlers<PeopleList>(),
    "profile.listed": (list, event, { input }) =>
      event.userId === list.userId && event.list === input.list ? REFETCH : list,
    "person.gone": (list, { personId }) => {
      const remaining = withoutPerson(list, personId);
      return remaining === list ? list : new Incomplete(remaining);
    },
    accessLost: (list, _event, { topic }) => (topic === `profile:${list.userId}` ? REFETCH : list),
    "follower.removed": (list, { userId }, { input, viewerId }) =>
      list.userId === viewerId && input.list === "followers" ? withoutPerson(list, userId) : list,
  },
  merge: (shown, now, { list }) =>
    list === "following"
      ? { ...now, people: keepToggledOff(shown.people, now.people, (id) => `follow:${id}`) }
      : now,
});

export const peopleQueries: LiveQueries = { "social.people": people };

registerLiveQueries(peopleQueries);
