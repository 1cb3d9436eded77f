import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { trpc } from "../../../../src/client/api/trpc.ts";
import {
  countUnloadedReplies,
  isWithinPages,
  oldestFirst,
} from "../../../../src/client/comments/apply-comment-event.ts";
import { commentQueries } from "../../../../src/client/comments/comment-queries.ts";
import { loadOlder, loadReplies, loadThread } from "../../../../src/client/comments/load-comments.ts";
import type { Cache } from "../../../../src/client/comments/load-comments.ts";
import type { LiveConnectionHandlers } from "../../../../src/client/live/connection/live-connection.ts";
import { setLiveViewer, prepareLive } from "../../../../src/client/live/live.ts";
import type { MutationContext } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import type {
  CommentList,
  CommentPosition,
  Replies,
  ViewerComment,
} from "../../../../src/shared/comments.ts";
import type { LiveEvent, TopicName } from "../../../../src/shared/live.ts";
import type { Viewer } from "../../../../src/shared/users.ts";
import { ana, atMinute as at, listedComment as aComment } from "../../../support/live-queries.ts";

const ben = { ...ana, id: "ben", username: "ben", name: "Ben" };

const aList = (changes: Partial<CommentList>): CommentList => ({
  comments: [],
  folds: {},
  before: null,
  total: 0,
  cursor: "e.0",
  ...changes,
});
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

/** A small model of the server: the comments, and the events that it publishes. */
class ServerModel {
  readonly comments: ViewerComment[] = [];
  readonly events: { topic: TopicName; event: LiveEvent }[] = [];
  private createdCount = 0;
  private clock = 0;
  get cursor() {
    return `e.${this.events.length}`;
  }
  private publish(event: LiveEvent, topic: TopicName = "blog:b") {
    this.events.push({ topic, event });
  }
  private pick(chance: number) {
    return this.comments.filter((comment) => !comment.deleted)[
      chance % Math.max(1, this.comments.filter((comment) => !comment.deleted).length)
    ];
  }
  create(parentChance: number | null, author: ViewerComment["author"]) {
    const parent = parentChance === null ? undefined : this.pick(parentChance);
    const id = `c${String(++this.createdCount).padStart(4, "0")}`;
    // Times repeat, as they do on a fast machine, but a reply is always newer than its parent.
    const now = Math.floor(++this.clock / 3);
    const parentMinute = parent ? (Date.parse(parent.createdAt) - Date.parse(at(0))) / 60_000 : -1;
    const comment = aComment(id, {
      parentId: parent?.id ?? null,
      rootId: parent?.rootId ?? id,
      createdAt: at(Math.max(now, parentMinute + 1)),
      author,
    });
    this.comments.push(comment);
    this.publish({
      kind: "comment.created",
      comment,
      commentsCount: this.total,
      repliesCount: this.replies(comment.rootId).length,
    });
  }
  edit(chance: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const change = { text: `${comment.id} edited ${++this.clock}`, editedAt: at(1000 + this.clock) };
    this.comments[this.comments.indexOf(comment)] = { ...comment, ...change };
    this.publish({ kind: "comment.edited", commentId: comment.id, ...change });
  }
  like(chance: number, by: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const likesCount = Math.max(0, comment.likesCount + by);
    this.comments[this.comments.indexOf(comment)] = { ...comment, likesCount };
    this.publish({ kind: "comment.liked", commentId: comment.id, likesCount });
  }
  likeAsViewer(chance: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const liked = !comment.liked;
    const likesCount = comment.likesCount + (liked ? 1 : -1);
    this.comments[this.comments.indexOf(comment)] = { ...comment, liked, likesCount };
    this.publish({ kind: "comment.liked", commentId: comment.id, likesCount });
    this.publish({ kind: "viewer.commentLike", commentId: comment.id, blogId: "b", liked }, "me");
  }
  /** Returns an event as the server sends it, with current values; null if its comment was deleted. */
  currentEvent({
    topic,
    event,
  }: {
    topic: TopicName;
    event: LiveEvent;
  }): { topic: TopicName; event: LiveEvent } | null {
    const id =
      event.kind === "comment.created" ? event.comment.id : "commentId" in event ? event.commentId : null;
    if (id === null || event.kind === "viewer.commentLike") return { topic, event };
    const comment = this.comments.find((candidate) => candidate.id === id);
    if (!comment) return null;
    const { text, likesCount, createdAt } = comment;
    const editedAt = comment.editedAt ?? createdAt;
    if (event.kind === "comment.created") {
      const repliesCount = this.replies(comment.rootId).length;
      const commentsCount = this.total;
      const { liked: _, ...shared } = comment;
      return { topic, event: { ...event, comment: shared, commentsCount, repliesCount } };
    }
    if (event.kind === "comment.edited") return { topic, event: { ...event, text, editedAt } };
    return { topic, event: { kind: "comment.liked", commentId: id, likesCount } };
  }
  remove(chance: number, empties: boolean) {
    const comment = this.pick(chance);
    if (!comment) return;
    const idsBelow = (id: string): string[] => [
      id,
      ...this.comments.filter((reply) => reply.parentId === id).flatMap((reply) => idsBelow(reply.id)),
    ];
    const deletedIds = empties ? [] : idsBelow(comment.id);
    if (empties)
      this.comments[this.comments.indexOf(comment)] = { ...comment, author: null, text: "", deleted: true };
    else
      this.comments.splice(
        0,
        this.comments.length,
        ...this.comments.filter((other) => !deletedIds.includes(other.id)),
      );
    this.publish({
      kind: "comment.deleted",
      commentIds: deletedIds,
      emptied: empties ? [comment.id] : [],
      commentsCount: this.total,
      repliesCounts: empties ? {} : { [comment.rootId]: this.replies(comment.rootId).length },
    });
  }
  /** Emptied comments are not counted. */
  get total() {
    return this.comments.filter(({ deleted }) => !deleted).length;
  }
  replies(rootId: string) {
    return this.comments
      .filter((comment) => comment.rootId === rootId && comment.parentId !== null)
      .toSorted(oldestFirst);
  }
  page(before: string | null, { size = 3, loadedReplies = 2, including = "" } = {}): CommentList {
    const roots = this.comments
      .filter((comment) => comment.parentId === null)
      .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1));
    const start = before === null ? 0 : roots.findIndex((root) => root.id === before) + 1;
    const visibleRoots = roots.slice(start, start + size);
    const last = visibleRoots.at(-1);
    const linked = this.comments.find(({ id }) => id === including);
    const linkedRoot = roots.find(({ id }) => id === linked?.rootId);
    if (linkedRoot && !visibleRoots.includes(linkedRoot)) visibleRoots.push(linkedRoot);
    const list = aList({
      before: start + size < roots.length ? (last?.id ?? null) : null,
      total: this.total,
      cursor: this.cursor,
    });
    for (const root of visibleRoots) {
      const replies = this.replies(root.id);
      list.comments.push(root, ...replies.slice(0, loadedReplies));
      const { createdAt, id } = replies[loadedReplies - 1] ?? root;
      if (replies.length > loadedReplies)
        list.folds[root.id] = { repliesCount: replies.length, after: { createdAt, id } };
    }
    for (
      let ancestor = linked;
      ancestor;
      ancestor = this.comments.find(({ id }) => id === ancestor?.parentId)
    )
      if (!list.comments.includes(ancestor)) list.comments.push(ancestor);
    return list;
  }
  more(rootId: string, after: CommentPosition, size = 2): Replies {
    const remaining = this.replies(rootId).filter((reply) => oldestFirst(reply, after) > 0);
    const page = remaining.slice(0, size);
    const { createdAt, id } = page.at(-1) ?? after;
    const repliesCount = this.replies(rootId).length;
    return {
      comments: page,
      folds: remaining.length > size ? { [rootId]: { repliesCount, after: { createdAt, id } } } : {},
      total: this.total,
      cursor: this.cursor,
    };
  }
}

interface PendingRequest {
  deliver: () => void;
}

/** An open page of Ana's: its data, its position in the event stream and its pending requests. */
class OpenPage {
  #receivedCount: number;
  #pendingRequests: PendingRequest[] = [];
  #handlers: LiveConnectionHandlers | undefined;
  readonly #server: ServerModel;
  readonly #queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, networkMode: "always" } },
  });
  readonly #key = getQueryKey(trpc.comments.list, { blogId: "b" }, "query");
  readonly #cache: Cache;

  constructor(server: ServerModel) {
    this.#server = server;
    this.#receivedCount = server.events.length;
    const client = {
      comments: {
        list: {
          query: ({ before = null, including = "" }: { before?: string | null; including?: string }) =>
            this.#request(() =>
              before !== null && !server.comments.some(({ id }) => id === before)
                ? null
                : server.page(before, { including }),
            ),
        },
        replies: {
          query: ({ rootId, after }: { rootId: string; after: CommentPosition }) =>
            this.#request(() =>
              server.comments.some(({ id }) => id === rootId) ? server.more(rootId, after) : null,
            ),
        },
      },
    } as unknown as MutationContext["client"];
    this.#cache = {
      client,
      comments: { list: { getData: () => this.#queryClient.getQueryData(this.#key) } },
    } as unknown as Cache;
    const line = {
      follow: (_: unknown, handlers: LiveConnectionHandlers) => void (this.#handlers = handlers),
      restart: () => undefined,
    };
    this.#queryClient.setQueryData(this.#key, server.page(null));
    const context = { client, navigate: () => undefined };
    prepareLive(this.#queryClient, commentQueries, line, context, () => undefined)();
    setLiveViewer({ ...ana, session: "s" } as unknown as Viewer);
    // Sets the page again for the new viewer.
    this.#queryClient.setQueryData(this.#key, server.page(null));
    new QueryObserver(this.#queryClient, {
      queryKey: this.#key,
      queryFn: () => client.comments.list.query({ blogId: "b" }),
    }).subscribe(() => undefined);
  }

  get state(): CommentList {
    return this.#queryClient.getQueryData<CommentList>(this.#key)!;
  }

  /** A response has the data of the moment of its request, and arrives when `receiveResponse` is called. */
  #request<T>(answer: () => T | null): Promise<T> {
    const response = structuredClone(answer());
    return new Promise((resolve, reject) => {
      const deliver = () => (response === null ? reject({ data: { code: "NOT_FOUND" } }) : resolve(response));
      this.#pendingRequests.push({ deliver });
    });
  }

  async receiveEvents(count: number) {
    const events = this.#server.events.slice(this.#receivedCount, this.#receivedCount + count);
    for (const event of events) {
      this.#receivedCount++;
      const message = this.#server.currentEvent(event);
      if (message) this.#handlers!.onMessage({ cursor: `e.${this.#receivedCount}`, ...message });
    }
    await vi.advanceTimersByTimeAsync(10);
  }
  /** Drops the connection and resumes `count` events earlier. */
  drop(count: number) {
    this.#receivedCount = Math.max(0, this.#receivedCount - count);
  }
  /** Resets the page after a long absence: the events in between are not sent. */
  reset() {
    this.#receivedCount = this.#server.events.length;
    this.#handlers!.onMessage({
      cursor: this.#server.cursor,
      topic: "",
      event: { kind: "reset", jitterMs: 0 },
    });
  }
  toggleAccess() {
    for (const kind of ["accessLost", "accessRestored"] as const)
      this.#handlers!.onMessage({ cursor: `e.${this.#receivedCount}`, topic: "blog:b", event: { kind } });
  }
  loadOlderComments() {
    void loadOlder(this.#cache, "b").catch(() => undefined);
  }
  unfold(index: number) {
    const folded = Object.keys(this.state.folds);
    const rootId = folded[index % Math.max(1, folded.length)];
    if (rootId) void loadReplies(this.#cache, "b", rootId).catch(() => undefined);
  }
  link(index: number) {
    const linked = this.#server.comments[index % Math.max(1, this.#server.comments.length)];
    if (linked) void loadThread(this.#cache, "b", linked.id).catch(() => undefined);
  }
  async receiveResponse() {
    this.#pendingRequests.shift()?.deliver();
    await vi.advanceTimersByTimeAsync(10);
  }
  async settle() {
    await this.receiveEvents(Infinity);
    while (this.#pendingRequests.length > 0) await this.receiveResponse();
    await this.receiveEvents(Infinity);
    if (this.#pendingRequests.length > 0) await this.settle();
  }
}

type Step = (server: ServerModel, reader: OpenPage) => void | Promise<void>;
const chance = fc.nat(1000);
const weightedStep = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T, server: ServerModel, reader: OpenPage) => void | Promise<void>,
) => ({
  weight,
  arbitrary: arbitrary.map(
    (value): Step =>
      (server, reader) =>
        act(value, server, reader),
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  weightedStep(
    6,
    fc.tuple(fc.option(chance, { freq: 4 }), fc.constantFrom(ana, ben, ben)),
    ([parent, author], server) => server.create(parent, author),
  ),
  weightedStep(2, chance, (index, server) => server.edit(index)),
  weightedStep(2, fc.tuple(chance, fc.constantFrom(1, -1)), ([index, by], server) => server.like(index, by)),
  weightedStep(1, chance, (index, server) => server.likeAsViewer(index)),
  weightedStep(2, fc.tuple(chance, fc.boolean()), ([index, empties], server) =>
    server.remove(index, empties),
  ),
  weightedStep(4, fc.integer({ min: 1, max: 6 }), (count, _, reader) => reader.receiveEvents(count)),
  weightedStep(1, fc.integer({ min: 1, max: 8 }), (count, _, reader) => reader.drop(count)),
  weightedStep(1, fc.constantFrom(true, true, false), (isReset, _, reader) =>
    isReset ? reader.reset() : reader.toggleAccess(),
  ),
  weightedStep(2, fc.constant(0), (_, __, reader) => reader.loadOlderComments()),
  weightedStep(2, chance, (index, _, reader) => reader.unfold(index)),
  weightedStep(1, chance, (index, _, reader) => reader.link(index)),
  weightedStep(4, fc.constant(0), (_, __, reader) => reader.receiveResponse()),
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs `before` on a new server, opens a page, runs `after` with both and waits until the page has caught up. */
async function runHistory(before: Step[], after: Step[]): Promise<[ServerModel, OpenPage]> {
  const server = new ServerModel();
  const noReader = {
    receiveEvents() {},
    drop() {},
    reset() {},
    toggleAccess() {},
    loadOlderComments() {},
    unfold() {},
    link() {},
    receiveResponse() {},
  };
  for (const act of before) void act(server, noReader as unknown as OpenPage);
  const reader = new OpenPage(server);
  await vi.advanceTimersByTimeAsync(10);
  for (const act of after) await act(server, reader);
  await reader.settle();
  return [server, reader];
}

const history = (maxLength: number) => fc.array(step, { maxLength });

test("ends as a freshly loaded page, in whatever order events and responses arrive", async () => {
  await fc.assert(
    fc.asyncProperty(history(30), history(60), async (before, after) => {
      const [server, { state }] = await runHistory(before, after);
      // Each comment is as it is on the server.
      const truth = new Map(server.comments.map((comment) => [comment.id, comment]));
      for (const comment of state.comments) expect(comment).toEqual(truth.get(comment.id));
      // No comment is missing up to the fold of a thread that is within the pages or was fetched by itself.
      for (const comment of server.comments) {
        const root = truth.get(comment.rootId) ?? comment;
        if (!isWithinPages(state, root) && !ids(state).includes(root.id)) continue;
        const fold = state.folds[root.id];
        if (comment === root || !fold || oldestFirst(comment, fold.after) <= 0)
          expect(ids(state)).toContain(comment.id);
      }
      expect(state.comments.length).toBe(new Set(ids(state)).size);
      // Folded replies are counted.
      for (const rootId of Object.keys(state.folds)) {
        const loaded = state.comments.filter((one) => one.rootId === rootId && one.parentId !== null);
        expect(countUnloadedReplies(state, rootId)).toBe(server.replies(rootId).length - loaded.length);
      }
      expect(state.total).toBe(server.total);
    }),
    { numRuns: 1500 },
  );
});

test("shows what the viewer writes during a visit, even in a folded thread", async () => {
  await fc.assert(
    fc.asyncProperty(history(30), history(30), async (before, after) => {
      const [server, reader] = await runHistory(before, after);
      // She replies to a comment that she sees.
      const visible = reader.state.comments.find((comment) => !comment.deleted);
      if (!visible) return;
      const alive = server.comments.filter((comment) => !comment.deleted);
      server.create(
        alive.findIndex(({ id }) => id === visible.id),
        ana,
      );
      await reader.receiveEvents(Infinity);
      expect(ids(reader.state)).toContain(server.comments.at(-1)?.id);
    }),
  );
});
