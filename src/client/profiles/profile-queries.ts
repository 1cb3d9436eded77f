import type { LiveEvent } from "../../shared/live.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { PeopleSearch } from "../../shared/search.ts";
import type { FollowStatus, Person, Profile } from "../../shared/users.ts";
import { patch, patchListedPerson, patchPerson } from "../live/queries/patch.ts";
import { REFETCH, refetch, liveQuery, Incomplete } from "../live/queries/live-query.ts";
import type { LiveQuery, LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

interface ListOfPeople {
  people: readonly (Person & { follow: FollowStatus })[];
}

/** Handlers that every list of people has. */
export const peopleHandlers = <L extends ListOfPeople>() => {
  const onPerson =
    <Event extends LiveEvent>(change: (event: Event, person: L["people"][number]) => L["people"][number]) =>
    (list: L, event: Event): L =>
      patch<ListOfPeople>(list, { people: list.people.map((person) => change(event, person)) }) as L;
  const followed = onPerson((event: LiveEvent & { kind: "viewer.follow" | "follow.settled" }, person) =>
    person.id === event.userId
      ? patch<Person & { follow: FollowStatus }>(person, { follow: event.status })
      : person,
  );
  const patchProfile = onPerson(
    (event: LiveEvent & { kind: "viewer.profileChanged" | "person.changed" }, person) =>
      patchListedPerson(person, event),
  );
  return {
    "viewer.follow": followed,
    "follow.settled": followed,
    "viewer.profileChanged": patchProfile,
    "person.changed": patchProfile,
  } satisfies LiveQuery<L>["on"] as LiveQuery<L>["on"];
};

type Followed = LiveEvent & { kind: "viewer.follow" | "follow.settled" };

/** Following a private account shows or hides its blogs and counts. */
function withFollow(
  profile: Profile,
  { userId, status }: Followed,
  { isOptimistic }: { isOptimistic: boolean },
) {
  if (userId !== profile.id || status === profile.follow) return profile;
  const delta = Number(status === "following") - Number(profile.follow === "following");
  const { followersCount } = profile;
  const now = {
    ...profile,
    follow: status,
    followersCount: isOptimistic && followersCount !== null ? followersCount + delta : followersCount,
  };
  // A follower has one more tab, also of a public account.
  return delta === 0 ? now : new Incomplete(now);
}

/** Whether the profile shows these public tabs, apart from those for followers. */
function hasTabs({ tabs }: Profile, publicTabs: readonly ProfileTab[]): boolean {
  const visibleTabs = tabs.filter((tab) => tab !== "private-blogs");
  return visibleTabs.length === publicTabs.length && visibleTabs.every((tab) => publicTabs.includes(tab));
}

const profile = liveQuery<Profile>({
  topics: ({ id }) => [`profile:${id}`, "feed", "me"],
  on: {
    "profile.changed": (known, { person, bio, private: isPrivate, counts, tabs }) => {
      if (person.id !== known.id) return known;
      const now = patch(known, {
        ...person,
        bio,
        private: isPrivate,
        ...(counts && {
          followersCount: counts.followers,
          followingCount: counts.following,
          blogsCount: counts.blogs,
        }),
      });
      // What only some may see is in no event: those who see some of it fetch.
      const isClosed = known.closed && isPrivate;
      const isComplete =
        counts !== null && !known.closed && (known.follow === "self" || hasTabs(known, tabs));
      return isComplete || isClosed ? now : new Incomplete(now);
    },
    "person.changed": (known, { person }) => patchPerson(known, person),
    "person.gone": (known, { personId }) => (personId === known.id ? REFETCH : known),
    accessLost: (known, _event, { topic }) => (topic === `profile:${known.id}` ? REFETCH : known),
    "viewer.profileChanged": (known, { person }) =>
      person.id === known.id ? new Incomplete(patchPerson(known, person)) : known,
    "settings.changed": (known, { settings }) =>
      known.follow === "self" && settings.private !== undefined
        ? patch(known, { private: settings.private })
        : known,
    "viewer.follow": withFollow,
    "follow.settled": withFollow,
    "follower.changed": (known, { followersCount }) =>
      known.follow === "self" ? patch(known, { followersCount }) : known,
  },
});

/** Only the server knows which words find whom. Without words there is no result. */
const search = liveQuery<PeopleSearch, { query?: string }>({
  topics: (_, { query }) => (query ? ["feed", "search", "me"] : []),
  on: {
    ...peopleHandlers<PeopleSearch>(),
    "search.people": refetch,
    "person.gone": (list, { personId }) =>
      patch(list, { people: list.people.filter(({ id }) => id !== personId) }),
  },
});

export const userQueries: LiveQueries = {
  "users.profile": profile,
  "users.search": search,
};

registerLiveQueries(userQueries);
