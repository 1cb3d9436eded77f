import type { LiveEvent } from "../../shared/live.ts";
import type { ProfileTab } from "../../shared/routes.ts";
import type { PeopleSearch } from "../../shared/search.ts";
import type { FollowStatus, Person, Profile } from "../../shared/users.ts";
import { changed, keptListed, keptPerson } from "../live/changed.ts";
import { ask, askAgain, kept, Lacking } from "../live/kept.ts";
import type { Kept, KeptTable } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";

interface People {
  people: readonly (Person & { follow: FollowStatus })[];
}

/** What every list of people makes of what is told about them. */
export const ofPeople = <L extends People>() => {
  const each =
    <Event extends LiveEvent>(change: (event: Event, person: L["people"][number]) => L["people"][number]) =>
    (list: L, event: Event): L => {
      const people = list.people.map((person) => change(event, person));
      return people.some((person, index) => person !== list.people[index]) ? { ...list, people } : list;
    };
  const followed = each((event: LiveEvent & { kind: "viewer.follow" | "follow.settled" }, person) =>
    person.id === event.userId
      ? changed<Person & { follow: FollowStatus }>(person, { follow: event.status })
      : person,
  );
  const named = each((event: LiveEvent & { kind: "viewer.profileChanged" | "person.changed" }, person) =>
    keptListed(person, event),
  );
  return {
    "viewer.follow": followed,
    "follow.settled": followed,
    "viewer.profileChanged": named,
    "person.changed": named,
  } satisfies Kept<L>["on"] as Kept<L>["on"];
};

type Followed = LiveEvent & { kind: "viewer.follow" | "follow.settled" };

/** What one reads and counts of a private account comes and goes with following it. */
function withFollow(profile: Profile, { userId, status }: Followed, { own }: { own: boolean }) {
  if (userId !== profile.id || status === profile.follow) return profile;
  const moved = Number(status === "following") - Number(profile.follow === "following");
  const { followersCount } = profile;
  const now = {
    ...profile,
    follow: status,
    followersCount: own && followersCount !== null ? followersCount + moved : followersCount,
  };
  // Whoever follows has a tab more, of a public account, too.
  return moved === 0 ? now : new Lacking(now);
}

/** Whether the lists that everybody has are the profile's, beside those of followers. */
function hasTabs({ tabs }: Profile, open: readonly ProfileTab[]): boolean {
  const others = tabs.filter((tab) => tab !== "private-blogs");
  return others.length === open.length && others.every((tab) => open.includes(tab));
}

const profile = kept<Profile>({
  topics: ({ id }) => [`profile:${id}`, "feed", "me"],
  on: {
    "profile.changed": (known, { person, bio, private: isPrivate, counts, tabs }) => {
      if (person.id !== known.id) return known;
      const now = changed(known, {
        ...person,
        bio,
        private: isPrivate,
        ...(counts && {
          followersCount: counts.followers,
          followingCount: counts.following,
          blogsCount: counts.blogs,
        }),
      });
      // What not everybody sees is asked for by whoever sees some of it.
      const isShut = known.closed && isPrivate;
      const isTold = counts !== null && !known.closed && (known.follow === "self" || hasTabs(known, tabs));
      return isTold || isShut ? now : new Lacking(now);
    },
    "person.changed": (known, { person }) => keptPerson(known, person),
    "person.gone": (known, { personId }) => (personId === known.id ? ask : known),
    accessLost: (known, _event, { topic }) => (topic === `profile:${known.id}` ? ask : known),
    "viewer.profileChanged": (known, { person }) =>
      person.id === known.id ? new Lacking(keptPerson(known, person)) : known,
    "own.settings": (known, { settings }) =>
      known.follow === "self" && settings.private !== undefined
        ? changed(known, { private: settings.private })
        : known,
    "viewer.follow": withFollow,
    "follow.settled": withFollow,
    "follower.changed": (known, { followersCount }) =>
      known.follow === "self" ? changed(known, { followersCount }) : known,
  },
});

/** Who is found by which words only the server knows. Without words nobody is. */
const search = kept<PeopleSearch, { query?: string }>({
  topics: (_, { query }) => (query ? ["feed", "search", "me"] : []),
  on: {
    ...ofPeople<PeopleSearch>(),
    "search.people": askAgain,
    "person.gone": (list, { personId }) => {
      const people = list.people.filter(({ id }) => id !== personId);
      return people.length === list.people.length ? list : { ...list, people };
    },
  },
});

/** How people are kept. */
export const keptUsers: KeptTable = {
  "users.profile": profile,
  "users.search": search,
};

keepAlso(keptUsers);
