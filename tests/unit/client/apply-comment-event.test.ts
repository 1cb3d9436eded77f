import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addComments,
  applyBlogEvent,
  applyCommentEvent,
  isCommentEvent,
} from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentEvent } from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentList, SeenComment } from "../../../src/shared/comments.ts";
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
  return { comments, before: null, total: comments.length, cursor: "0", ...more };
}
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

describe("an event on a list of comments", () => {
  test("a new comment comes in once, with the server's count", () => {
    const event: CommentEvent = { kind: "comment.created", comment: aComment("new"), commentsCount: 9 };
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
      commentsCount: 1,
    });
    expect(ids(settled)).toEqual(["mine"]);
    expect(settled.total).toBe(1);
  });

  test("a reply to a thread that is not loaded only counts", () => {
    const list = applyCommentEvent(aList([aComment("loaded")]), {
      kind: "comment.created",
      comment: aComment("reply", { parentId: "elsewhere", rootId: "elsewhere" }),
      commentsCount: 7,
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
          commentsCount: 9,
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
      commentsCount: 1,
    });
    expect(ids(left)).toEqual(["c"]);
  });

  test("an emptied comment keeps its place and its replies", () => {
    const list = aList([aComment("a", { text: "secret" }), aComment("b", { parentId: "a", rootId: "a" })]);
    const left = applyCommentEvent(list, {
      kind: "comment.deleted",
      commentIds: [],
      emptied: ["a"],
      commentsCount: 1,
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
        commentsCount: 2,
      }).before,
    ).toBe("mid");
  });

  test("my own like stays while others like", () => {
    const list = aList([aComment("a", { liked: true, likesCount: 1 })]);
    expect(
      applyCommentEvent(list, { kind: "comment.liked", commentId: "a", likesCount: 2 }).comments[0],
    ).toMatchObject({ liked: true, likesCount: 2 });
  });

  test("the blog's numbers follow", () => {
    const blog = { likesCount: 1, savesCount: 1, commentsCount: 1 };
    expect(applyBlogEvent(blog, { kind: "blog.liked", likesCount: 2 }).likesCount).toBe(2);
    expect(applyBlogEvent(blog, { kind: "blog.saved", savesCount: 3 }).savesCount).toBe(3);
    expect(
      applyBlogEvent(blog, { kind: "comment.deleted", commentIds: [], emptied: [], commentsCount: 0 })
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
  create(parentChance: number | null) {
    const parent = parentChance === null ? undefined : this.pick(parentChance);
    const id = `c${String(++this.made).padStart(4, "0")}`;
    // Times repeat, as they do on a fast machine.
    const comment = aComment(id, {
      parentId: parent?.id ?? null,
      rootId: parent?.rootId ?? id,
      createdAt: at(Math.floor(++this.clock / 3)),
    });
    this.comments.push(comment);
    this.facts.push({ kind: "comment.created", comment, commentsCount: this.comments.length });
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
    });
  }
  page(before: string | null, size = 3): CommentList {
    const roots = this.comments
      .filter((comment) => comment.parentId === null)
      .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1));
    const start = before === null ? 0 : roots.findIndex((root) => root.id === before) + 1;
    const shown = roots.slice(start, start + size).map((root) => root.id);
    return {
      comments: this.comments.filter((comment) => shown.includes(comment.rootId)),
      before: start + size < roots.length ? (shown.at(-1) ?? null) : null,
      total: this.comments.length,
      cursor: String(this.facts.length),
    };
  }
}

/** A page in a browser: a list, how far its stream has come, and what is under way. */
class Reader {
  state: CommentList;
  private heardUpTo: number;
  private underWay: { page: CommentList; heard: CommentEvent[] } | undefined;
  private readonly town: Town;
  constructor(town: Town) {
    this.town = town;
    this.state = town.page(null);
    this.heardUpTo = Number(this.state.cursor);
  }
  hear(count: number) {
    for (const event of this.town.facts.slice(this.heardUpTo, this.heardUpTo + count)) {
      this.heardUpTo++;
      if (!isCommentEvent(event)) continue;
      this.state = applyCommentEvent(this.state, event);
      this.underWay?.heard.push(event);
    }
  }
  /** The connection drops, and resumes from something it had already heard. */
  drop(back: number) {
    this.heardUpTo = Math.max(0, this.heardUpTo - back);
  }
  ask() {
    const known = this.state.before;
    if (this.underWay || known === null || !this.town.comments.some((comment) => comment.id === known))
      return;
    this.underWay = { page: this.town.page(known), heard: [] };
  }
  receive() {
    if (!this.underWay) return;
    this.state = addComments(this.state, this.underWay.page, this.underWay.heard);
    this.underWay = undefined;
  }
}

const chance = fc.nat(1000);
type Step = (town: Town, reader: Reader) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.option(chance, { freq: 2 }).map(
      (parent): Step =>
        (town) =>
          town.create(parent),
    ),
  },
  {
    weight: 2,
    arbitrary: chance.map(
      (which): Step =>
        (town) =>
          town.edit(which),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(chance, fc.constantFrom(1, -1)).map(
      ([which, by]): Step =>
        (town) =>
          town.like(which, by),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(chance, fc.boolean()).map(
      ([which, empties]): Step =>
        (town) =>
          town.remove(which, empties),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (_, reader) =>
          reader.hear(count),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 8 }).map(
      (back): Step =>
        (_, reader) =>
          reader.drop(back),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((_, reader) => reader.ask()) },
  { weight: 1, arbitrary: fc.constant<Step>((_, reader) => reader.receive()) },
);

test("whatever happens, in whatever order it is heard, an open page ends as a fresh one", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 60 }), (before, after) => {
      const town = new Town();
      const nobody = new Reader(town);
      for (const act of before) act(town, nobody);
      const reader = new Reader(town);
      for (const act of after) act(town, reader);
      reader.receive();
      reader.hear(Infinity);

      const bound = town.comments.find((comment) => comment.id === reader.state.before);
      const isLoaded = (comment: SeenComment) => {
        const root = town.comments.find((other) => other.id === comment.rootId);
        return !bound || !root || root.createdAt + root.id >= bound.createdAt + bound.id;
      };
      const byId = (a: SeenComment, b: SeenComment) => (a.id < b.id ? -1 : 1);
      expect(reader.state.comments.toSorted(byId)).toEqual(town.comments.filter(isLoaded).toSorted(byId));
      expect(reader.state.total).toBe(town.comments.length);
    }),
    { numRuns: 3000 },
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
