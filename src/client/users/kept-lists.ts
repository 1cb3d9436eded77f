import type { PeopleList } from "../../shared/social.ts";
import { ask, kept, Lacking } from "../live/kept.ts";
import type { KeptTable } from "../live/kept.ts";
import { ofPeople } from "./kept.ts";
import { keepAlso } from "../live/live.ts";
import { withTurned } from "../live/turned-here.ts";

const withoutPerson = (list: PeopleList, gone: string): PeopleList =>
  list.people.some(({ id }) => id === gone)
    ? { ...list, people: list.people.filter(({ id }) => id !== gone) }
    : list;

/** A page of followers or followed people. Whom one has just unfollowed there stays, to be followed again. */
const people = kept<PeopleList, { list: "followers" | "following" }>({
  topics: ({ userId }) => [`profile:${userId}`, "feed", "me"],
  on: {
    ...ofPeople<PeopleList>(),
    "profile.listed": (list, event, { input }) =>
      event.userId === list.userId && event.list === input.list ? ask : list,
    "person.gone": (list, { personId }) => {
      const left = withoutPerson(list, personId);
      return left === list ? list : new Lacking(left);
    },
    accessLost: (list, _event, { topic }) => (topic === `profile:${list.userId}` ? ask : list),
    "own.remove": (list, { userId }, { input, me }) =>
      list.userId === me && input.list === "followers" ? withoutPerson(list, userId) : list,
  },
  merge: (shown, now, { list }) =>
    list === "following"
      ? { ...now, people: withTurned(shown.people, now.people, (id) => `follow:${id}`) }
      : now,
});

/** How lists of people are kept. */
export const keptLists: KeptTable = { "social.people": people };

keepAlso(keptLists);
