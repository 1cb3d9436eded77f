import { expect, test } from "vitest";
import { remaining, withOwnChanges } from "../../../src/client/comments/own-changes.ts";
import type { OwnChange } from "../../../src/client/comments/own-changes.ts";
import { applyCommentEvent } from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentEvent } from "../../../src/client/comments/apply-comment-event.ts";
import type { CommentList, SeenComment } from "../../../src/shared/comments.ts";
import type { BlogEvent } from "../../../src/shared/events.ts";

function aComment(id: string, more: Partial<SeenComment> = {}): SeenComment {
  return {
    id,
    blogId: "b",
    parentId: null,
    rootId: id,
    author: null,
    text: id,
    createdAt: "2026-01-01T00:00:00.000Z",
    editedAt: null,
    deleted: false,
    likesCount: 0,
    liked: false,
    ...more,
  };
}
const aList = (comments: SeenComment[]): CommentList => ({
  comments,
  folds: {},
  before: null,
  total: comments.length,
  cursor: "e.0",
});
const counts = (commentsCount: number) => ({ commentsCount, repliesCount: 0, repliesCounts: {} });
const ids = (list: CommentList) => list.comments.map((comment) => comment.id);

/** A page: what the server told, and what this tab did. */
function aPage(comments: SeenComment[]) {
  let told = aList(comments);
  let own: readonly OwnChange[] = [];
  return {
    act: (id: string, event: OwnChange["event"]) => void (own = [...own, { id, event, answered: false }]),
    takeBack: (id: string) => void (own = own.filter((change) => change.id !== id)),
    hear: (event: BlogEvent) => {
      told = applyCommentEvent(told, event as CommentEvent);
      own = remaining(own, event);
    },
    get shown() {
      return withOwnChanges(told, own);
    },
    get open() {
      return own.length;
    },
  };
}

test("my comment shows at once and counts once, whoever else comments before its event comes", () => {
  const page = aPage([aComment("a")]);
  page.act("mine", { kind: "comment.created", comment: aComment("mine") });
  expect(page.shown.total).toBe(2);
  page.hear({ kind: "comment.created", comment: aComment("other"), ...counts(2) });
  expect(page.shown.total).toBe(3);
  page.hear({ kind: "comment.created", comment: aComment("mine"), ...counts(3) });
  expect(page.shown.total).toBe(3);
  expect(ids(page.shown).toSorted()).toEqual(["a", "mine", "other"]);
  expect(page.open).toBe(0);
});

test("taking my comment back leaves what others wrote", () => {
  const page = aPage([]);
  page.act("mine", { kind: "comment.created", comment: aComment("mine") });
  page.hear({ kind: "comment.created", comment: aComment("other"), ...counts(1) });
  page.takeBack("mine");
  expect(ids(page.shown)).toEqual(["other"]);
  expect(page.shown.total).toBe(1);
});

test("a comment deleted by somebody else before its answer came does not come back", () => {
  const page = aPage([]);
  page.act("mine", { kind: "comment.created", comment: aComment("mine") });
  page.hear({ kind: "comment.created", comment: aComment("mine"), ...counts(1) });
  page.hear({ kind: "comment.deleted", commentIds: ["mine"], emptied: [], ...counts(0) });
  expect(page.shown.comments).toEqual([]);
});

test("deleting hides the thread and counts it, until the server's word settles it", () => {
  const page = aPage([aComment("a"), aComment("b", { parentId: "a", rootId: "a" }), aComment("c")]);
  page.act("delete-a", { kind: "comment.deleted", commentIds: ["a"], emptied: [] });
  expect(ids(page.shown)).toEqual(["c"]);
  expect(page.shown.total).toBe(1);
  page.hear({ kind: "comment.deleted", commentIds: ["a", "b"], emptied: [], ...counts(1) });
  expect(page.shown.total).toBe(1);
  expect(page.open).toBe(0);
});

test("an edit that is taken back shows the old text again", () => {
  const page = aPage([aComment("a", { text: "old" })]);
  page.act("edit-a", {
    kind: "comment.edited",
    commentId: "a",
    text: "new",
    editedAt: "2026-01-02T00:00:00.000Z",
  });
  expect(page.shown.comments[0]?.text).toBe("new");
  page.takeBack("edit-a");
  expect(page.shown.comments[0]?.text).toBe("old");
});
