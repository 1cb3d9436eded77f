import { expect, test } from "vitest";
import { REFETCH } from "../../../../src/client/live/queries/live-query.ts";
import type { EventContext } from "../../../../src/client/live/queries/live-query.ts";
import type { OptimisticEvent } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import { notificationQueries } from "../../../../src/client/notifications/notification-queries.ts";
import { peopleQueries } from "../../../../src/client/profiles/people-queries.ts";
import { rememberToggle } from "../../../../src/client/live/mutations/recent-toggles.ts";
import { viewerQueries } from "../../../../src/client/session/viewer-queries.ts";
import { userQueries } from "../../../../src/client/profiles/profile-queries.ts";
import type { LiveEvent } from "../../../../src/shared/live.ts";
import type { NotificationGroup } from "../../../../src/shared/notifications.ts";
import type { PeopleList } from "../../../../src/shared/social.ts";
import type { FollowStatus, Profile, Viewer } from "../../../../src/shared/users.ts";
import { applyEvent, incompleteData } from "../../../support/live-queries.ts";

const rows = { ...viewerQueries, ...userQueries, ...peopleQueries, ...notificationQueries };

/** Applies the event handler of the query `name` to its data. */
const after = (
  name: string,
  data: unknown,
  event: LiveEvent | OptimisticEvent,
  context: Partial<EventContext<unknown>> = {},
) => applyEvent(rows[name]!, data, event, context);
/** The same, where the rest must be fetched. */
const afterIncomplete = <Data>(
  name: string,
  data: Data,
  ...rest: [LiveEvent, Partial<EventContext<unknown>>?]
) => incompleteData(after(name, data, ...rest)) as Data;

type Rest = [event: LiveEvent | OptimisticEvent, context?: Partial<EventContext<unknown>>];
const profileAfter = (...parts: [unknown, ...Rest]) => after("users.profile", ...parts);
const refetchedProfileAfter = (...parts: [Profile, LiveEvent, Rest[1]?]) =>
  afterIncomplete("users.profile", ...parts);
const notificationsAfter = (...parts: [unknown, ...Rest]) => after("social.notifications", ...parts);

const person = (id: string) => ({ id, username: id, name: id, picture: null });
const renamed = (id: string) => ({ ...person(id), name: `${id} the Great` });

const ana: Profile = {
  ...person("ana"),
  bio: "",
  private: false,
  joinedAt: "2026-01-01T00:00:00Z",
  followersCount: 1,
  followingCount: 2,
  blogsCount: 3,
  follow: "follow",
  closed: false,
  tabs: ["blogs", "liked-blogs"],
};
const closed: Profile = {
  ...ana,
  private: true,
  closed: true,
  followersCount: null,
  followingCount: null,
  blogsCount: null,
  tabs: ["blogs"],
};
const changedProfile = (changes: Partial<LiveEvent & { kind: "profile.changed" }> = {}): LiveEvent => ({
  kind: "profile.changed",
  person: person("ana"),
  bio: "",
  private: false,
  counts: { followers: 5, following: 6, blogs: 7 },
  tabs: ["blogs", "liked-blogs"],
  jitterMs: 0,
  ...changes,
});
const followed = (
  status: FollowStatus,
  kind: "viewer.follow" | "follow.settled" = "viewer.follow",
): LiveEvent => ({
  kind,
  userId: "ana",
  status,
});

test("takes a profile's counts, name and bio from its event, without a refetch", () => {
  const change = changedProfile({ person: renamed("ana"), bio: "Owls." });
  const updated = profileAfter(ana, change);
  expect(updated).toEqual({
    ...ana,
    name: "ana the Great",
    bio: "Owls.",
    followersCount: 5,
    followingCount: 6,
    blogsCount: 7,
  });
  expect(profileAfter(updated, change)).toBe(updated);
  expect(profileAfter(ana, changedProfile({ person: person("eve") }))).toBe(ana);
});

test("refetches what not everyone sees of a profile, but not for a viewer who sees nothing of it", () => {
  const nowPrivate = changedProfile({ private: true, counts: null, tabs: ["blogs"] });
  expect(refetchedProfileAfter(ana, nowPrivate)).toEqual({ ...ana, private: true });
  expect(profileAfter(closed, nowPrivate)).toBe(closed);
  refetchedProfileAfter(closed, changedProfile());
  refetchedProfileAfter(closed, changedProfile({ tabs: ["blogs"] }));
  // A list became visible or hidden.
  refetchedProfileAfter(ana, changedProfile({ tabs: ["blogs"] }));
  refetchedProfileAfter(ana, changedProfile({ tabs: ["blogs", "liked-blogs", "saved-blogs"] }));
  const ownTabs = ["blogs", "saved-blogs", "liked-blogs", "draft-blogs"] as const;
  const ownProfile: Profile = { ...ana, follow: "self", tabs: [...ownTabs] };
  expect(profileAfter(ownProfile, changedProfile({ tabs: ["blogs"] }))).toMatchObject({ followersCount: 5 });
});

test("counts a follow at once, and refetches where the viewer can read more with it", () => {
  const optimistic = { isOptimistic: true };
  for (const [context, followersCount] of [[optimistic, 2] as const, [{}, 1] as const])
    expect(refetchedProfileAfter(ana, followed("following"), context)).toMatchObject({
      follow: "following",
      followersCount,
    });
  const requested = profileAfter(closed, followed("requested"), optimistic);
  expect(requested).toEqual({ ...closed, follow: "requested" });
  const requestedProfile: Profile = { ...closed, follow: "requested" };
  expect(profileAfter(requestedProfile, followed("follow"), optimistic)).toEqual(closed);
  refetchedProfileAfter(requestedProfile, followed("following", "follow.settled"));
  expect(profileAfter(requestedProfile, followed("requested"))).toBe(requestedProfile);
});

test("refetches a profile when its account is gone or access is lost", () => {
  expect(profileAfter(ana, { kind: "person.gone", personId: "ana", jitterMs: 0 })).toBe(REFETCH);
  expect(profileAfter(ana, { kind: "person.gone", personId: "eve", jitterMs: 0 })).toBe(ana);
  expect(profileAfter(ana, { kind: "accessLost" }, { topic: "profile:ana" })).toBe(REFETCH);
  expect(profileAfter(ana, { kind: "accessLost" }, { topic: "me" })).toBe(ana);
});

test("updates the viewer's own name, settings and follower count", () => {
  const me = { ...person("me"), private: false, showFollowers: true, interests: ["owls"] } as Viewer;
  expect(afterIncomplete("users.me", me, { kind: "viewer.profileChanged", person: renamed("me") }).name).toBe(
    "me the Great",
  );
  const madePrivate: OptimisticEvent = { kind: "settings.changed", settings: { private: true } };
  const privateViewer = after("users.me", me, madePrivate);
  expect(privateViewer).toEqual({ ...me, private: true });
  expect(after("users.me", privateViewer, madePrivate)).toBe(privateViewer);
  const ownProfile: Profile = { ...ana, id: "me", follow: "self" };
  expect(profileAfter(ownProfile, madePrivate)).toMatchObject({ private: true });
  expect(profileAfter(ana, madePrivate)).toBe(ana);
  const counted = profileAfter(ownProfile, { kind: "follower.changed", followersCount: 9 });
  expect(counted).toMatchObject({ followersCount: 9 });
});

const listedPerson = (id: string, follow: FollowStatus = "follow") => ({
  ...person(id),
  bio: "",
  private: false,
  follow,
});
const list: PeopleList = {
  userId: "me",
  people: [listedPerson("ana"), listedPerson("eve")],
  page: 1,
  hasMore: false,
};
const idsOf = (found: unknown) => (found as PeopleList).people.map(({ id }) => id);

test("updates names and follow buttons in every list of people, and removes people who are gone", () => {
  for (const name of ["social.people", "users.search"]) {
    expect(after(name, list, followed("following"))).toMatchObject({
      people: [{ id: "ana", follow: "following" }, { follow: "follow" }],
    });
    expect(after(name, list, { kind: "viewer.profileChanged", person: renamed("eve") })).toMatchObject({
      people: [{ name: "ana" }, { name: "eve the Great" }],
    });
  }
  const now = { bio: "Of owls.", private: true };
  const personChanged: LiveEvent = { kind: "person.changed", person: person("ana"), ...now };
  expect(after("social.people", list, personChanged)).toMatchObject({
    people: [now, { bio: "", private: false }],
  });
  const personGone: LiveEvent = { kind: "person.gone", personId: "ana", jitterMs: 0 };
  expect(idsOf(afterIncomplete("social.people", list, personGone))).toEqual(["eve"]);
  expect(idsOf(after("users.search", list, personGone))).toEqual(["eve"]);
  expect(after("social.people", list, { kind: "person.changed", person: renamed("ana") })).toMatchObject({
    people: [{ name: "ana the Great" }, {}],
  });
});

test("repeats a search for people when its results may change, and never one without words", () => {
  const found = { people: [listedPerson("ana")], page: 1, hasMore: false, total: 1 };
  expect(after("users.search", found, { kind: "search.people", jitterMs: 0 })).toBe(REFETCH);
  expect(after("users.search", found, { kind: "search.blogs", tags: null, jitterMs: 0 })).toBe(found);
  const topics = (query: string) => userQueries["users.search"]!.topics(found, { query });
  expect(topics("ana")).toContain("search");
  expect(topics("")).toEqual([]);
});

test("refetches a list of followers when one is added, and drops a follower whom the viewer removes at once", () => {
  const profileListed = { kind: "profile.listed", userId: "me", list: "followers", jitterMs: 0 } as const;
  const followers = { input: { list: "followers" } };
  expect(after("social.people", list, profileListed, followers)).toBe(REFETCH);
  expect(after("social.people", list, profileListed, { input: { list: "following" } })).toBe(list);
  expect(after("social.people", list, { ...profileListed, userId: "eve" }, followers)).toBe(list);
  const removed: OptimisticEvent = { kind: "follower.removed", userId: "ana" };
  expect(idsOf(after("social.people", list, removed, followers))).toEqual(["eve"]);
  expect(after("social.people", { ...list, userId: "eve" }, removed, followers)).toMatchObject({
    people: list.people,
  });
});

test("keeps a person in the list whom the viewer just unfollowed here, but not one unfollowed in another tab", () => {
  const merge = rows["social.people"]!.merge as (
    current: PeopleList,
    fetched: PeopleList,
    input: object,
  ) => PeopleList;
  const fetched: PeopleList = { ...list, people: [listedPerson("ben")] };
  rememberToggle("follow:ana", false);
  expect(idsOf(merge(list, fetched, { list: "following" }))).toEqual(["ana", "ben"]);
  expect(idsOf(merge(list, fetched, { list: "followers" }))).toEqual(["ben"]);
  rememberToggle("follow:ana", true);
  expect(idsOf(merge(list, fetched, { list: "following" }))).toEqual(["ben"]);
});

const notification = (kind: NotificationGroup["kind"], target: string): NotificationGroup => ({
  id: `${kind} ${target}`,
  kind,
  target,
  actors: [person("ana")],
  actorsCount: 1,
  blog: null,
  commentId: null,
  excerpt: null,
  at: "2026-01-01T00:00:00Z",
  unread: true,
});
const notifications = {
  notifications: [notification("like", "b1"), notification("follow", "me")],
  unread: 2,
  unseen: 2,
  newest: "2026-01-01T00:00:00Z",
};

test("notifications: updates the badge, and marks the list as outdated", () => {
  const created = { kind: "notification.created", unread: 3, unseen: 3 } as const;
  expect(notificationsAfter(notifications, created)).toEqual({
    ...notifications,
    unread: 3,
    unseen: 3,
    isStale: true,
  });
  const withdrawn = { kind: "notification.withdrawn", unread: 1, unseen: 1 } as const;
  expect(notificationsAfter(notifications, withdrawn)).toMatchObject({
    notifications: notifications.notifications,
    unread: 1,
    isStale: true,
  });
  const actors = [renamed("ana")];
  expect(notificationsAfter(notifications, { kind: "person.changed", person: renamed("ana") })).toMatchObject(
    { notifications: [{ actors }, { actors }] },
  );
});

const only = { kind: "like", target: "b1" } as const;

test.each<[string, LiveEvent | OptimisticEvent, boolean]>([
  ["one, here", { kind: "notifications.read", only }, false],
  ["one, elsewhere", { kind: "notification.read", unread: 1, unseen: 1, only }, false],
  ["all, here", { kind: "notifications.read", only: null }, true],
  ["all, elsewhere", { kind: "notification.read", unread: 0, unseen: 0 }, true],
])("notifications: marks what was read from the event, without a refetch: %s", (_, event, all) => {
  const read = notificationsAfter(notifications, event);
  expect(read).toMatchObject({
    notifications: [{ unread: false }, { unread: !all }],
    unread: all ? 0 : 1,
  });
  if (all) expect(notificationsAfter(read, event)).toBe(read);
});

test("notifications: clears the badge when the list is opened, and keeps them unread", () => {
  const seen = { ...notifications, unseen: 0 };
  expect(notificationsAfter(notifications, { kind: "notifications.seen" })).toEqual(seen);
  expect(notificationsAfter(notifications, { kind: "notification.seen", unseen: 0 })).toEqual(seen);
  const newer = { kind: "notification.created", unread: 3, unseen: 1 } as const;
  expect(notificationsAfter(seen, newer)).toMatchObject({ unread: 3, unseen: 1 });
});

const request = (id: string, askedAt: string) => ({ ...person(id), bio: "", askedAt });

test("inserts a follow request once, in its place, and removes it when it is withdrawn", () => {
  const [first, second, third] = [
    request("ana", "2026-01-03"),
    request("ben", "2026-01-02"),
    request("cleo", "2026-01-01"),
  ];
  const followRequested: LiveEvent = { kind: "follow.requested", request: second, requestsCount: 3 };
  const data = { requests: [first, third] };
  const updated = after("social.requests", data, followRequested);
  expect(updated).toEqual({ requests: [first, second, third] });
  expect(after("social.requests", updated, followRequested)).toEqual(updated);
  const followWithdrawn = { kind: "follow.withdrawn", requesterId: "ben", requestsCount: 2 } as const;
  expect(after("social.requests", updated, followWithdrawn)).toEqual(data);
  expect(after("social.requests", data, followWithdrawn)).toBe(data);
  expect(after("social.requests", data, { kind: "person.gone", personId: "ana", jitterMs: 0 })).toEqual({
    requests: [third],
  });
  const changed: LiveEvent = { kind: "person.changed", person: renamed("ana"), bio: "Of owls." };
  expect(after("social.requests", data, changed)).toMatchObject({
    requests: [{ name: "ana the Great", bio: "Of owls." }, { name: "cleo" }],
  });
});
