import { expect } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { changeRun, insertRun, listRuns } from "../../../src/server/imports/queries.ts";
import { userTopic } from "../../../src/server/live/stored-events.ts";
import type { Picture } from "../../../src/shared/blogs.ts";
import { feedFiles } from "../../../src/shared/feeds.ts";
import { followersHidden, peoplePrivate } from "../../../src/shared/audience.ts";
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
  fetchPage,
  isTextShown,
  includesId,
  canFetchPicture,
  reports,
  textAt,
} from "./setup.ts";

/** Calls a toggle twice, and returns whether it changed its flag and changed it back. */
export async function toggleTwice(toggle: () => Promise<Record<string, unknown>>, flag: string): Outcome {
  const [first, second] = [await toggle(), await toggle()];
  return first[flag] === !second[flag];
}

const followed = { following: "w", requested: "a", follow: "n", self: "n" } as const;

/** Follows an account, restores the state before, and returns the outcome as a letter. */
async function tryToFollow(
  person: Person,
  author: Author,
  action: () => Promise<keyof typeof followed>,
): Outcome {
  const before = (await person.api.users.profile.query({ username: author.username })).follow;
  const status = await action();
  const hadFollow = before === "following" || before === "requested";
  if (!hadFollow) await person.api.social.follow.mutate({ userId: author.id, follow: false });
  return followed[status];
}

/** Accepts the requester's request as `action` does; where that worked, removes the requester, who then asks again. */
async function answerRequest(author: Author, action: (requesterId: string) => Promise<unknown>): Outcome {
  const requester = people.private[2] as Author;
  await action(requester.id);
  await author.api.social.removeFollower.mutate({ userId: requester.id });
  await requester.api.social.follow.mutate({ userId: author.id, follow: true });
  return true;
}

async function withFollowersHidden<T>(author: Author, action: () => Promise<T>): Promise<T> {
  await author.api.users.updateSettings.mutate({ showFollowers: false });
  try {
    return await action();
  } finally {
    await author.api.users.updateSettings.mutate({ showFollowers: true });
  }
}

const pictures = new Map<string, Promise<Picture>>();
/** Returns one picture per author and use, since an upload costs more than all requests for it. */
function pictureOf({ id, browser }: Author, usage: "shown" | "in a form"): Promise<Picture> {
  const key = `${id} ${usage}`;
  const cached = pictures.get(key) ?? upload(browser);
  pictures.set(key, cached);
  return cached;
}

const profileOf = async (person: Person, author: Author) =>
  (await rest(person, "GET", `/users/${author.username}`)).user;
const theFollower = () => people.public[3] as Author;
const theRequester = () => people.public[2] as Author;

async function peoplePage(person: Person, path: string, name: string): Outcome {
  const page = await fetchPage(person, path);
  if ("to" in page) return "u";
  if ([followersHidden, peoplePrivate].some((message) => page.html.includes(message))) {
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
    for (const run of await listRuns(tx, { authorId, limit: 100 }))
      await changeRun(tx, run.id, { state: "undone" }, ["running", "stopping", "undoing", "done"]);
    const importOptions = { kind: "markdown", name: "site.zip", local: false, options: {} };
    await insertRun(tx, { id, authorId, ...importOptions, state, createdAt: now, changedAt: now });
  });
  return id;
}

export const accountChecks: Record<string, (person: Person, author: Author) => Outcome> = {
  "GET /media/{id}: its owner's picture": async (person, author) => {
    const picture = await pictureOf(author, "shown");
    await author.api.users.updateProfile.mutate({ pictureId: picture.id });
    return canFetchPicture(person, picture);
  },
  "GET /media/{id}: in a form of theirs": async (person, author) =>
    canFetchPicture(person, await pictureOf(author, "in a form")),
  "users.profile": async (person, { username }) =>
    (await person.api.users.profile.query({ username })).closed ? "c" : "y",
  "users.named": async (person, { id, username }) =>
    includesId((await person.api.users.named.query({ usernames: [username] })).people, id),
  "users.search": async (person, { id, username }) =>
    includesId((await person.api.users.search.query({ query: username })).people, id),
  "live.follow: that somebody likes it": receivesLikeNotification,
  "users.revokeSession: the account's": async (person, { id }) => {
    const { handle } = await testSite.app.services.sessions.begin(id, "a phone");
    return (await person.api.users.revokeSession.mutate({ handle })).message !== "";
  },
  "imports.report: the account's": async (person, { id }) =>
    (await person.api.imports.report.query({ id: await insertImport(id, "done") })).report === null,
  "/settings/import/:id.txt": async ({ browser }, { id }) => {
    const { status } = await browser.fetch(`/settings/import/${await insertImport(id, "done")}.txt`);
    return status === 401 ? "u" : status === 200;
  },
  "imports.stop: the account's": async (person, { id }) =>
    (await person.api.imports.stop.mutate({ id: await insertImport(id, "running") })).message !== "",
  "imports.undo: the account's": async (person, { id }) =>
    (await person.api.imports.undo.mutate({ id: await insertImport(id, "done") })).message !== "",
  "social.people: followers": async (person, { username }) =>
    includesId(
      (await person.api.social.people.query({ username, list: "followers" })).people,
      theFollower().id,
    ),
  "social.people: following": async (person, { username }) =>
    includesId((await person.api.social.people.query({ username, list: "following" })).people, reader.me.id),
  "social.people: followers not shown": (person, author) =>
    withFollowersHidden(author, async () =>
      includesId(
        (await person.api.social.people.query({ username: author.username, list: "followers" })).people,
        theFollower().id,
      ),
    ),
  "social.follow": (person, author) =>
    tryToFollow(
      person,
      author,
      async () => (await person.api.social.follow.mutate({ userId: author.id, follow: true })).status,
    ),
  "social.requests: who asked": async (person) =>
    includesId((await person.api.social.requests.query()).requests, theRequester().id),
  "social.handleRequest": (person, author) =>
    answerRequest(author, (requesterId) =>
      person.api.social.handleRequest.mutate({ requesterId, action: "accept" }),
    ),
  "social.restoreRequest": async (person) => {
    const requester = people.private[2] as Author;
    const requesterId = requester.id;
    const account = authorOf("private");
    await account.api.social.handleRequest.mutate({ requesterId, action: "reject" });
    try {
      await person.api.social.restoreRequest.mutate({ userId: requesterId });
    } finally {
      await requester.api.social.follow.mutate({ userId: account.id, follow: true });
    }
    return true;
  },
  "moderation.report: the person": (person, { id }) => reports(person, { kind: "profile", id }),
  "social.removeFollower": async (person, author) => {
    const follower = theFollower();
    await person.api.social.removeFollower.mutate({ userId: follower.id });
    const { follow } = await follower.api.users.profile.query({ username: author.username });
    if (follow === "following") return false;
    await follower.api.social.follow.mutate({ userId: author.id, follow: true });
    if (author === authorOf("private"))
      await author.api.social.handleRequest.mutate({ requesterId: follower.id, action: "accept" });
    return true;
  },

  "GET /users/{username}": async (person, author) =>
    (await profileOf(person, author)).blogs.length > 0 ? "y" : "c",
  "GET /users/{username}: followers": async (person, author) =>
    includesId((await profileOf(person, author)).followers, theFollower().id),
  // A follower finds their own entry alone (tests/integration/rest/rest.test.ts).
  "GET /users/{username}: not shown": (person, author) =>
    withFollowersHidden(author, async () =>
      includesId((await profileOf(person, author)).followers, theFollower().id),
    ),
  "GET /users/{username}: who asked": async (person, author) =>
    includesId((await profileOf(person, author)).followRequests, theRequester().id),
  "GET /search-users": async (person, { id, username }) =>
    includesId((await rest(person, "GET", `/search-users?search=${username}`)).users, id),
  "PATCH /follow/{userId}": async (person, author) => {
    // A toggle: a person who follows already unfollows first.
    if (person.id && person !== author)
      await person.api.social.follow.mutate({ userId: author.id, follow: false });
    const { status } = await rest(person, "PATCH", `/follow/${author.id}`, {});
    if (person !== theFollower() && person !== theRequester())
      await person.api.social.follow.mutate({ userId: author.id, follow: false });
    if (person === theRequester() && status === "following")
      await person.api.social.follow.mutate({ userId: author.id, follow: false });
    if (person === theFollower() && status === "requested")
      await author.api.social.handleRequest.mutate({ requesterId: theFollower().id, action: "accept" });
    return followed[status as keyof typeof followed];
  },
  "PATCH /handle-follow-request": (person, author) =>
    answerRequest(author, (requesterId) =>
      rest(person, "PATCH", "/handle-follow-request", { requesterId, action: "accept" }),
    ),
  "PATCH /users/{userId}": async (person, { id }) =>
    (await rest(person, "PATCH", `/users/${id}`, { bio: newId() })).message !== "",

  "/search: people": (person, { username }) =>
    isTextShown(person, `/search?q=${username}&tab=people`, `href="/${username}"`),
  "/:username": async (person, { username }) => {
    const page = await fetchPage(person, `/${username}`);
    if ("to" in page) return "r";
    return page.html.includes("This user&#x27;s blogs are private.")
      ? "c"
      : page.html.includes(`href="/blog/`)
        ? "y"
        : "n";
  },
  "/followers/:person": (person, { username }) => peoplePage(person, `/followers/${username}`, ">Follower<"),
  "/following/:person": (person, { username }) => peoplePage(person, `/following/${username}`, ">Reader<"),
  // The name alone is in the page's bar, too, for the reader.
  "/requests: who asked": (person) => isTextShown(person, "/requests", ">Accept<"),
  "/:username/feed.xml: the account": async (person, { username }) => {
    const feeds = await Promise.all(feedFiles.map((file) => textAt(person, `/${username}/${file}`)));
    return feeds.every((text) => text.includes(`/${username}`));
  },
  "/oembed: the account": async (person, { username }) => {
    const address = encodeURIComponent(`${testSite.config.publicUrl}/${username}`);
    return (await textAt(person, `/oembed?url=${address}`)).includes("author_name");
  },
  // The hash does not matter: an old one redirects to the current card.
  "/cards/:name: the account": async (person, { username }) => {
    const oldCard = await person.browser.fetch(`/cards/@${username}-${"0".repeat(16)}.png`);
    if (oldCard.status !== 302) throw new Refused(oldCard.status, username);
    return (await textAt(person, oldCard.headers.get("location") ?? "")).includes("PNG");
  },
  "/sitemap.xml: the account": async (person, { username }) =>
    (await textAt(person, "/sitemap.xml")).includes(`/${username}</loc>`),
};

async function receivesLikeNotification(person: Person, author: Author): Outcome {
  const blogId = blogs.get(`${author === authorOf("public") ? "public" : "private"} public`)!.id;
  const subscription = followTopics(person.browser, ["me"], (await reader.api.blogs.list.query({})).cursor);
  if (!person.id) {
    const error = (await until(() => subscription.state.error)) as { data?: { code?: string } };
    expect(subscription.frames).toEqual([]);
    if (error.data?.code === "UNAUTHORIZED") throw new Refused(401, "");
  }
  await reader.api.social.likeBlog.mutate({ blogId, liked: true });
  await reader.api.social.likeBlog.mutate({ blogId, liked: false });
  const { cursor } = await reader.api.blogs.list.query({});
  testSite.app.services.bus.signal([userTopic(person.id ?? "")]);
  await subscription.waitForCursor(cursor);
  subscription.stop();
  return subscription.events("notification.created").length > 0;
}
