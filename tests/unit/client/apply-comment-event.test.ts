import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addComments,
  applyBlogEvent,
  applyCommentEvent,
  hiddenReplies,
  isCommentEvent,
  isWithinPages,
  oldestFirst,
} from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentEvent } from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentList, Place, Replies, SeenComment } from "../../../src/shared/comments.ts";
import type { BlogEvent } from "../../../src/shared/events.ts";

const ana = { id: "ana", username: "ana", name: "Ana", picture: null };
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
function aList(comments: SeenComment[], more: Partial<CommentList> = {}): CommentList {
  return { comments, folds: {}, before: null, total: comments.length, cursor: "0", ...more };
}
const counts = (commentsCount: number, repliesCount = 0, repliesCounts: Record<string, number> = {}) => ({
  commentsCount,
  repliesCount,
  repliesCounts,
});
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

describe("an event on a list of comments", () => {
  test("a new comment comes in once, with the server's count", () => {
    const event: CommentEvent = { kind: "comment.created", comment: aComment("new"), ...counts(9) };
    const once = applyCommentEvent(aList([aComment("old")]), event);
    expect(ids(once)).toEqual(["old", "new"]);
    expect(once.total).toBe(9);
    expect(applyCommentEvent(once, event)).toBe(once);
  });

  test("the server's event settles the comment that this page made itself", () => {
    const own = applyCommentEvent(aList([]), { kind: "comment.created", comment: aComment("mine") });
    expect(own.total).toBe(1);
    const settled = applyCommentEvent(own, {
      kind: "comment.created",
      comment: aComment("mine", { createdAt: at(1) }),
      ...counts(1),
    });
    expect(ids(settled)).toEqual(["mine"]);
    expect(settled.total).toBe(1);
  });

  test("a reply to a thread that is not loaded only counts", () => {
    const list = applyCommentEvent(aList([aComment("loaded")]), {
      kind: "comment.created",
      comment: aComment("reply", { parentId: "elsewhere", rootId: "elsewhere" }),
      ...counts(7),
    });
    expect(ids(list)).toEqual(["loaded"]);
    expect(list.total).toBe(7);
  });

  test("a thread older than the pages that are loaded does not slip in", () => {
    const list = aList([aComment("bound", { createdAt: at(5) })], { before: "bound", total: 9 });
    expect(
      ids(
        applyCommentEvent(list, {
          kind: "comment.created",
          comment: aComment("older", { createdAt: at(4) }),
          ...counts(9),
        }),
      ),
    ).toEqual(["bound"]);
  });

  test("an older edit never replaces a newer one", () => {
    const list = aList([aComment("a", { text: "newer", editedAt: at(9) })]);
    expect(
      applyCommentEvent(list, { kind: "comment.edited", commentId: "a", text: "older", editedAt: at(8) }),
    ).toBe(list);
  });

  test("deleting takes everything below along, also a reply of ours that is still on its way", () => {
    const list = aList([
      aComment("a"),
      aComment("b", { parentId: "a", rootId: "a" }),
      aComment("mine", { parentId: "b", rootId: "a" }),
      aComment("c"),
    ]);
    const left = applyCommentEvent(list, {
      kind: "comment.deleted",
      commentIds: ["a", "b"],
      emptied: [],
      ...counts(1),
    });
    expect(ids(left)).toEqual(["c"]);
  });

  test("an emptied comment keeps its place and its replies", () => {
    const list = aList([aComment("a", { text: "secret" }), aComment("b", { parentId: "a", rootId: "a" })]);
    const left = applyCommentEvent(list, {
      kind: "comment.deleted",
      commentIds: [],
      emptied: ["a"],
      ...counts(1),
    });
    expect(ids(left)).toEqual(["a", "b"]);
    expect(left.comments[0]).toMatchObject({ deleted: true, author: null, text: "" });
  });

  test("where the last thread goes, older ones are asked for from the one above it", () => {
    const list = aList(
      [
        aComment("new", { createdAt: at(3) }),
        aComment("mid", { createdAt: at(2) }),
        aComment("bound", { createdAt: at(1) }),
      ],
      { before: "bound" },
    );
    expect(
      applyCommentEvent(list, {
        kind: "comment.deleted",
        commentIds: ["bound"],
        emptied: [],
        ...counts(2),
      }).before,
    ).toBe("mid");
  });

  test("my own like stays while others like", () => {
    const list = aList([aComment("a", { liked: true, likesCount: 1 })]);
    expect(
      applyCommentEvent(list, { kind: "comment.liked", commentId: "a", likesCount: 2 }).comments[0],
    ).toMatchObject({ liked: true, likesCount: 2 });
  });

  test("a reply in a folded thread only counts, unless the reader wrote it", () => {
    const list = aList([aComment("a"), aComment("b", { parentId: "a", rootId: "a", createdAt: at(1) })], {
      folds: { a: { repliesCount: 9, after: { id: "b", createdAt: at(1) } } },
    });
    const reply = (id: string) => aComment(id, { parentId: "b", rootId: "a", createdAt: at(20) });
    const event = { kind: "comment.created", comment: reply("c"), ...counts(11, 10) } as const;
    const heard = applyCommentEvent(list, event);
    expect(ids(heard)).toEqual(["a", "b"]);
    expect(hiddenReplies(heard, "a")).toBe(9);
    expect(applyCommentEvent(heard, event)).toBe(heard);
    const own = applyCommentEvent(list, { ...event, own: true });
    expect(ids(own)).toEqual(["a", "b", "c"]);
    expect(hiddenReplies(own, "a")).toBe(8);
    const sending = applyCommentEvent(list, { kind: "comment.created", comment: reply("c") });
    expect(ids(sending)).toEqual(["a", "b", "c"]);
    expect(hiddenReplies(sending, "a")).toBe(8);
  });

  test("a reply that belongs before the fold is shown, however late it is told of", () => {
    const list = aList([aComment("a"), aComment("c", { parentId: "a", rootId: "a", createdAt: at(5) })], {
      folds: { a: { repliesCount: 9, after: { id: "c", createdAt: at(5) } } },
    });
    const comment = aComment("b", { parentId: "a", rootId: "a", createdAt: at(4) });
    expect(
      ids(applyCommentEvent(list, { kind: "comment.created", comment, ...counts(11, 10) })).toSorted(),
    ).toEqual(["a", "b", "c"]);
  });

  test("a thread that was unfolded stays so when a page brings its beginning again", () => {
    const replies = ["b", "c"].map((id, index) =>
      aComment(id, { parentId: "a", rootId: "a", createdAt: at(index + 1) }),
    );
    const foldAfter = (minute: number, id: string, repliesCount: number) => ({
      a: { repliesCount, after: { id, createdAt: at(minute) } },
    });
    const again = aList([aComment("a"), ...replies.slice(0, 1)], { folds: foldAfter(1, "b", 8), total: 9 });
    expect(addComments(aList([aComment("a"), ...replies]), again, []).folds).toEqual({});
    const further = aList([aComment("a"), ...replies], { folds: foldAfter(2, "c", 7) });
    expect(addComments(further, again, []).folds).toEqual(foldAfter(2, "c", 8));
  });

  test("what goes from the folded part of a thread is no longer counted there", () => {
    const list = aList([aComment("a"), aComment("b", { parentId: "a", rootId: "a", createdAt: at(1) })], {
      folds: { a: { repliesCount: 9, after: { id: "b", createdAt: at(1) } } },
      total: 10,
    });
    const deleted = { kind: "comment.deleted" as const, emptied: [] };
    const left = applyCommentEvent(list, { ...deleted, commentIds: ["x", "y"], ...counts(8, 0, { a: 7 }) });
    expect(ids(left)).toEqual(["a", "b"]);
    expect(hiddenReplies(left, "a")).toBe(6);
    // One's own deletion of all of it, before the server has said what went.
    const gone = applyCommentEvent(list, { ...deleted, commentIds: ["a"] });
    expect(gone).toMatchObject({ comments: [], folds: {}, total: 0 });
  });

  test("the blog's numbers follow", () => {
    const blog = { likesCount: 1, savesCount: 1, commentsCount: 1 };
    expect(applyBlogEvent(blog, { kind: "blog.liked", likesCount: 2 }).likesCount).toBe(2);
    expect(applyBlogEvent(blog, { kind: "blog.saved", savesCount: 3 }).savesCount).toBe(3);
    expect(
      applyBlogEvent(blog, { kind: "comment.deleted", commentIds: [], emptied: [], ...counts(0) })
        .commentsCount,
    ).toBe(0);
    expect(applyBlogEvent(blog, { kind: "blog.liked", likesCount: 1 })).toBe(blog);
  });
});

/** What a server does, in small: the truth, and the facts it tells of. */
class Town {
  readonly comments: SeenComment[] = [];
  readonly facts: BlogEvent[] = [];
  private made = 0;
  private clock = 0;
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
    this.facts.push({
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
    this.facts.push({ kind: "comment.edited", commentId: comment.id, ...change });
  }
  like(chance: number, by: number) {
    const comment = this.pick(chance);
    if (!comment) return;
    const likesCount = Math.max(0, comment.likesCount + by);
    this.comments[this.comments.indexOf(comment)] = { ...comment, likesCount };
    this.facts.push({ kind: "comment.liked", commentId: comment.id, likesCount });
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
    this.facts.push({
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
    const list = aList([], {
      before: start + size < roots.length ? (last?.id ?? null) : null,
      total: this.comments.length,
      cursor: String(this.facts.length),
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
      cursor: String(this.facts.length),
    };
  }
}

/** A page in a browser: a list, how far its stream has come, and what is under way. Its reader is Ana. */
class Reader {
  state: CommentList;
  private heardUpTo: number;
  private underWay:
    | { page: Replies; how: { before?: string | null; rootId?: string }; heard: CommentEvent[] }
    | undefined;
  private readonly town: Town;
  constructor(town: Town) {
    this.town = town;
    this.state = town.page(null);
    this.heardUpTo = Number(this.state.cursor);
  }
  hear(count: number) {
    for (const fact of this.town.facts.slice(this.heardUpTo, this.heardUpTo + count)) {
      this.heardUpTo++;
      if (!isCommentEvent(fact)) continue;
      const event = { ...fact, own: fact.kind === "comment.created" && fact.comment.author?.id === ana.id };
      this.state = applyCommentEvent(this.state, event);
      this.underWay?.heard.push(event);
    }
  }
  /** The connection drops, and resumes from something it had already heard. */
  drop(back: number) {
    this.heardUpTo = Math.max(0, this.heardUpTo - back);
  }
  private begin(page: Replies, how: { before?: string | null; rootId?: string }) {
    this.underWay ??= { page, how, heard: [] };
  }
  ask() {
    const known = this.state.before;
    if (known === null || !this.town.comments.some((comment) => comment.id === known)) return;
    const page = this.town.page(known);
    this.begin(page, { before: page.before });
  }
  unfold(which: number) {
    const folded = Object.entries(this.state.folds);
    const [rootId, fold] = folded[which % Math.max(1, folded.length)] ?? [];
    if (rootId && fold && this.town.comments.some(({ id }) => id === rootId))
      this.begin(this.town.more(rootId, fold.after), { rootId });
  }
  link(which: number) {
    const linked = this.town.comments[which % Math.max(1, this.town.comments.length)];
    if (linked && !this.underWay) this.linking = true;
    if (linked) this.begin(this.town.page(null, { including: linked.id }), {});
  }
  private linking = false;
  receive() {
    if (!this.underWay) return;
    const { page, how, heard } = this.underWay;
    this.state = addComments(this.state, page, heard, this.linking ? { before: this.state.before } : how);
    this.linking = false;
    this.underWay = undefined;
  }
}

const ben = { ...ana, id: "ben", username: "ben", name: "Ben" };
const chance = fc.nat(1000);
type Step = (town: Town, reader: Reader) => void;
const acts = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const step: fc.Arbitrary<Step> = fc.oneof(
  acts(
    6,
    fc.tuple(fc.option(chance, { freq: 4 }), fc.constantFrom(ana, ben, ben)).map(
      ([parent, author]): Step =>
        (town) =>
          town.create(parent, author),
    ),
  ),
  acts(
    2,
    chance.map(
      (which): Step =>
        (town) =>
          town.edit(which),
    ),
  ),
  acts(
    2,
    fc.tuple(chance, fc.constantFrom(1, -1)).map(
      ([which, by]): Step =>
        (town) =>
          town.like(which, by),
    ),
  ),
  acts(
    2,
    fc.tuple(chance, fc.boolean()).map(
      ([which, empties]): Step =>
        (town) =>
          town.remove(which, empties),
    ),
  ),
  acts(
    4,
    fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (_, reader) =>
          reader.hear(count),
    ),
  ),
  acts(
    1,
    fc.integer({ min: 1, max: 8 }).map(
      (back): Step =>
        (_, reader) =>
          reader.drop(back),
    ),
  ),
  acts(
    1,
    fc.constant<Step>((_, reader) => reader.ask()),
  ),
  acts(
    2,
    chance.map(
      (which): Step =>
        (_, reader) =>
          reader.unfold(which),
    ),
  ),
  acts(
    1,
    chance.map(
      (which): Step =>
        (_, reader) =>
          reader.link(which),
    ),
  ),
  acts(
    2,
    fc.constant<Step>((_, reader) => reader.receive()),
  ),
);

test("whatever happens, in whatever order it is heard, an open page ends as a fresh one", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 60 }), (before, after) => {
      const town = new Town();
      const nobody = new Reader(town);
      for (const act of before) act(town, nobody);
      const reader = new Reader(town);
      for (const act of after) act(town, reader);
      reader.receive();
      reader.hear(Infinity);

      const { state } = reader;
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
    { numRuns: 3000 },
  );
});

test("what the reader writes during a visit is seen, however folded its thread is", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 30 }), (before, after) => {
      const town = new Town();
      const nobody = new Reader(town);
      for (const act of before) act(town, nobody);
      const reader = new Reader(town);
      for (const act of after) act(town, reader);
      reader.receive();
      reader.hear(Infinity);
      // She answers what she sees.
      const seen = reader.state.comments.find((comment) => !comment.deleted);
      if (!seen) return;
      const alive = town.comments.filter((comment) => !comment.deleted);
      town.create(
        alive.findIndex(({ id }) => id === seen.id),
        ana,
      );
      reader.hear(Infinity);
      expect(ids(reader.state)).toContain(town.comments.at(-1)?.id);
    }),
  );
});

test("hearing any event twice in a row is hearing it once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const town = new Town();
      const reader = new Reader(town);
      for (const act of steps) act(town, reader);
      let state = reader.state;
      for (const event of town.facts.filter(isCommentEvent)) {
        state = applyCommentEvent(state, event);
        expect(applyCommentEvent(state, event)).toEqual(state);
      }
    }),
  );
});
