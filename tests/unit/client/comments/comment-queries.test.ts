import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { trpc } from "../../../../src/client/api/trpc.ts";
import {
  hiddenReplies,
  isWithinPages,
  oldestFirst,
} from "../../../../src/client/comments/apply-comment-event.ts";
import { commentQueries } from "../../../../src/client/comments/comment-queries.ts";
import { loadOlder, loadReplies, loadThread } from "../../../../src/client/comments/load.ts";
import type { Cache } from "../../../../src/client/comments/load.ts";
import type { LiveConnectionHandlers } from "../../../../src/client/live/connection/live-connection.ts";
import { setLiveViewer, prepareLive } from "../../../../src/client/live/live.ts";
import type { MutationContext } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import type { CommentList, Place, Replies, SeenComment } from "../../../../src/shared/comments.ts";
import type { LiveEvent, TopicName } from "../../../../src/shared/live.ts";
import type { Viewer } from "../../../../src/shared/users.ts";

const ana = { id: "ana", username: "ana", name: "Ana", picture: null };
const ben = { ...ana, id: "ben", username: "ben", name: "Ben" };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

function aComment(id: string, more: Partial<SeenComment> = {}): SeenComment {
  return {
    id,
    blogId: "b",
    parentId: null,
    rootId: id,
    author: ana,
    text: id,
    createdAt: at(0),
    editedAt: null,
    deleted: false,
    likesCount: 0,
    liked: false,
    ...more,
  };
}
const aList = (more: Partial<CommentList>): CommentList => ({
  comments: [],
  folds: {},
  before: null,
  total: 0,
  cursor: "e.0",
  ...more,
});
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

/** What a server does, in small: the truth, and the facts it tells of. */
class Town {
  readonly comments: SeenComment[] = [];
  readonly facts: { topic: TopicName; event: LiveEvent }[] = [];
  private made = 0;
  private clock = 0;
  get cursor() {
    return `e.${this.facts.length}`;
  }
  private tell(event: LiveEvent, topic: TopicName = "blog:b") {
    this.facts.push({ topic, event });
  }
  private pick(chance: number) {
    return this.comments.filter((comment) => !comment.deleted)[
      chance % Math.max(1, this.comments.filter((comment) => !comment.deleted).length)
    ];
  }
  create(parentChance: number | null, author: SeenComment["author"]) {
    const parent = parentChance === null ? undefined : this.pick(parentChance);
    const id = `c${String(++this.made).padStart(4, "0")}`;
    // Times repeat, as they do on a fast machine, but no reply is as old as what it answers.
    const now = Math.floor(++this.clock / 3);
    const above = parent ? (Date.parse(parent.createdAt) - Date.parse(at(0))) / 60_000 : -1;
    const comment = aComment(id, {
      parentId: parent?.id ?? null,
      rootId: parent?.rootId ?? id,
      createdAt: at(Math.max(now, above + 1)),
      author,
    });
    this.comments.push(comment);
    this.tell({
      kind: "comment.created",
      comment,
      commentsCount: this.comments.length,
      repliesCount: this.replies(comment.rootId).length,
    });
  }
  edit(chance: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const change = { text: `${comment.id} edited ${++this.clock}`, editedAt: at(1000 + this.clock) };
    this.comments[this.comments.indexOf(comment)] = { ...comment, ...change };
    this.tell({ kind: "comment.edited", commentId: comment.id, ...change });
  }
  like(chance: number, by: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const likesCount = Math.max(0, comment.likesCount + by);
    this.comments[this.comments.indexOf(comment)] = { ...comment, likesCount };
    this.tell({ kind: "comment.liked", commentId: comment.id, likesCount });
  }
  likeHere(chance: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const liked = !comment.liked;
    const likesCount = comment.likesCount + (liked ? 1 : -1);
    this.comments[this.comments.indexOf(comment)] = { ...comment, liked, likesCount };
    this.tell({ kind: "comment.liked", commentId: comment.id, likesCount });
    this.tell({ kind: "viewer.commentLike", commentId: comment.id, blogId: "b", liked }, "me");
  }
  /** As the server tells it: with what things are by now, and nothing of what is gone. */
  presented({
    topic,
    event,
  }: {
    topic: TopicName;
    event: LiveEvent;
  }): { topic: TopicName; event: LiveEvent } | null {
    const id =
      event.kind === "comment.created" ? event.comment.id : "commentId" in event ? event.commentId : null;
    if (id === null || event.kind === "viewer.commentLike") return { topic, event };
    const comment = this.comments.find((one) => one.id === id);
    if (!comment) return null;
    const { text, likesCount, createdAt } = comment;
    const editedAt = comment.editedAt ?? createdAt;
    if (event.kind === "comment.created") {
      const repliesCount = this.replies(comment.rootId).length;
      const commentsCount = this.comments.length;
      const { liked: _, ...shared } = comment;
      return { topic, event: { ...event, comment: shared, commentsCount, repliesCount } };
    }
    if (event.kind === "comment.edited") return { topic, event: { ...event, text, editedAt } };
    return { topic, event: { kind: "comment.liked", commentId: id, likesCount } };
  }
  remove(chance: number, empties: boolean) {
    const comment = this.pick(chance);
    if (!comment) return;
    const below = (id: string): string[] => [
      id,
      ...this.comments.filter((reply) => reply.parentId === id).flatMap((reply) => below(reply.id)),
    ];
    const gone = empties ? [] : below(comment.id);
    if (empties)
      this.comments[this.comments.indexOf(comment)] = { ...comment, author: null, text: "", deleted: true };
    else
      this.comments.splice(
        0,
        this.comments.length,
        ...this.comments.filter((other) => !gone.includes(other.id)),
      );
    this.tell({
      kind: "comment.deleted",
      commentIds: gone,
      emptied: empties ? [comment.id] : [],
      commentsCount: this.comments.length,
      repliesCounts: empties ? {} : { [comment.rootId]: this.replies(comment.rootId).length },
    });
  }
  replies(rootId: string) {
    return this.comments
      .filter((comment) => comment.rootId === rootId && comment.parentId !== null)
      .toSorted(oldestFirst);
  }
  page(before: string | null, { size = 3, few = 2, including = "" } = {}): CommentList {
    const roots = this.comments
      .filter((comment) => comment.parentId === null)
      .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1));
    const start = before === null ? 0 : roots.findIndex((root) => root.id === before) + 1;
    const shown = roots.slice(start, start + size);
    const last = shown.at(-1);
    const linked = this.comments.find(({ id }) => id === including);
    const linkedRoot = roots.find(({ id }) => id === linked?.rootId);
    if (linkedRoot && !shown.includes(linkedRoot)) shown.push(linkedRoot);
    const list = aList({
      before: start + size < roots.length ? (last?.id ?? null) : null,
      total: this.comments.length,
      cursor: this.cursor,
    });
    for (const root of shown) {
      const replies = this.replies(root.id);
      list.comments.push(root, ...replies.slice(0, few));
      const { createdAt, id } = replies[few - 1] ?? root;
      if (replies.length > few)
        list.folds[root.id] = { repliesCount: replies.length, after: { createdAt, id } };
    }
    for (let one = linked; one; one = this.comments.find(({ id }) => id === one?.parentId))
      if (!list.comments.includes(one)) list.comments.push(one);
    return list;
  }
  more(rootId: string, after: Place, size = 2): Replies {
    const left = this.replies(rootId).filter((reply) => oldestFirst(reply, after) > 0);
    const page = left.slice(0, size);
    const { createdAt, id } = page.at(-1) ?? after;
    const repliesCount = this.replies(rootId).length;
    return {
      comments: page,
      folds: left.length > size ? { [rootId]: { repliesCount, after: { createdAt, id } } } : {},
      total: this.comments.length,
      cursor: this.cursor,
    };
  }
}

interface UnderWay {
  come: () => void;
}

/** A page in Ana's browser: what it shows, how far its stream has come, and the answers that are under way. */
class Reader {
  #heardUpTo: number;
  #underWay: UnderWay[] = [];
  #handlers: LiveConnectionHandlers | undefined;
  readonly #town: Town;
  readonly #queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, networkMode: "always" } },
  });
  readonly #key = getQueryKey(trpc.comments.list, { blogId: "b" }, "query");
  readonly #cache: Cache;

  constructor(town: Town) {
    this.#town = town;
    this.#heardUpTo = town.facts.length;
    const client = {
      comments: {
        list: {
          query: ({ before = null, including = "" }: { before?: string | null; including?: string }) =>
            this.#ask(() =>
              before !== null && !town.comments.some(({ id }) => id === before)
                ? null
                : town.page(before, { including }),
            ),
        },
        replies: {
          query: ({ rootId, after }: { rootId: string; after: Place }) =>
            this.#ask(() =>
              town.comments.some(({ id }) => id === rootId) ? town.more(rootId, after) : null,
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
    this.#queryClient.setQueryData(this.#key, town.page(null));
    const hands = { client, navigate: () => undefined };
    prepareLive(this.#queryClient, commentQueries, line, hands, () => undefined)();
    setLiveViewer({ ...ana, session: "s" } as unknown as Viewer);
    // What stood there before is heard of anew.
    this.#queryClient.setQueryData(this.#key, town.page(null));
    new QueryObserver(this.#queryClient, {
      queryKey: this.#key,
      queryFn: () => client.comments.list.query({ blogId: "b" }),
    }).subscribe(() => undefined);
  }

  get state(): CommentList {
    return this.#queryClient.getQueryData<CommentList>(this.#key)!;
  }

  /** Answers are as of when they were asked for, and come when they come. */
  #ask<T>(answer: () => T | null): Promise<T> {
    const read = structuredClone(answer());
    return new Promise((resolve, reject) => {
      const come = () => (read === null ? reject({ data: { code: "NOT_FOUND" } }) : resolve(read));
      this.#underWay.push({ come });
    });
  }

  async hear(count: number) {
    const facts = this.#town.facts.slice(this.#heardUpTo, this.#heardUpTo + count);
    for (const fact of facts) {
      this.#heardUpTo++;
      const told = this.#town.presented(fact);
      if (told) this.#handlers!.onMessage({ cursor: `e.${this.#heardUpTo}`, ...told });
    }
    await vi.advanceTimersByTimeAsync(10);
  }
  /** The connection drops, and resumes from something it had already heard. */
  drop(back: number) {
    this.#heardUpTo = Math.max(0, this.#heardUpTo - back);
  }
  /** It was away for too long: nothing of what happened meanwhile is told. */
  reset() {
    this.#heardUpTo = this.#town.facts.length;
    this.#handlers!.onMessage({
      cursor: this.#town.cursor,
      topic: "",
      event: { kind: "reset", jitterMs: 0 },
    });
  }
  shut() {
    for (const kind of ["accessLost", "accessRestored"] as const)
      this.#handlers!.onMessage({ cursor: `e.${this.#heardUpTo}`, topic: "blog:b", event: { kind } });
  }
  ask() {
    void loadOlder(this.#cache, "b").catch(() => undefined);
  }
  unfold(which: number) {
    const folded = Object.keys(this.state.folds);
    const rootId = folded[which % Math.max(1, folded.length)];
    if (rootId) void loadReplies(this.#cache, "b", rootId).catch(() => undefined);
  }
  link(which: number) {
    const linked = this.#town.comments[which % Math.max(1, this.#town.comments.length)];
    if (linked) void loadThread(this.#cache, "b", linked.id).catch(() => undefined);
  }
  async receive() {
    this.#underWay.shift()?.come();
    await vi.advanceTimersByTimeAsync(10);
  }
  async settle() {
    await this.hear(Infinity);
    while (this.#underWay.length > 0) await this.receive();
    await this.hear(Infinity);
    if (this.#underWay.length > 0) await this.settle();
  }
}

type Step = (town: Town, reader: Reader) => void | Promise<void>;
const chance = fc.nat(1000);
const some = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T, town: Town, reader: Reader) => void | Promise<void>,
) => ({
  weight,
  arbitrary: arbitrary.map(
    (value): Step =>
      (town, reader) =>
        act(value, town, reader),
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  some(
    6,
    fc.tuple(fc.option(chance, { freq: 4 }), fc.constantFrom(ana, ben, ben)),
    ([parent, author], town) => town.create(parent, author),
  ),
  some(2, chance, (which, town) => town.edit(which)),
  some(2, fc.tuple(chance, fc.constantFrom(1, -1)), ([which, by], town) => town.like(which, by)),
  some(1, chance, (which, town) => town.likeHere(which)),
  some(2, fc.tuple(chance, fc.boolean()), ([which, empties], town) => town.remove(which, empties)),
  some(4, fc.integer({ min: 1, max: 6 }), (count, _, reader) => reader.hear(count)),
  some(1, fc.integer({ min: 1, max: 8 }), (back, _, reader) => reader.drop(back)),
  some(1, fc.constantFrom(true, true, false), (isReset, _, reader) =>
    isReset ? reader.reset() : reader.shut(),
  ),
  some(2, fc.constant(0), (_, __, reader) => reader.ask()),
  some(2, chance, (which, _, reader) => reader.unfold(which)),
  some(1, chance, (which, _, reader) => reader.link(which)),
  some(4, fc.constant(0), (_, __, reader) => reader.receive()),
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A town with a past, and a page of it that was opened since. */
async function afterAll(before: Step[], after: Step[]): Promise<[Town, Reader]> {
  const town = new Town();
  const nobody = {
    hear() {},
    drop() {},
    reset() {},
    shut() {},
    ask() {},
    unfold() {},
    link() {},
    receive() {},
  };
  for (const act of before) void act(town, nobody as unknown as Reader);
  const reader = new Reader(town);
  await vi.advanceTimersByTimeAsync(10);
  for (const act of after) await act(town, reader);
  await reader.settle();
  return [town, reader];
}

const history = (maxLength: number) => fc.array(step, { maxLength });

test("whatever happens, in whatever order it is heard and answered, an open page ends as a fresh one", async () => {
  await fc.assert(
    fc.asyncProperty(history(30), history(60), async (before, after) => {
      const [town, { state }] = await afterAll(before, after);
      // Whatever is there is as it is on the server.
      const truth = new Map(town.comments.map((comment) => [comment.id, comment]));
      for (const comment of state.comments) expect(comment).toEqual(truth.get(comment.id));
      // Nothing is missing: of each thread within the pages, and of those fetched by themselves, all up to its fold.
      for (const comment of town.comments) {
        const root = truth.get(comment.rootId) ?? comment;
        if (!isWithinPages(state, root) && !ids(state).includes(root.id)) continue;
        const fold = state.folds[root.id];
        if (comment === root || !fold || oldestFirst(comment, fold.after) <= 0)
          expect(ids(state)).toContain(comment.id);
      }
      expect(state.comments.length).toBe(new Set(ids(state)).size);
      // What is folded is counted.
      for (const rootId of Object.keys(state.folds)) {
        const loaded = state.comments.filter((one) => one.rootId === rootId && one.parentId !== null);
        expect(hiddenReplies(state, rootId)).toBe(town.replies(rootId).length - loaded.length);
      }
      expect(state.total).toBe(town.comments.length);
    }),
    { numRuns: 1500 },
  );
});

test("what the reader writes during a visit is seen, however folded its thread is", async () => {
  await fc.assert(
    fc.asyncProperty(history(30), history(30), async (before, after) => {
      const [town, reader] = await afterAll(before, after);
      // She answers what she sees.
      const seen = reader.state.comments.find((comment) => !comment.deleted);
      if (!seen) return;
      const alive = town.comments.filter((comment) => !comment.deleted);
      town.create(
        alive.findIndex(({ id }) => id === seen.id),
        ana,
      );
      await reader.hear(Infinity);
      expect(ids(reader.state)).toContain(town.comments.at(-1)?.id);
    }),
  );
});
