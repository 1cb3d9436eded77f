import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { blogQueries } from "../../../../src/client/blogs/blog-queries.ts";
import type { LiveConnectionHandlers } from "../../../../src/client/live/connection/live-connection.ts";
import { OptimisticMutations } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import type {
  Mutation,
  MutationContext,
} from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import { LiveStore } from "../../../../src/client/live/queries/live-store.ts";
import { likeBlog } from "../../../../src/client/blogs/blog-mutations.ts";
import { follow, removeFollower } from "../../../../src/client/profiles/profile-mutations.ts";
import { peopleQueries } from "../../../../src/client/profiles/people-queries.ts";
import { viewerQueries } from "../../../../src/client/session/viewer-queries.ts";
import { userQueries } from "../../../../src/client/profiles/profile-queries.ts";
import type { BlogCard } from "../../../../src/shared/blogs.ts";
import type { LiveEvent, TopicName } from "../../../../src/shared/live.ts";
import type { PeopleList } from "../../../../src/shared/social.ts";
import type { Profile, Viewer } from "../../../../src/shared/users.ts";
import { until } from "../../../support/until.ts";

const me = { id: "me", session: "s", username: "me", name: "Me" } as Viewer;

/** A server that answers when the test says so, and records its requests. */
function aServer() {
  const requests: unknown[] = [];
  const waiting: { resolve: (answer: object) => void; reject: (error: Error) => void }[] = [];
  const mutate = (input: unknown) => {
    requests.push(input);
    return new Promise<object>((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const calls = { mutate };
  const client = { social: { likeBlog: calls, follow: calls, removeFollower: calls } };
  return {
    requests,
    context: { client, navigate: () => undefined } as unknown as MutationContext,
    answer: (answer: object) => waiting.shift()!.resolve(answer),
    refuse: () => waiting.shift()!.reject(new Error("no")),
  };
}

/** A tab that shows `first`, read at `e.10`. */
function aTab(path: [string, string], first: object, input: object = {}) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  let handlers: LiveConnectionHandlers | undefined;
  const connection = {
    follow: (_: unknown, newHandlers: LiveConnectionHandlers) => void (handlers = newHandlers),
    restart: () => undefined,
  };
  const rows = { ...blogQueries, ...peopleQueries, ...userQueries, ...viewerQueries };
  const store = new LiveStore(queryClient, rows, connection, { gather: 0, random: () => 0 });
  const mutations = new OptimisticMutations(store);
  store.start(
    () => mutations.onAdvanced(),
    () => undefined,
  );
  mutations.setViewer(me);
  store.setViewer(me.id);
  const key = [path, { input, type: "query" }] as const;
  let response: object = { ...first, cursor: "e.10" };
  let fetchCount = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: key,
    queryFn: async () => (fetchCount++, response),
  });
  observer.subscribe(() => undefined);
  return {
    queryClient,
    store,
    mutations,
    key,
    serve: (answer: object) => void (response = answer),
    fetchCount: () => fetchCount,
    data: <Data>() => queryClient.getQueryData<Data>(key)!,
    sendEvent: (seq: number, topic: TopicName | "", event: LiveEvent) =>
      handlers!.onMessage({ cursor: `e.${seq}`, topic, event }),
  };
}

const card = { id: "b", likesCount: 4, liked: false, author: { id: "ana" } } as BlogCard;
const aFeed = async () => {
  const tab = aTab(["blogs", "list"], { blogs: [card], page: 1, hasMore: false });
  await until(() => tab.data() !== undefined, "the feed");
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { ...tab, card: () => tab.data<{ blogs: BlogCard[] }>().blogs[0]! };
};

test("shows a like at once and counts it once, whether the response or the stream comes first", async () => {
  for (const order of ["answer first", "stream first"]) {
    const tab = await aFeed();
    const server = aServer();
    const done = tab.mutations.mutate(likeBlog(server.context), { blogId: "b", on: true });
    expect(tab.card()).toMatchObject({ liked: true, likesCount: 5 });
    const sendLikeEvents = async () => {
      const counts = { savesCount: 0, commentsCount: 0 };
      tab.sendEvent(11, "card:b", { kind: "blog.counted", blogId: "b", likesCount: 7, ...counts });
      tab.sendEvent(12, "me", { kind: "viewer.like", blogId: "b", liked: true });
      tab.sendEvent(12, "", { kind: "checkpoint", now: 0 });
      await until(() => tab.store.hasReached("e.12"), "the stream");
    };
    const answer = async () => {
      server.answer({ liked: true, likesCount: 7, cursor: "e.12" });
      await done;
    };
    if (order === "answer first") await answer();
    expect(tab.card()).toMatchObject({ liked: true, likesCount: 5 });
    await sendLikeEvents();
    if (order === "stream first") await answer();
    await until(() => tab.mutations.all().length === 0, "the end of it");
    expect(tab.card()).toMatchObject({ liked: true, likesCount: 7 });
  }
});

test("retries a refused mutation under its own id", async () => {
  const tab = await aFeed();
  const server = aServer();
  let retry: (() => void) | undefined;
  const mutation = {
    ...likeBlog(server.context),
    onError: (_: unknown, _input: unknown, again: () => void) => void (retry = again),
  };
  void tab.mutations.mutate(mutation, { blogId: "b", on: true }, "chosen");
  server.refuse();
  await until(() => retry !== undefined, "the refusal");
  retry!();
  expect(tab.mutations.all().map(({ id }) => id)).toEqual(["chosen"]);
  server.answer({ liked: true, likesCount: 5, cursor: "e.11" });
});

test("ends twenty fast clicks with the last one, in two requests", async () => {
  const tab = await aFeed();
  const server = aServer();
  for (let click = 1; click <= 20; click++)
    void tab.mutations.mutate(likeBlog(server.context), { blogId: "b", on: click % 2 === 1 });
  expect(tab.card()).toMatchObject({ liked: false, likesCount: 4 });
  server.answer({ liked: true, likesCount: 5, cursor: "e.11" });
  await until(() => server.requests.length === 2, "the last turn");
  expect(tab.card()).toMatchObject({ liked: false, likesCount: 4 });
  server.answer({ liked: false, likesCount: 4, cursor: "e.12" });
  expect(server.requests).toEqual([
    { blogId: "b", liked: true },
    { blogId: "b", liked: false },
  ]);
});

test("sends a newer toggle once the older one is removed from the store, or after a second", async () => {
  const storedIds: string[] = [];
  const removed: (() => void)[] = [];
  const emptyStore = {
    setLayers: () => undefined,
    hasReached: () => true,
    queries: { awaitsRefetch: () => false, refetchAffected: () => undefined },
  };
  const mutations = new OptimisticMutations(emptyStore, {
    put: async ({ id }) => void storedIds.push(id),
    remove: (id) =>
      new Promise<void>((resolve) =>
        removed.push(() => {
          storedIds.splice(storedIds.indexOf(id), 1);
          resolve();
        }),
      ),
    resume: async () => undefined,
  });
  mutations.setViewer(me);
  const server = aServer();
  const like = likeBlog(server.context);
  void mutations.mutate(like, { blogId: "b", on: true });
  void mutations.mutate(like, { blogId: "b", on: false });
  server.answer({ cursor: "e.11" });
  await until(() => removed.length === 1, "the first to be let go of");
  // A slow disk.
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(server.requests).toHaveLength(1);
  removed.shift()!();
  await until(() => server.requests.length === 2, "the second");
  expect(storedIds).toHaveLength(1);
  // Another blog's toggle does not wait, and a store that never answers delays the next one by a second at most.
  server.answer({ cursor: "e.12" });
  await until(() => removed.length === 1, "the second to be let go of");
  void mutations.mutate(like, { blogId: "c", on: true });
  await until(() => server.requests.length === 3, "another blog's");
  void mutations.mutate(like, { blogId: "b", on: true });
  await until(() => server.requests.length === 4, "the third");
});

test("undoes a refused change, and keeps what others did", async () => {
  const tab = await aFeed();
  const server = aServer();
  const errors: unknown[] = [];
  const mutation: Mutation<{ blogId: string; on: boolean }> = {
    ...likeBlog(server.context),
    onError: (error) => void errors.push(error),
  };
  const done = tab.mutations.mutate(mutation, { blogId: "b", on: true });
  const counts = { savesCount: 0, commentsCount: 0 };
  tab.sendEvent(11, "card:b", { kind: "blog.counted", blogId: "b", likesCount: 8, ...counts });
  await until(() => tab.card().likesCount === 9, "another's like");
  server.refuse();
  expect(await done).toBeUndefined();
  expect(tab.card()).toMatchObject({ liked: false, likesCount: 8 });
  expect(errors).toHaveLength(1);
});

const ana = {
  id: "ana",
  follow: "follow",
  private: true,
  followersCount: 1,
  tabs: ["blogs"],
} as unknown as Profile;

test("shows a follow request to a private account as requested, and does not count it", async () => {
  const tab = aTab(["users", "profile"], ana);
  await until(() => tab.data() !== undefined, "the profile");
  const server = aServer();
  void tab.mutations.mutate(follow(server.context), { userId: "ana", on: true, asksFirst: true });
  expect(tab.data<Profile>()).toMatchObject({ follow: "requested", followersCount: 1 });
  void tab.mutations.mutate(follow(server.context), { userId: "ana", on: false, asksFirst: true });
  expect(tab.data<Profile>()).toMatchObject({ follow: "follow", followersCount: 1 });
});

test("keeps an optimistic change until the refetch that its event asks for has finished", async () => {
  const person = (id: string) => ({ id, username: id, name: id, picture: null, bio: "" });
  const list = { userId: "me", people: [person("ana"), person("eve")], page: 1, hasMore: false };
  const tab = aTab(["social", "people"], list, { username: "me", list: "followers", page: 1 });
  await until(() => tab.data() !== undefined, "the list");
  await new Promise((resolve) => setTimeout(resolve, 0));
  const ids = () => tab.data<PeopleList>().people.map(({ id }) => id);
  const snapshots: string[][] = [];
  tab.queryClient.getQueryCache().subscribe(() => snapshots.push(ids()));
  const server = aServer();
  const done = tab.mutations.mutate(removeFollower(server.context), { id: "ana" });
  expect(ids()).toEqual(["eve"]);
  server.answer({ message: "Gone.", cursor: "e.12" });
  expect(await done).toEqual({ message: "Gone.", cursor: "e.12" });
  tab.serve({ ...list, people: [person("eve")], cursor: "e.12" });
  tab.sendEvent(11, "profile:me", { kind: "profile.listed", userId: "me", list: "followers", jitterMs: 0 });
  tab.sendEvent(12, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.mutations.all().length === 0, "the end of it");
  expect(tab.fetchCount()).toBe(2);
  expect(ids()).toEqual(["eve"]);
  expect(snapshots.every((visibleIds) => visibleIds.join() === "eve")).toBe(true);
});

test("shows a mutation's response as the data of its query, but not an older one", async () => {
  const tab = aTab(["users", "me"], me);
  await until(() => tab.data() !== undefined, "the account");
  tab.store.queries.setAnswer(tab.key, { ...me, private: true, cursor: "e.15" });
  tab.store.queries.setAnswer(tab.key, { ...me, private: false, cursor: "e.14" });
  expect(tab.data<Viewer>().private).toBe(true);
  // It contains this event already, so nothing is fetched.
  tab.sendEvent(13, "me", { kind: "viewer.profileChanged", person: { ...me, name: "Before" } });
  tab.sendEvent(16, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.store.hasReached("e.16"), "the stream");
  expect(tab.data<Viewer>().name).toBe("Me");
  expect(tab.fetchCount()).toBe(1);
});

test("accepts null as the answer to who is signed in, in a tab without personal data", () => {
  const tab = aTab(["users", "site"], {});
  const whoIs = [["users", "me"], { type: "query" }];
  tab.queryClient.setQueryData(whoIs, null);
  tab.store.queries.setAnswer(whoIs, null);
  expect(tab.queryClient.getQueryData(whoIs)).toBeNull();
});

test("says when a change beyond a minute's limit will be sent, and sends it then", async () => {
  for (const name of ["addEventListener", "removeEventListener"]) vi.stubGlobal(name, () => undefined);
  const tab = await aFeed();
  const limited = Object.assign(new Error("Too many attempts."), {
    data: { code: "TOO_MANY_REQUESTS", retryAfter: 1 },
  });
  const send = vi.fn<() => Promise<object>>().mockRejectedValueOnce(limited).mockResolvedValueOnce({});
  const onLimited = vi.fn<(ms: number) => void>();
  const { context } = aServer();
  const done = tab.mutations.mutate({ ...likeBlog(context), send, onLimited }, { blogId: "b", on: true });
  await until(() => tab.mutations.all()[0]?.state === "waiting", "its wait");
  const { sendsAt = 0 } = tab.mutations.all()[0]!;
  expect(sendsAt - Date.now()).toBeGreaterThan(0);
  expect(onLimited).toHaveBeenCalledWith(1_000);
  await done;
  expect(Date.now()).toBeGreaterThanOrEqual(sendsAt - 1);
  expect(send).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});

test("refuses a change beyond the day's limit at once, however soon the day ends", async () => {
  const tab = await aFeed();
  const errors: unknown[] = [];
  const full = Object.assign(new Error("You’ve reached today’s limit of 1 comment."), {
    data: { code: "TOO_MANY_REQUESTS", retryAfter: 60, field: "day" },
  });
  const mutation: Mutation<object> = {
    name: "tests.act",
    key: () => "one",
    optimisticEvents: () => [],
    send: () => Promise.reject(full),
    keepOffline: true,
    onError: (error) => void errors.push(error),
  };
  await tab.mutations.mutate(mutation, {});
  expect(errors).toEqual([full]);
  expect(tab.mutations.all()).toEqual([]);
});
