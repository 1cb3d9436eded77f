import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { changeCachedComments, changeCachedPerson } from "../../../src/client/social/cached-texts.ts";
import { changeCachedBlog } from "../../../src/client/social/cached.ts";
import { refreshLists } from "../../../src/client/social/own-lists.ts";
import { switchKey, wishes } from "../../../src/client/social/standing.ts";
import type { UserEvent } from "../../../src/shared/events.ts";

type Input = Record<string, unknown>;

const me = { username: "ana" };
const keyOf = (name: string, input?: Input) => [
  name.split("."),
  ...(input ? [{ input, type: "query" }] : []),
];

let client: QueryClient;
let asked: string[];

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  asked = [];
});

/** A list in the cache, shown or not. */
function known(name: string, input: Input | undefined, data: object, isShown = true): void {
  const queryKey = keyOf(name, input);
  client.setQueryData(queryKey, data);
  if (!isShown) return;
  const queryFn = () => {
    asked.push([name, ...Object.values(input ?? {})].join(" "));
    return data;
  };
  new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
}
const isOld = (name: string, input?: Input) => client.getQueryState(keyOf(name, input))?.isInvalidated;
const hear = (event: UserEvent) => refreshLists(client, me, event);

const blog = (id: string, liked: boolean, saved = false) => ({ id, slug: id, likesCount: 1, liked, saved });
const liked = (page = 1) => ({ username: "ana", tab: "liked-blogs", page });
const saved = (page = 1) => ({ username: "ana", tab: "saved-blogs", page });

test("what is liked or saved elsewhere comes to the list of it, and to no other", () => {
  known("blogs.byAuthor", liked(), { blogs: [] });
  known("blogs.byAuthor", saved(), { blogs: [blog("owls", false, true)] });
  known("blogs.byAuthor", { ...liked(), username: "ben" }, { blogs: [] });
  hear({ kind: "own.like", blogId: "owls", liked: true });
  expect(asked).toEqual(["blogs.byAuthor ana liked-blogs 1"]);
  hear({ kind: "own.save", blogId: "owls", saved: false });
  expect(asked.slice(1)).toEqual(["blogs.byAuthor ana saved-blogs 1"]);
});

test("a list stays while its own switches are turned, so that they can be turned back", async () => {
  known("blogs.byAuthor", liked(), { blogs: [blog("owls", false), blog("bats", true)] });
  hear({ kind: "own.like", blogId: "owls", liked: false });
  expect(asked).toEqual([]);
  const isTurned = wishes.want(
    switchKey.like("bats"),
    false,
    { on: true, count: 1 },
    () => {
      hear({ kind: "own.like", blogId: "bats", liked: false });
      return Promise.resolve({ on: false, count: 0 });
    },
    () => {},
  );
  await isTurned;
  expect(asked).toEqual([]);
  hear({ kind: "own.like", blogId: "bats", liked: false });
  expect(asked).toEqual(["blogs.byAuthor ana liked-blogs 1"]);
});

test("a list that is not shown is asked for when the reader comes back, whatever else is changed in it", () => {
  known("blogs.byAuthor", liked(), { blogs: [blog("owls", true)] }, false);
  const event = { kind: "own.like", blogId: "owls", liked: false } as const;
  hear(event);
  changeCachedBlog(client, "owls", (one) => ({ ...one, liked: false }));
  expect(isOld("blogs.byAuthor", liked())).toBe(true);
});

test("a list that is on its way while something changes is asked for once more", async () => {
  const queryKey = keyOf("blogs.byAuthor", liked());
  let answer!: (list: object) => void;
  const isFetched = client.fetchQuery({
    queryKey,
    queryFn: () => new Promise<object>((give) => (answer = give)),
  });
  hear({ kind: "own.like", blogId: "owls", liked: true });
  answer({ blogs: [] });
  await isFetched;
  await expect.poll(() => client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test("a follow elsewhere comes to the own profile and to the own list of followed people", () => {
  const people = (list: string, username = "ana") => ({ username, list, page: 1 });
  known("users.profile", { username: "ana" }, {});
  known("blogs.recommended", undefined, {}, false);
  known("social.people", people("following"), { people: [{ id: "ben", follow: "follow" }] });
  known("social.people", people("following", "eve"), { people: [] });
  known("social.people", people("followers", "ben"), { people: [] });
  hear({ kind: "own.follow", userId: "ben", status: "follow" });
  const always = ["users.profile ana", "social.people ben followers 1"];
  expect(asked).toEqual(always);
  expect(isOld("blogs.recommended")).toBe(true);
  // Eve let her in; Ben's account was followed elsewhere.
  hear({ kind: "follow.settled", userId: "eve", status: "following" });
  hear({ kind: "own.follow", userId: "ben", status: "following" });
  const withList = ["users.profile ana", "social.people ana following 1", "social.people ben followers 1"];
  expect(asked.slice(2)).toEqual([...withList, ...withList]);
  // Ben's account is gone, though it stood there as not followed.
  hear({ kind: "follow.settled", userId: "ben", status: "follow" });
  expect(asked.slice(8)).toEqual(withList);
});

test("own blogs change the lists and numbers of them, shown or not", () => {
  known("blogs.mine", { page: 1 }, { blogs: [] });
  known("blogs.stats", undefined, {}, false);
  known("blogs.byAuthor", { username: "ana", tab: "blogs", page: 1 }, { blogs: [] }, false);
  known("users.profile", { username: "ana" }, {}, false);
  hear({ kind: "own.blogs" });
  expect(asked).toEqual(["blogs.mine 1"]);
  expect(isOld("blogs.stats")).toBe(true);
  expect(isOld("blogs.byAuthor", { username: "ana", tab: "blogs", page: 1 })).toBe(true);
  expect(isOld("users.profile", { username: "ana" })).toBe(true);
});

test("under another username nobody is asked for at the old one", () => {
  known("users.profile", { username: "ana" }, {});
  const person = { id: "1", name: "Ana", picture: null };
  hear({ kind: "profile.changed", person: { ...person, username: "anna" } });
  expect(asked).toEqual([]);
  expect(isOld("users.profile", { username: "ana" })).toBe(true);
  hear({ kind: "profile.changed", person: { ...person, username: "ana" } });
  expect(asked).toEqual(["users.profile ana"]);
});

test("a new name and picture stand on everything that its owner wrote, and a like on its comment", () => {
  const author = { id: "1", username: "ana", name: "Ana", picture: null };
  const other = { id: "2", username: "ben", name: "Ben", picture: null };
  const now = { ...author, name: "Anna", picture: "/new.png" };
  const page = { ...blog("owls", false), author, html: "" };
  known("blogs.bySlug", { slug: "owls" }, page, false);
  known("blogs.list", { page: 1 }, { blogs: [page, { ...page, id: "bats", author: other }] }, false);
  const comments = [
    { id: "c1", author, liked: false },
    { id: "c2", author: other, liked: false },
    { id: "c3", author: null, liked: false },
  ];
  known("comments.list", { blogId: "owls" }, { comments }, false);
  changeCachedPerson(client, now);
  changeCachedComments(client, (comment) => (comment.id === "c2" ? { ...comment, liked: true } : comment));
  expect(client.getQueryData(keyOf("blogs.bySlug", { slug: "owls" }))).toMatchObject({ author: now });
  expect(client.getQueryData(keyOf("blogs.list", { page: 1 }))).toMatchObject({
    blogs: [{ author: now }, { author: other }],
  });
  expect(client.getQueryData(keyOf("comments.list", { blogId: "owls" }))).toEqual({
    comments: [
      { id: "c1", author: now, liked: false },
      { id: "c2", author: other, liked: true },
      { id: "c3", author: null, liked: false },
    ],
  });
});
