import { describe, expect, test } from "vitest";
import {
  addComments,
  applyCommentEvent,
  countUnloadedReplies,
} from "../../../../src/client/comments/apply-comment-event.ts";
import type { CommentList, ViewerComment } from "../../../../src/shared/comments.ts";
import type { CommentEvent } from "../../../../src/shared/live.ts";
import { atMinute as at, listedComment as aComment } from "../../../support/live-queries.ts";

function aList(comments: ViewerComment[], changes: Partial<CommentList> = {}): CommentList {
  return { comments, folds: {}, before: null, total: comments.length, cursor: "0", ...changes };
}
const counts = (commentsCount: number, repliesCount = 0, repliesCounts: Record<string, number> = {}) => ({
  commentsCount,
  repliesCount,
  repliesCounts,
});
const created = (comment: ViewerComment, ...of: Parameters<typeof counts>): CommentEvent => ({
  kind: "comment.created",
  comment,
  ...counts(...of),
});
const deleted = (
  of: { commentIds?: string[]; emptied?: string[] },
  ...left: Parameters<typeof counts>
): CommentEvent => ({ kind: "comment.deleted", commentIds: [], emptied: [], ...of, ...counts(...left) });
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

describe("an event applied to a list of comments", () => {
  test("adds a new comment once, with the server's count", () => {
    const comment = aComment("new", { createdAt: at(1) });
    const event = created(comment, 9);
    const added = applyCommentEvent(aList([aComment("old")], { before: "old" }), event);
    expect(ids(added)).toEqual(["old", "new"]);
    expect(added.total).toBe(9);
    expect(applyCommentEvent(added, event)).toBe(added);
  });

  test("counts what is in a complete list, without the comments of people hidden from the viewer", () => {
    const list = aList([aComment("old", { deleted: true })]);
    expect(applyCommentEvent(list, created(aComment("new"), 9)).total).toBe(1);
  });

  test("replaces the viewer's optimistic comment by the server's", () => {
    const withOwn = applyCommentEvent(aList([]), created(aComment("mine"), 0), { isOptimistic: true });
    expect(withOwn.total).toBe(1);
    const settled = applyCommentEvent(withOwn, created(aComment("mine", { createdAt: at(1) }), 1));
    expect(ids(settled)).toEqual(["mine"]);
    expect(settled.total).toBe(1);
  });

  test("only counts a reply to a thread that is not loaded", () => {
    const reply = aComment("reply", { parentId: "elsewhere", rootId: "elsewhere" });
    const list = applyCommentEvent(aList([aComment("loaded")], { before: "loaded" }), created(reply, 7));
    expect(ids(list)).toEqual(["loaded"]);
    expect(list.total).toBe(7);
  });

  test("does not add a thread older than the loaded pages", () => {
    const list = aList([aComment("bound", { createdAt: at(5) })], { before: "bound", total: 9 });
    const older = created(aComment("older", { createdAt: at(4) }), 9);
    expect(ids(applyCommentEvent(list, older))).toEqual(["bound"]);
  });

  test("deletes everything below a deleted comment, also the viewer's reply that is still being sent", () => {
    const list = aList([
      aComment("a"),
      aComment("b", { parentId: "a", rootId: "a" }),
      aComment("mine", { parentId: "b", rootId: "a" }),
      aComment("c"),
    ]);
    expect(ids(applyCommentEvent(list, deleted({ commentIds: ["a", "b"] }, 1)))).toEqual(["c"]);
  });

  test("keeps an emptied comment and its replies in place", () => {
    const list = aList([aComment("a", { text: "secret" }), aComment("b", { parentId: "a", rootId: "a" })]);
    const remaining = applyCommentEvent(list, deleted({ emptied: ["a"] }, 1));
    expect(ids(remaining)).toEqual(["a", "b"]);
    expect(remaining.comments[0]).toMatchObject({ deleted: true, author: null, text: "" });
  });

  test("loads older threads from the one above when the last loaded thread is deleted", () => {
    const threads = ["bound", "mid", "new"].map((id, index) => aComment(id, { createdAt: at(index + 1) }));
    const list = aList(threads.toReversed(), { before: "bound" });
    expect(applyCommentEvent(list, deleted({ commentIds: ["bound"] }, 2)).before).toBe("mid");
  });

  test("keeps the viewer's own like while others like", () => {
    const list = aList([aComment("a", { liked: true, likesCount: 1 })]);
    expect(
      applyCommentEvent(list, { kind: "comment.liked", commentId: "a", likesCount: 2 }).comments[0],
    ).toMatchObject({ liked: true, likesCount: 2 });
  });

  test("only counts a reply in a folded thread, unless the viewer wrote it", () => {
    const list = aList([aComment("a"), aComment("b", { parentId: "a", rootId: "a", createdAt: at(1) })], {
      folds: { a: { repliesCount: 9, after: { id: "b", createdAt: at(1) } } },
    });
    const reply = (id: string) => aComment(id, { parentId: "b", rootId: "a", createdAt: at(20) });
    const event = created(reply("c"), 11, 10);
    const counted = applyCommentEvent(list, event);
    expect(ids(counted)).toEqual(["a", "b"]);
    expect(countUnloadedReplies(counted, "a")).toBe(9);
    expect(applyCommentEvent(counted, event)).toBe(counted);
    const withOwn = applyCommentEvent(list, event, { mine: true });
    expect(ids(withOwn)).toEqual(["a", "b", "c"]);
    expect(countUnloadedReplies(withOwn, "a")).toBe(8);
    const sending = applyCommentEvent(list, created(reply("c"), 0), { isOptimistic: true });
    expect(ids(sending)).toEqual(["a", "b", "c"]);
    expect(countUnloadedReplies(sending, "a")).toBe(8);
  });

  test("shows a reply that belongs before the fold, however late its event comes", () => {
    const list = aList([aComment("a"), aComment("c", { parentId: "a", rootId: "a", createdAt: at(5) })], {
      folds: { a: { repliesCount: 9, after: { id: "c", createdAt: at(5) } } },
    });
    const late = created(aComment("b", { parentId: "a", rootId: "a", createdAt: at(4) }), 11, 10);
    expect(ids(applyCommentEvent(list, late)).toSorted()).toEqual(["a", "b", "c"]);
  });

  test("keeps a thread unfolded when a page loads its beginning again", () => {
    const replies = ["b", "c"].map((id, index) =>
      aComment(id, { parentId: "a", rootId: "a", createdAt: at(index + 1) }),
    );
    const foldAfter = (minute: number, id: string, repliesCount: number) => ({
      a: { repliesCount, after: { id, createdAt: at(minute) } },
    });
    const reloaded = aList([aComment("a"), ...replies.slice(0, 1)], {
      folds: foldAfter(1, "b", 8),
      total: 9,
    });
    expect(addComments(aList([aComment("a"), ...replies]), reloaded).folds).toEqual({});
    const further = aList([aComment("a"), ...replies], { folds: foldAfter(2, "c", 7) });
    expect(addComments(further, reloaded).folds).toEqual(foldAfter(2, "c", 8));
  });

  test("no longer counts replies deleted from the folded part of a thread", () => {
    const list = aList([aComment("a"), aComment("b", { parentId: "a", rootId: "a", createdAt: at(1) })], {
      folds: { a: { repliesCount: 9, after: { id: "b", createdAt: at(1) } } },
      total: 10,
    });
    const remaining = applyCommentEvent(list, deleted({ commentIds: ["x", "y"] }, 8, 0, { a: 7 }));
    expect(ids(remaining)).toEqual(["a", "b"]);
    expect(countUnloadedReplies(remaining, "a")).toBe(6);
    // An optimistic deletion of the whole thread, before the server says what was deleted.
    const removed = applyCommentEvent(list, deleted({ commentIds: ["a"] }, 0), { isOptimistic: true });
    expect(removed).toMatchObject({ comments: [], folds: {}, total: 0 });
  });
});
