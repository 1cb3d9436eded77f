import { expect } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { changeRun, insertRun, runsOf } from "../../../src/server/imports/queries.ts";
import { userTopic } from "../../../src/server/live/stored-events.ts";
import type { Picture } from "../../../src/shared/blogs.ts";
import { followersHidden, peoplePrivate } from "../../../src/shared/private-list-messages.ts";
import { upload } from "../pictures.ts";
import { followTopics, until } from "../test-site.ts";
import {
  Refused,
  type Person,
  type Author,
  testSite,
  reader,
  people,
  blogs,
  authorOf,
  type Outcome,
  rest,
  open,
  shows,
  has,
  canFetchPicture,
  reports,
} from "./setup.ts";

/** Calls a toggle twice, and returns whether it changed its flag and changed it back. */
export async function toggleTwice(toggle: () => Promise<Record<string, unknown>>, flag: string): Outcome {
  const [first, second] = [await toggle(), await toggle()];
  return first[flag] === !second[flag];
}

const followed = { following: "w", requested: "a", follow: "n", self: "n" } as const;

/** Follows an account, restores the state before, and returns the outcome as a letter. */
async function tryToFollow(who: Person, author: Author, act: () => Promise<keyof typeof followed>): Outcome {
  const before = (await who.api.users.profile.query({ username: author.username })).follow;
  const status = await act();
  const isWanted = before === "following" || before === "requested";
  if (!isWanted) await who.api.social.follow.mutate({ userId: author.id, follow: false });
  return followed[status];
}

/** Accepts the asker's request as `act` does; where that worked, removes the asker, who then asks again. */
async function answerRequest(author: Author, act: (requesterId: string) => Promise<unknown>): Outcome {
  const asker = people.private[2] as Author;
  await act(asker.id);
  await author.api.social.removeFollower.mutate({ userId: asker.id });
  await asker.api.social.follow.mutate({ userId: author.id, follow: true });
  return true;
}

async function withFollowersHidden<T>(author: Author, act: () => Promise<T>): Promise<T> {
  await author.api.users.updateSettings.mutate({ showFollowers: false });
  try {
    return await act();
  } finally {
    await author.api.users.updateSettings.mutate({ showFollowers: true });
  }
}

const pictures = new Map<string, Promise<Picture>>();
/** Returns one picture per author and use, since an upload costs more than all requests for it. */
function pictureOf({ id, browser }: Author, use: "shown" | "in a form"): Promise<Picture> {
  const key = `${id} ${use}`;
  const known = pictures.get(key) ?? upload(browser);
  pictures.set(key, known);
  return known;
}

const profileOf = async (who: Person, author: Author) =>
  (await rest(who, "GET", `/users/${author.username}`)).user;
const theFollower = () => people.public[3] as Author;
const theAsker = () => people.public[2] as Author;

async function peoplePage(who: Person, path: string, name: string): Outcome {
  const page = await open(who, path);
  if ("to" in page) return "u";
  if ([followersHidden, peoplePrivate].some((said) => page.html.includes(said))) {
    expect(page.html).not.toContain(name);
    return "f";
  }
  return page.html.includes(name);
}

/** Inserts an import in this state, and marks the account's earlier ones as undone. */
async function insertImport(authorId: string, state: "running" | "done"): Promise<string> {
  const { database } = testSite.app.services;
  const id = newId();
  const now = Date.now();
  await database.write(async (tx) => {
    for (const run of await runsOf(tx, authorId, 100))
      await changeRun(tx, run.id, { state: "undone" }, ["running", "stopping", "undoing", "done"]);
    const asked = { kind: "markdown", name: "site.zip", local: false, options: {} };
    await insertRun(tx, { id, authorId, ...asked, state, createdAt: now, changedAt: now });
  });
  return id;
}

export const accountChecks: Record<string, (who: Person, author: Author) => Outcome> = {
  "GET /media/{id}: its owner's picture": async (who, author) => {
    const picture = await pictureOf(author, "shown");
    await author.api.users.updateProfile.mutate({ pictureId: picture.id });
    return canFetchPicture(who, picture);
  },
  "GET /media/{id}: in a form of theirs": async (who, author) =>
    canFetchPicture(who, await pictureOf(author, "in a form")),
  "users.profile": async (who, { username }) =>
    (await who.api.users.profile.query({ username })).closed ? "c" : "y",
  "users.named": async (who, { id, username }) =>
    has((await who.api.users.named.query({ usernames: [username] })).people, id),
  "users.search": async (who, { id, username }) =>
    has((await who.api.users.search.query({ query: username })).people, id),
  "live.follow: that somebody likes it": receivesLikeNotification,
  "users.revokeSession: the account's": async (who, { id }) => {
    const { handle } = await testSite.app.services.sessions.begin(id, "a phone");
    return (await who.api.users.revokeSession.mutate({ handle })).message !== "";
  },
  "imports.report: the account's": async (who, { id }) =>
    (await who.api.imports.report.query({ id: await insertImport(id, "done") })).report === null,
  "imports.stop: the account's": async (who, { id }) =>
    (await who.api.imports.stop.mutate({ id: await insertImport(id, "running") })).message !== "",
  "imports.undo: the account's": async (who, { id }) =>
    (await who.api.imports.undo.mutate({ id: await insertImport(id, "done") })).message !== "",
  "social.people: followers": async (who, { username }) =>
    has((await who.api.social.people.query({ username, list: "followers" })).people, theFollower().id),
  "social.people: following": async (who, { username }) =>
    has((await who.api.social.people.query({ username, list: "following" })).people, reader.me.id),
  "social.people: followers not shown": (who, author) =>
    withFollowersHidden(author, async () =>
      has(
        (await who.api.social.people.query({ username: author.username, list: "followers" })).people,
        theFollower().id,
      ),
    ),
  "social.follow": (who, author) =>
    tryToFollow(
      who,
      author,
      async () => (await who.api.social.follow.mutate({ userId: author.id, follow: true })).status,
    ),
  "social.requests: who asked": async (who) =>
    has((await who.api.social.requests.query()).requests, theAsker().id),
  "social.handleRequest": (who, author) =>
    answerRequest(author, (requesterId) =>
      who.api.social.handleRequest.mutate({ requesterId, action: "accept" }),
    ),
  "social.restoreRequest": async (who) => {
    const asker = people.private[2] as Author;
    const requesterId = asker.id;
    const holder = authorOf("private");
    await holder.api.social.handleRequest.mutate({ requesterId, action: "reject" });
    try {
      await who.api.social.restoreRequest.mutate({ userId: requesterId });
    } finally {
      await asker.api.social.follow.mutate({ userId: holder.id, follow: true });
    }
    return true;
  },
  "moderation.report: the person": (who, { id }) => reports(who, { kind: "profile", id }),
  "social.removeFollower": async (who, author) => {
    const fan = theFollower();
    await who.api.social.removeFollower.mutate({ userId: fan.id });
    const { follow } = await fan.api.users.profile.query({ username: author.username });
    if (follow === "following") return false;
    await fan.api.social.follow.mutate({ userId: author.id, follow: true });
    if (author === authorOf("private"))
      await author.api.social.handleRequest.mutate({ requesterId: fan.id, action: "accept" });
    return true;
  },

  "GET /users/{username}": async (who, author) =>
    (await profileOf(who, author)).blogs.length > 0 ? "y" : "c",
  "GET /users/{username}: followers": async (who, author) =>
    has((await profileOf(who, author)).followers, theFollower().id),
  // A follower finds their own entry alone (tests/integration/rest/rest.test.ts).
  "GET /users/{username}: not shown": (who, author) =>
    withFollowersHidden(author, async () => has((await profileOf(who, author)).followers, theFollower().id)),
  "GET /users/{username}: who asked": async (who, author) =>
    has((await profileOf(who, author)).followRequests, theAsker().id),
  "GET /search-users": async (who, { id, username }) =>
    has((await rest(who, "GET", `/search-users?search=${username}`)).users, id),
  "PATCH /follow/{userId}": async (who, author) => {
    // A toggle: a person who follows already unfollows first.
    if (who.id && who !== author) await who.api.social.follow.mutate({ userId: author.id, follow: false });
    const { status } = await rest(who, "PATCH", `/follow/${author.id}`, {});
    if (who !== theFollower() && who !== theAsker())
      await who.api.social.follow.mutate({ userId: author.id, follow: false });
    if (who === theAsker() && status === "following")
      await who.api.social.follow.mutate({ userId: author.id, follow: false });
    if (who === theFollower() && status === "requested")
      await author.api.social.handleRequest.mutate({ requesterId: theFollower().id, action: "accept" });
    return followed[status as keyof typeof followed];
  },
  "PATCH /handle-follow-request": (who, author) =>
    answerRequest(author, (requesterId) =>
      rest(who, "PATCH", "/handle-follow-request", { requesterId, action: "accept" }),
    ),
  "PATCH /users/{userId}": async (who, { id }) =>
    (await rest(who, "PATCH", `/users/${id}`, { bio: newId() })).message !== "",

  "/search: people": (who, { username }) =>
    shows(who, `/search?q=${username}&tab=people`, `href="/${username}"`),
  "/:username": async (who, { username }) => {
    const page = await open(who, `/${username}`);
    if ("to" in page) return "r";
    return page.html.includes("This user&#x27;s blogs are private.")
      ? "c"
      : page.html.includes(`href="/blog/`)
        ? "y"
        : "n";
  },
  "/followers/:person": (who, { username }) => peoplePage(who, `/followers/${username}`, ">Follower<"),
  "/following/:person": (who, { username }) => peoplePage(who, `/following/${username}`, ">Reader<"),
  // The name alone is in the page's bar, too, for the reader.
  "/requests: who asked": (who) => shows(who, "/requests", ">Accept<"),
};

async function receivesLikeNotification(who: Person, author: Author): Outcome {
  const blogId = blogs.get(`${author === authorOf("public") ? "public" : "private"} public`)!.id;
  const heard = followTopics(who.browser, ["me"], (await reader.api.blogs.list.query({})).cursor);
  if (!who.id) {
    const error = (await until(() => heard.state.error)) as { data?: { code?: string } };
    expect(heard.frames).toEqual([]);
    if (error.data?.code === "UNAUTHORIZED") throw new Refused(401, "");
  }
  await reader.api.social.likeBlog.mutate({ blogId, liked: true });
  await reader.api.social.likeBlog.mutate({ blogId, liked: false });
  const { cursor } = await reader.api.blogs.list.query({});
  testSite.app.services.bus.signal([userTopic(who.id ?? "")]);
  await heard.at(cursor);
  heard.stop();
  return heard.events("notification.created").length > 0;
}
