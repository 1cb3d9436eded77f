import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { REFETCH, liveQuery } from "../../../../src/client/live/queries/live-query.ts";
import type { LiveQuery } from "../../../../src/client/live/queries/live-query.ts";
import type { LiveConnectionHandlers } from "../../../../src/client/live/connection/live-connection.ts";
import type { MutationContext } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import { LiveStore } from "../../../../src/client/live/queries/live-store.ts";
import type { LiveEvent, TopicName } from "../../../../src/shared/live.ts";
import { until } from "../../../support/until.ts";

interface Card {
  id: string;
  likes: number;
  cursor: string;
  isGone?: boolean;
}

/** Cards with counts; an edited one is refetched. */
const card = liveQuery<Card, { id: string }>({
  topics: ({ id }) => [`card:${id}`],
  on: {
    "blog.counted": (data, { likesCount }) => ({ ...data, likes: likesCount }),
    "viewer.like": (data, { blogId, liked }, { isOptimistic }) =>
      isOptimistic && blogId === data.id ? { ...data, likes: data.likes + (liked ? 1 : -1) } : data,
    "blog.edited": () => REFETCH,
    accessLost: (data) => ({ ...data, isGone: true }),
  },
});

class FakeConnection {
  requests: { topics: string[]; since: string | undefined }[] = [];
  #getRequest: () => { topics: string[]; since: string | undefined } | null = () => null;
  handlers: LiveConnectionHandlers | undefined;
  follow(
    getRequest: () => { topics: string[]; since: string | undefined } | null,
    handlers: LiveConnectionHandlers,
  ): void {
    this.#getRequest = getRequest;
    this.handlers = handlers;
  }
  restart(): void {
    const request = this.peek();
    if (!request) return;
    this.handlers?.onStart();
    this.requests.push(request);
  }
  /** Reads the subscription, as to try another transport beside the stream. */
  peek = () => this.#getRequest();
}

const counted = (blogId: string, likesCount: number): LiveEvent => ({
  kind: "blog.counted",
  blogId,
  likesCount,
  savesCount: 0,
  commentsCount: 0,
});

function aTab(row: LiveQuery = card, gather = 0) {
  const client = {} as MutationContext["client"];
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const connection = new FakeConnection();
  const store = new LiveStore(queryClient, { "cards.one": row }, connection, {
    client,
    gather,
    random: () => 0,
  });
  const advancedTo: number[] = [];
  store.start(
    (seq) => advancedTo.push(seq),
    () => undefined,
  );
  const keyOf = (id: string) => [["cards", "one"], { input: { id }, type: "query" }] as const;
  const answers = new Map<string, () => Promise<Card>>();
  const show = (id: string, first?: Card) => {
    if (first) queryClient.setQueryData(keyOf(id), undefined);
    const observer = new QueryObserver(queryClient, {
      queryKey: keyOf(id),
      queryFn: () => answers.get(id)!(),
    });
    const stop = observer.subscribe(() => undefined);
    return { stop, data: () => queryClient.getQueryData<Card>(keyOf(id)) };
  };
  const sendEvent = (seq: number, topic: TopicName | "", event: LiveEvent) =>
    connection.handlers!.onMessage({ cursor: `e.${seq}`, topic, event });
  return { queryClient, connection, store, advancedTo, answers, show, sendEvent, keyOf };
}

const answer = (id: string, likes: number, seq: number) => async (): Promise<Card> => ({
  id,
  likes,
  cursor: `e.${seq}`,
});

/** A tab that shows a card with one like, read at `e.10`, and follows it. */
async function openTab(row?: LiveQuery, gather?: number) {
  const tab = aTab(row, gather);
  tab.answers.set("a", answer("a", 1, 10));
  const a = tab.show("a");
  await until(() => tab.connection.requests.length === 1, "the stream");
  return { tab, a };
}

test("follows the topics of visible data from its cursor, and applies each event once", async () => {
  const { tab, a } = await openTab();
  expect(tab.connection.requests[0]).toEqual({ topics: ["card:a"], since: "e.10" });
  tab.sendEvent(10, "card:a", counted("a", 99));
  tab.sendEvent(11, "card:a", counted("a", 2));
  tab.sendEvent(12, "card:b", counted("b", 7));
  await until(() => a.data()?.likes === 2, "the event");
  tab.sendEvent(13, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.advancedTo.at(-1) === 13, "the place");
});

test("applies lost access to a response that was read at the same cursor", async () => {
  const { tab, a } = await openTab();
  tab.sendEvent(10, "card:a", { kind: "accessLost" });
  await until(() => a.data()?.isGone === true, "the loss");
});

test("follows data that came with the page from its cursor, for whichever viewer is set", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const queryKey = [["cards", "one"], { input: { id: "a" }, type: "query" }];
  queryClient.setQueryData(queryKey, await answer("a", 1, 10)());
  const connection = new FakeConnection();
  const store = new LiveStore(queryClient, { "cards.one": card }, connection, { gather: 0 });
  store.start(
    () => undefined,
    () => undefined,
  );
  store.setViewer("me");
  new QueryObserver(queryClient, { queryKey }).subscribe(() => undefined);
  await until(() => connection.requests.length === 1, "the page's stream");
  expect(connection.requests[0]).toEqual({ topics: ["me", "card:a"], since: "e.10" });
});

test("applies the events received meanwhile to a response that was read before them", async () => {
  const tab = aTab();
  let resolveFetch: (card: Card) => void = () => undefined;
  tab.answers.set("a", answer("a", 1, 10));
  const a = tab.show("a");
  await until(() => tab.connection.requests.length === 1, "the stream");
  tab.answers.set("a", () => new Promise((resolve) => (resolveFetch = resolve)));
  void tab.queryClient.refetchQueries({ queryKey: tab.keyOf("a") });
  tab.sendEvent(12, "card:a", counted("a", 5));
  await until(() => a.data()?.likes === 5, "the event");
  resolveFetch({ id: "a", likes: 3, cursor: "e.11" });
  await until(() => tab.queryClient.isFetching() === 0, "the fetch");
  expect(a.data()?.likes).toBe(5);
});

test("restarts the stream from an older response, and skips events that other queries already have", async () => {
  const { tab, a } = await openTab();
  tab.sendEvent(20, "card:a", counted("a", 20));
  await until(() => a.data()?.likes === 20, "the event");
  tab.answers.set("b", answer("b", 1, 15));
  const b = tab.show("b");
  await until(() => tab.connection.requests.length === 2, "the stream anew");
  expect(tab.connection.requests[1]).toEqual({ topics: ["card:a", "card:b"], since: "e.15" });
  tab.sendEvent(18, "card:a", counted("a", 18));
  tab.sendEvent(19, "card:b", counted("b", 19));
  tab.sendEvent(20, "card:a", counted("a", 20));
  tab.sendEvent(21, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.advancedTo.at(-1) === 21, "the place");
  expect(a.data()?.likes).toBe(20);
  expect(b.data()?.likes).toBe(19);
});

test("catches up data that was hidden when it is shown again", async () => {
  const { tab, a: first } = await openTab();
  tab.sendEvent(11, "card:a", counted("a", 2));
  await until(() => first.data()?.likes === 2, "the event");
  first.stop();
  tab.answers.set("b", answer("b", 1, 11));
  const b = tab.show("b");
  await until(() => tab.connection.requests.length === 2, "the stream anew");
  tab.sendEvent(30, "card:b", counted("b", 3));
  await until(() => b.data()?.likes === 3, "the other's event");
  const reshown = tab.show("a");
  await until(() => tab.connection.requests.length === 3, "the stream once more");
  expect(tab.connection.requests[2]!.since).toBe("e.11");
  tab.sendEvent(25, "card:a", counted("a", 9));
  await until(() => reshown.data()?.likes === 9, "what it missed");
});

test("resumes data shown again from its own cursor, although newer events are still being gathered", async () => {
  const { tab, a } = await openTab(
    { ...card, topics: (data) => [...card.topics(data, { id: "" }), "feed"] },
    30,
  );
  a.stop();
  tab.answers.set("b", answer("b", 1, 10));
  tab.show("b");
  await until(() => tab.connection.requests.length === 2, "the stream of another page");
  tab.sendEvent(20, "feed", counted("a", 20));
  await until(() => tab.advancedTo.at(-1) === 20, "the place");
  // One change is published in several events, and these are not rendered yet.
  tab.sendEvent(21, "feed", { kind: "viewer.like", blogId: "c", liked: true });
  tab.show("a");
  await until(() => tab.connection.requests.length === 3, "the stream anew");
  await until(() => tab.advancedTo.at(-1) === 21, "what was gathered");
  expect(tab.connection.requests[2]!.since).toBe("e.10");
  tab.sendEvent(20, "feed", counted("a", 20));
  tab.sendEvent(21, "", { kind: "checkpoint", now: 0 });
  await until(() => a.data()?.likes === 20, "what was missed");
});

test("refetches after an event without the new data, after a reset and after restored access", async () => {
  const { tab, a } = await openTab();
  tab.answers.set("a", answer("a", 4, 12));
  tab.sendEvent(12, "card:a", { kind: "blog.edited", blogId: "a", jitterMs: 0 } as unknown as LiveEvent);
  await until(() => a.data()?.likes === 4, "the answer");
  tab.answers.set("a", answer("a", 6, 50));
  tab.sendEvent(50, "", { kind: "reset", jitterMs: 10 });
  await until(() => a.data()?.likes === 6, "the answer after the reset");
  tab.sendEvent(51, "card:a", { kind: "accessLost" });
  await until(() => a.data()?.isGone === true, "its end");
  tab.answers.set("a", answer("a", 8, 60));
  tab.sendEvent(60, "card:a", { kind: "accessRestored" });
  await until(() => a.data()?.likes === 8 && !a.data()?.isGone, "its return");
});

test("shows current data after refetchNow, although an event asks for a refetch meanwhile", async () => {
  const { tab, a } = await openTab({ ...card, merge: (current) => current });
  const edit = (seq: number) =>
    tab.sendEvent(seq, "card:a", { kind: "blog.edited", blogId: "a", jitterMs: 0 } as unknown as LiveEvent);
  let fetches = 0;
  tab.answers.set("a", () => (fetches++, answer("a", 2, 11)()));
  edit(11);
  await until(() => fetches === 1 && tab.queryClient.isFetching() === 0, "the answer");
  expect(a.data()?.likes).toBe(1);
  tab.answers.set("a", () => (fetches++, new Promise(() => undefined)));
  const clicked = tab.store.queries.refetchNow(tab.keyOf("a"));
  await until(() => fetches === 2, "what the click asks for");
  tab.answers.set("a", answer("a", 3, 12));
  edit(12);
  await clicked;
  expect(a.data()?.likes).toBe(3);
});

test("refreshes the shown choice after a reset, and fetches a new one when an event asks for it", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const connection = new FakeConnection();
  const choice = liveQuery<Card>({
    topics: ({ id }) => [`card:${id}`],
    on: {
      "blog.counted": (data, { likesCount }) => ({ ...data, likes: likesCount }),
      "blog.edited": () => REFETCH,
    },
    refetchVisible: async (_client, current) => ({ ...current(), likes: 30, cursor: "f.60" }),
  });
  const client = {} as never;
  const store = new LiveStore(queryClient, { "cards.one": choice }, connection, {
    gather: 0,
    random: () => 0,
    client,
  });
  store.start(
    () => undefined,
    () => undefined,
  );
  const queryKey = [["cards", "one"], { type: "query" }] as const;
  let chosen = "a";
  const queryFn = async (): Promise<Card> => ({ id: chosen, likes: 1, cursor: "f.60" });
  queryClient.setQueryData(queryKey, { id: "a", likes: 1, cursor: "e.10" });
  new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined);
  const data = () => queryClient.getQueryData<Card>(queryKey)!;
  const sendEvent = (seq: number, topic: TopicName | "", event: LiveEvent) =>
    connection.handlers!.onMessage({ cursor: `f.${seq}`, topic, event });
  await until(() => connection.requests.length === 1, "the stream");
  chosen = "b";
  sendEvent(50, "", { kind: "reset", jitterMs: 10 });
  await until(() => data().likes === 30, "the same one, read anew");
  expect(data().id).toBe("a");
  sendEvent(61, "card:a", counted("a", 31));
  await until(() => data().likes === 31, "what is told of it");
  // An event asks for a new choice before the refresh is due.
  sendEvent(62, "", { kind: "reset", jitterMs: 10 });
  sendEvent(63, "card:a", { kind: "blog.edited", jitterMs: 0 } as unknown as LiveEvent);
  await until(() => data().id === "b", "another choice");
});

test(
  "refetches once a second at most for the events of others, and at once for the viewer's own",
  { tags: ["more"] },
  async () => {
    const tab = aTab();
    let fetches = 0;
    let lastSeq = 10;
    tab.answers.set("a", () => answer("a", ++fetches, lastSeq)());
    tab.show("a");
    await until(() => tab.connection.requests.length === 1, "the stream");
    const edit = (jitterMs: number) =>
      tab.sendEvent(++lastSeq, "card:a", { kind: "blog.edited", jitterMs } as unknown as LiveEvent);
    // `random` is 0: each event asks for a refetch at once.
    for (let index = 0; index < 20; index++) edit(400);
    tab.store.flush();
    const start = performance.now();
    await until(() => fetches === 2, "the first asking");
    expect(performance.now() - start).toBeLessThan(300);
    for (let index = 0; index < 20; index++) edit(400);
    await until(() => fetches === 3, "the next one");
    expect(performance.now() - start).toBeGreaterThan(990);
    // The viewer's own change does not wait.
    const ownStart = performance.now();
    edit(0);
    await until(() => fetches === 4, "one of their own");
    expect(performance.now() - ownStart).toBeLessThan(300);
  },
);

test("applies optimistic layers on top of events and responses until they are removed", async () => {
  const { tab, a } = await openTab();
  const likeLayer = {
    events: [{ topic: "me" as const, event: { kind: "viewer.like", blogId: "a", liked: true } as LiveEvent }],
  };
  tab.store.setLayers([likeLayer]);
  expect(a.data()?.likes).toBe(2);
  tab.sendEvent(11, "card:a", counted("a", 5));
  await until(() => a.data()?.likes === 6, "another's like");
  tab.answers.set("a", answer("a", 7, 12));
  await tab.queryClient.refetchQueries({ queryKey: tab.keyOf("a") });
  expect(a.data()?.likes).toBe(8);
  tab.store.setLayers([]);
  expect(a.data()?.likes).toBe(7);
});

test("refetches data whose lost access the next stream does not name any more", async () => {
  const { tab, a } = await openTab();
  tab.sendEvent(11, "card:a", { kind: "accessLost" });
  tab.sendEvent(11, "", { kind: "checkpoint", now: 0 });
  await until(() => a.data()?.isGone === true, "its end");
  tab.connection.restart();
  tab.sendEvent(12, "card:a", { kind: "accessLost" });
  tab.sendEvent(12, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.advancedTo.at(-1) === 12, "the next stream, which names it");
  expect(a.data()?.isGone).toBe(true);
  tab.answers.set("a", answer("a", 5, 14));
  tab.connection.peek();
  tab.sendEvent(13, "", { kind: "checkpoint", now: 0 });
  await until(() => tab.advancedTo.at(-1) === 13, "the same stream");
  expect(a.data()?.isGone).toBe(true);
  tab.connection.restart();
  tab.sendEvent(14, "", { kind: "checkpoint", now: 0 });
  await until(() => a.data()?.likes === 5, "its return");
});

test("passes each presence event to listeners without storing it, and unsubscribes from a topic that was left", async () => {
  const tab = aTab();
  tab.answers.set("a", answer("a", 1, 10));
  tab.show("a");
  const unfollow = tab.store.followTopic("reading:a:page");
  tab.store.followTopic("presence:a");
  await until(() => tab.connection.requests.at(-1)?.topics.length === 3, "the stream");
  const events: LiveEvent[] = [];
  tab.store.listen(({ event }) => events.push(event));
  const presence = (reading: number): LiveEvent => ({
    kind: "presence",
    reading,
    replying: [],
    replyingCount: 0,
  });
  tab.sendEvent(12, "", { kind: "checkpoint", now: 0 });
  // It has the cursor of the event before it, and no position of its own.
  for (const reading of [2, 3, 2]) tab.sendEvent(11, "presence:a", presence(reading));
  await until(() => events.length === 4, "all of them");
  expect(events.slice(1)).toEqual([presence(2), presence(3), presence(2)]);
  unfollow();
  await until(() => tab.connection.requests.at(-1)?.topics.length === 2, "the stream anew");
  expect(tab.connection.requests.at(-1)).toEqual({ topics: ["presence:a", "card:a"], since: "e.12" });
});

test("drops a query's own refetch when the viewer changes, and fetches in the usual way", async () => {
  const { promise: codeLoaded, resolve: loadCode } = Promise.withResolvers<void>();
  const tab = aTab({
    ...card,
    // Refetches only the shown data, once its code has loaded.
    refetch: async (_client, _input, current) => {
      await codeLoaded;
      return { ...(current() as Card), likes: 99, cursor: "e.20" };
    },
  });
  tab.store.setViewer("ana");
  tab.answers.set("a", answer("a", 1, 10));
  const a = tab.show("a");
  await until(() => tab.connection.requests.length === 1, "the stream");
  tab.sendEvent(11, "card:a", { kind: "blog.edited", jitterMs: 0 } as LiveEvent);
  await until(() => tab.queryClient.isFetching() === 1, "the question");
  tab.answers.set("a", answer("a", 7, 12));
  tab.store.setViewer(null);
  const isAnswered = tab.queryClient.invalidateQueries();
  loadCode();
  await isAnswered;
  expect(a.data()?.likes).toBe(7);
  await until(() => tab.connection.requests.length > 1, "the stream for a guest");
  tab.sendEvent(13, "card:a", { kind: "blog.edited", jitterMs: 0 } as LiveEvent);
  await until(() => a.data()?.likes === 99, "its own way again");
});

test("follows the topics of rows added to a response from the cursor at which they were read", async () => {
  interface Pair {
    cards: string[];
    likes: Record<string, number>;
    cursor: string;
  }
  const pair = liveQuery<Pair>({
    topics: ({ cards }) => ["feed", ...cards.map((id) => `card:${id}` as const)],
    on: {
      "blog.counted": (data, { blogId, likesCount }) => ({
        ...data,
        likes: { ...data.likes, [blogId]: likesCount },
      }),
    },
  });
  const tab = aTab(pair);
  tab.answers.set("x", (async () => ({ cards: ["a"], likes: {}, cursor: "e.10" })) as never);
  tab.show("x");
  await until(() => tab.connection.requests.length === 1, "the stream");
  tab.sendEvent(11, "feed", { kind: "checkpoint", now: 0 });
  tab.sendEvent(15, "card:a", counted("a", 3));
  const likes = () => tab.queryClient.getQueryData<Pair>(tab.keyOf("x"))?.likes;
  await until(() => likes()?.a === 3, "what is told of the first");

  // It was read at 12; its event at 13 was not sent to this page.
  const isJoined = tab.store.queries.updateAt<Pair>(tab.keyOf("x"), "e.12", (data) => ({
    ...data,
    cards: ["b", "a"],
  }));
  expect(isJoined).toBe(true);
  await until(() => tab.connection.requests.length === 2, "the stream of both");
  expect(tab.connection.requests[1]).toEqual({ topics: ["feed", "card:a", "card:b"], since: "e.12" });
  tab.sendEvent(13, "card:b", counted("b", 1));
  tab.sendEvent(15, "card:a", counted("a", 3));
  await until(() => likes()?.b === 1, "what is told of the second");
  expect(likes()).toEqual({ a: 3, b: 1 });
});

test("fetches a response again if rows were added to it that an event since then may have changed", async () => {
  interface Cards {
    cards: string[];
    cursor: string;
  }
  const cards = liveQuery<Cards>({
    topics: () => ["feed"],
    // Only the server knows what it says about more than one.
    on: { "feed.changed": (data) => (data.cards.length > 1 ? REFETCH : data) },
  });
  const tab = aTab(cards);
  let fetches = 0;
  tab.answers.set("x", (async () => ({
    cards: fetches++ === 0 ? ["a"] : ["c", "b", "a"],
    cursor: fetches === 1 ? "e.10" : "e.15",
  })) as never);
  tab.show("x");
  await until(() => tab.connection.requests.length === 1, "the stream");
  tab.sendEvent(11, "feed", { kind: "checkpoint", now: 0 });
  tab.sendEvent(13, "feed", { kind: "feed.changed" } as LiveEvent);
  await until(() => tab.advancedTo.at(-1) === 13, "the event");
  expect(fetches).toBe(1);
  // They were read at 12, before the event.
  tab.store.queries.updateAt<Cards>(tab.keyOf("x"), "e.12", (data) => ({ ...data, cards: ["b", "a"] }));
  const shown = () => tab.queryClient.getQueryData<Cards>(tab.keyOf("x"))?.cards;
  expect(shown()).toEqual(["b", "a"]);
  await until(() => shown()?.length === 3, "the second answer");
  expect(fetches).toBe(2);
});
