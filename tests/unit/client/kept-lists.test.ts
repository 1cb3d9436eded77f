import { expect, test } from "vitest";
import { feedInput, feedNow, sortedWithin, type FeedPage } from "../../../src/client/blogs/feed/feed-data.ts";
import { keptBlogs } from "../../../src/client/blogs/kept.ts";
import { ask, Lacking } from "../../../src/client/live/kept.ts";
import type { BlogCard } from "../../../src/shared/blogs.ts";
import type { LiveEvent, TopicName } from "../../../src/shared/live.ts";

const ana = { id: "ana", username: "ana", name: "Ana", picture: null };
const card = (id: string, publishedAt: string, likesCount = 0) =>
  ({ id, publishedAt, likesCount, savesCount: 0, commentsCount: 0, liked: false, author: ana }) as BlogCard;
const page: FeedPage = { blogs: [card("a", "2026-01-02"), card("b", "2026-01-01")], page: 1, hasMore: false };

/** What a row of the table makes of an answer. */
function after(
  name: string,
  data: unknown,
  event: LiveEvent,
  topic: TopicName = "feed",
  own = false,
): unknown {
  const change = keptBlogs[name]!.on[event.kind] as
    | ((data: unknown, event: LiveEvent, about: object) => unknown)
    | undefined;
  return change ? change(data, event, { input: {}, topic, own }) : data;
}

const published = (blogId: string, publishedAt = "2026-01-09"): LiveEvent => ({
  kind: "blog.published",
  blogId,
  authorId: "ana",
  publishedAt,
});

test("a new blog waits to be asked for, and counts once", () => {
  const one = after("blogs.list", page, published("c"));
  expect(after("blogs.list", one, published("c"))).toMatchObject({ blogs: page.blogs, fresh: ["c"] });
});

test("a blog that is shown already is not new, nor is one that stands beyond the page", () => {
  expect(after("blogs.list", page, published("a"))).toBe(page);
  const full = { ...page, hasMore: true };
  expect(after("blogs.list", full, published("old", "2016-09-29"))).toBe(full);
  expect(after("blogs.list", page, published("old", "2016-09-29"))).toMatchObject({ fresh: ["old"] });
});

test("a blog that may not be read leaves every list, and the server is asked for what moves up", () => {
  const full = { ...page, hasMore: true };
  for (const name of ["blogs.list", "blogs.byAuthor", "blogs.mine"]) {
    const left = after(name, full, { kind: "gone" }, "card:a");
    expect(left).toBeInstanceOf(Lacking);
    expect((left as Lacking<FeedPage>).data.blogs.map(({ id }) => id)).toEqual(["b"]);
    expect(after(name, page, { kind: "gone" }, "card:a")).toMatchObject({ blogs: [{ id: "b" }] });
    expect(after(name, page, { kind: "gone" }, "card:z")).toBe(page);
  }
});

test("counts, words and names change on the card and nowhere else", () => {
  const counted: LiveEvent = {
    kind: "blog.counted",
    blogId: "a",
    likesCount: 3,
    savesCount: 2,
    commentsCount: 1,
  };
  const now = after("blogs.list", page, counted, "card:a") as FeedPage;
  expect(now.blogs[0]).toMatchObject({ likesCount: 3, savesCount: 2, commentsCount: 1 });
  expect(now.blogs[1]).toBe(page.blogs[1]);
  expect(after("blogs.list", now, counted, "card:a")).toBe(now);
  const renamed: LiveEvent = { kind: "person.changed", person: { ...ana, name: "Ana B." } };
  expect((after("blogs.recommended", page, renamed) as FeedPage).blogs[1]!.author.name).toBe("Ana B.");
});

test("one's own like counts at once, and not again when the server tells of it", () => {
  const liked: LiveEvent = { kind: "own.like", blogId: "a", liked: true };
  expect((after("blogs.list", page, liked, "me", true) as FeedPage).blogs[0]).toMatchObject({
    liked: true,
    likesCount: 1,
  });
  expect((after("blogs.list", page, liked, "me") as FeedPage).blogs[0]).toMatchObject({
    liked: true,
    likesCount: 0,
  });
});

test("a draft stands in no feed, and in its author's own lists", () => {
  const drafted = {
    kind: "blog.edited",
    card: { id: "a", draft: true },
    editedAt: null,
    html: null,
    spread: 0,
  } as unknown as LiveEvent;
  expect(after("blogs.list", page, drafted, "card:a")).toMatchObject({ blogs: [{ id: "b" }] });
  expect((after("blogs.mine", page, drafted, "card:a") as FeedPage).blogs[0]).toMatchObject({ draft: true });
});

test("what is asked for again moves nothing that stays: what is new waits", () => {
  const now: FeedPage = {
    blogs: [
      card("d", "2026-01-05"),
      card("a", "2026-01-02", 7),
      card("c", "2026-01-01"),
      card("e", "2025-01-01"),
    ],
    page: 1,
    hasMore: true,
  };
  const merged = feedNow(page, now);
  expect(merged.blogs.map(({ id }) => id)).toEqual(["a", "b", "c", "e"]);
  expect(merged.blogs[0]!.likesCount).toBe(7);
  expect(merged.fresh).toEqual(["d"]);
  expect(feedNow({ ...page, blogs: [] }, now)).toBe(now);
});

test("lists that an event can't tell are asked for", () => {
  expect(after("blogs.mine", page, { kind: "own.blogs", blogId: "z" }, "me")).toBe(ask);
  expect(after("blogs.list", page, { kind: "own.follow", userId: "x", status: "following" }, "me")).toBe(ask);
  expect(
    after("blogs.list", page, {
      kind: "feed.changed",
      oldest: "2026-01-01",
      newest: "2026-01-03",
      spread: 0,
    }),
  ).toBe(ask);
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
