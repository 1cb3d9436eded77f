import { expect, test } from "vitest";
import { showcaseQuery } from "../../../../src/client/blogs/landing/showcase-query.ts";
import { REFETCH } from "../../../../src/client/live/queries/live-query.ts";
import type { BlogCard } from "../../../../src/shared/blogs.ts";
import type { ViewerComment } from "../../../../src/shared/comments.ts";
import type { Showcase } from "../../../../src/shared/feed.ts";
import type { LiveEvent } from "../../../../src/shared/live.ts";
import { ana, applyEvent, listedComment } from "../../../support/live-queries.ts";

const ben = { ...ana, id: "ben", name: "Ben" };
const card = (id: string) => ({ id, title: id, author: ana, commentsCount: 3, likesCount: 0 }) as BlogCard;
const comment = (id: string, changes: Partial<ViewerComment> = {}) =>
  listedComment(id, { blogId: "a", author: ben, ...changes });
const current: Showcase = {
  blogs: [card("a"), card("b")],
  comments: [comment("3"), comment("2"), comment("1")],
};
const after = (event: LiveEvent, data: Showcase = current) =>
  applyEvent(showcaseQuery, data, event, { topic: "blog:a", viewerId: null });
const created = (viewerComment: ViewerComment): LiveEvent => ({
  kind: "comment.created",
  comment: viewerComment,
  commentsCount: 4,
  repliesCount: 0,
});
const shownCommentIds = (data: unknown) => (data as Showcase).comments.map(({ id }) => id);

test("puts a new comment first, once, and drops the oldest; a reply is not shown", () => {
  const updated = after(created(comment("4"))) as Showcase;
  expect(shownCommentIds(updated)).toEqual(["4", "3", "2"]);
  expect(updated.blogs.map(({ commentsCount }) => commentsCount)).toEqual([4, 3]);
  expect(shownCommentIds(after(created(comment("4")), updated))).toEqual(["4", "3", "2"]);
  const answer = comment("5", { parentId: "3", rootId: "3" });
  expect(shownCommentIds(after(created(answer)))).toEqual(["3", "2", "1"]);
});

const deleted = (id: string, commentsCount = 3): LiveEvent => ({
  kind: "comment.deleted",
  commentIds: [id],
  emptied: [],
  commentsCount,
  repliesCounts: {},
});

test("updates the comment count when a comment that is not shown is deleted", () => {
  const remaining = after(deleted("9", 2)) as Showcase;
  expect(remaining.blogs.map(({ commentsCount }) => commentsCount)).toEqual([2, 3]);
  expect(shownCommentIds(remaining)).toEqual(["3", "2", "1"]);
});

test("refetches when a shown comment or person is removed, and only then", () => {
  expect(after(deleted("2"))).toBe(REFETCH);
  expect(after(deleted("9"))).toBe(current);
  expect(after({ kind: "comment.marked", commentId: "2", mark: "hidden" })).toBe(REFETCH);
  expect(after({ kind: "comment.marked", commentId: "9", mark: "hidden" })).toBe(current);
  expect(after({ kind: "person.gone", personId: "ben", jitterMs: 0 })).toBe(REFETCH);
  expect(after({ kind: "person.gone", personId: "cem", jitterMs: 0 })).toBe(current);
  expect(after({ kind: "accessLost" })).toBe(REFETCH);
});

test("updates an edited comment and a changed name", () => {
  const edited = after({ kind: "comment.edited", commentId: "2", text: "Two", editedAt: "2026-01-01" });
  expect((edited as Showcase).comments.map(({ text }) => text)).toEqual(["3", "Two", "1"]);
  const named = after({ kind: "person.changed", person: { ...ben, name: "Benjamin" } }) as Showcase;
  expect(named.comments[0]?.author?.name).toBe("Benjamin");
  expect(named.blogs[0]?.author.name).toBe("Ana");
});

test("subscribes to the first blog as an open blog alone, so that no event comes twice", () => {
  expect(showcaseQuery.topics(current, undefined)).toEqual(["feed", "card:b", "blog:a"]);
  expect(showcaseQuery.topics({ blogs: [], comments: [] }, undefined)).toEqual(["feed", false]);
});
