import { expect, test } from "vitest";
import type { BlogCard } from "../../../src/shared/blogs.ts";
import {
  applyFeedEvent,
  feedInput,
  filledUp,
  lacks,
  sortedWithin,
  type FeedPage,
} from "../../../src/client/blogs/feed-data.ts";

const card = (id: string, publishedAt: string, likesCount = 0) =>
  ({ id, publishedAt, likesCount }) as BlogCard;
const page: FeedPage = {
  blogs: [card("a", "2026-01-02"), card("b", "2026-01-01")],
  page: 1,
  hasMore: false,
  cursor: "e.1",
};

const published = (blogId: string, publishedAt = "2026-01-09") => ({
  kind: "blog.published" as const,
  blogId,
  publishedAt,
});

test("a new blog waits to be asked for, and counts once", () => {
  const one = applyFeedEvent(page, published("c"), "e.2");
  const again = applyFeedEvent(one, published("c"), "e.2");
  expect(again).toMatchObject({ blogs: page.blogs, fresh: ["c"], cursor: "e.2" });
});

test("a blog that is shown already is not new", () => {
  expect(applyFeedEvent(page, published("a"), "e.2").fresh).toEqual([]);
});

test("an old blog that an import brings is no news", () => {
  expect(applyFeedEvent(page, published("old", "2016-09-29"), "e.2").fresh).toEqual([]);
});

test("a blog that is gone leaves, and is new no longer", () => {
  const fresh = applyFeedEvent(page, published("c"), "e.2");
  expect(applyFeedEvent(fresh, { kind: "blog.gone", blogId: "c" }, "e.3").fresh).toEqual([]);
  expect(applyFeedEvent(fresh, { kind: "blog.gone", blogId: "a" }, "e.3").blogs.map(({ id }) => id)).toEqual([
    "b",
  ]);
});

const ids = ({ blogs }: FeedPage) => blogs.map(({ id }) => id);
const gone = (blogId: string) => ({ kind: "blog.gone" as const, blogId });

test("a page lacks something where one of its blogs is gone and more follow, or where nothing is left", () => {
  const long = { ...page, hasMore: true };
  expect(lacks(long, applyFeedEvent(long, gone("a"), "e.2"))).toBe(true);
  expect(lacks(long, applyFeedEvent(long, gone("elsewhere"), "e.2"))).toBe(false);
  expect(lacks(long, applyFeedEvent(long, published("c"), "e.2"))).toBe(false);
  const one = applyFeedEvent(page, gone("a"), "e.2");
  expect(lacks(page, one)).toBe(false);
  expect(lacks(one, applyFeedEvent(one, gone("b"), "e.3"))).toBe(true);
});

test("what fills a page up stands below what is shown; what waits to be asked for still does", () => {
  const short = applyFeedEvent({ ...page, hasMore: true }, published("new"), "e.2");
  const now: FeedPage = {
    ...page,
    blogs: [card("new", "2026-01-09"), ...short.blogs, card("c", "2025-12-31")],
    cursor: "e.3",
  };
  expect(filledUp(short, now)).toEqual({
    ...short,
    blogs: [...short.blogs, card("c", "2025-12-31")],
    hasMore: false,
  });
  const full = { ...now, blogs: ["c", "d", "e", "f"].map((id) => card(id, "2025-12-01")) };
  expect(ids(filledUp(short, full))).toEqual(["a", "b", "c", "d"]);
});

test("where nothing is left to read, what waits is shown at once", () => {
  const empty = applyFeedEvent({ ...page, blogs: [] }, published("new"), "e.2");
  const now: FeedPage = { ...page, blogs: [card("new", "2026-01-09")], cursor: "e.2" };
  expect(filledUp(empty, now)).toBe(now);
});

test("each page is sorted within itself, ties by date", () => {
  const blogs = [card("old", "2026-01-01", 2), card("new", "2026-01-03", 2), card("liked", "2026-01-02", 9)];
  expect(sortedWithin(blogs, "latest").map(({ id }) => id)).toEqual(["new", "liked", "old"]);
  expect(sortedWithin(blogs, "likes").map(({ id }) => id)).toEqual(["liked", "new", "old"]);
});

test.each([
  ["", { page: 1, sort: "latest" }],
  ["page=3&sort=likes", { page: 3, sort: "likes" }],
  ["page=-2&sort=up", { page: 1, sort: "latest" }],
  ["page=1e400", { page: 1, sort: "latest" }],
  ["page=2.5", { page: 1, sort: "latest" }],
])("the address ?%s asks for %o", (search, input) => {
  expect(feedInput(new URLSearchParams(search))).toEqual(input);
});
