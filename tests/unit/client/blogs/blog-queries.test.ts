import { expect, test } from "vitest";
import {
  parseFeedInput,
  mergeFirstPage,
  sortPage,
  type FeedPage,
} from "../../../../src/client/blogs/feed/feed-data.ts";
import { blogQueries } from "../../../../src/client/blogs/blog-queries.ts";
import { REFETCH, Incomplete } from "../../../../src/client/live/queries/live-query.ts";
import type { BlogCard } from "../../../../src/shared/blogs.ts";
import type { LiveEvent, TopicName } from "../../../../src/shared/live.ts";
import { ana, applyEvent } from "../../../support/live-queries.ts";

const card = (id: string, publishedAt: string, likesCount = 0) =>
  ({ id, publishedAt, likesCount, savesCount: 0, commentsCount: 0, liked: false, author: ana }) as BlogCard;
const page: FeedPage = { blogs: [card("a", "2026-01-02"), card("b", "2026-01-01")], page: 1, hasMore: false };

/** Cards with these one-letter ids, each published before those that precede it in `order`. */
const dated = (ids: string, order: string) =>
  [...ids].map((id) => card(id, `2026-01-${30 - order.indexOf(id)}`));
const idsOf = ({ blogs }: FeedPage) => blogs.map(({ id }) => id).join("");

/** Applies the event handler of the query `name` to its cached data. */
function after(
  name: string,
  data: unknown,
  event: LiveEvent,
  topic: TopicName = "feed",
  isOptimistic = false,
  input: object = { page: 1, sort: "latest" },
): unknown {
  return applyEvent(blogQueries[name]!, data, event, { input, topic, isOptimistic, viewerId: null });
}

const published = (blogId: string, publishedAt = "2026-01-09"): LiveEvent => ({
  kind: "blog.published",
  blogId,
  authorId: "ana",
  publishedAt,
  counts: { likes: 0 },
  jitterMs: 0,
});

test("keeps a new blog waiting instead of showing it, and counts it once", () => {
  const updated = after("blogs.list", page, published("c"));
  expect(after("blogs.list", updated, published("c"))).toMatchObject({ blogs: page.blogs, fresh: ["c"] });
  // The time over which pages that show it at once spread their requests.
  expect(updated).toMatchObject({ jitterMs: 0 });
});

test("ignores a new blog that is shown already or belongs beyond the page", () => {
  expect(after("blogs.list", page, published("a"))).toBe(page);
  const full = { ...page, hasMore: true };
  expect(after("blogs.list", full, published("old", "2016-09-29"))).toBe(full);
  expect(after("blogs.list", page, published("old", "2016-09-29"))).toMatchObject({ fresh: ["old"] });
});

test("removes a blog from every list when access is lost, and refetches what moves up", () => {
  const full = { ...page, hasMore: true };
  for (const name of ["blogs.list", "blogs.byAuthor", "blogs.mine", "blogs.recommended"]) {
    const updated = after(name, full, { kind: "accessLost" }, "card:a");
    expect(updated).toBeInstanceOf(Incomplete);
    expect((updated as Incomplete<FeedPage>).data.blogs.map(({ id }) => id)).toEqual(["b"]);
    expect(after(name, page, { kind: "accessLost" }, "card:a")).toMatchObject({ blogs: [{ id: "b" }] });
    expect(after(name, page, { kind: "accessLost" }, "card:z")).toBe(page);
  }
  // Only the server can count the search results.
  expect(after("blogs.search", page, { kind: "accessLost" }, "card:a")).toMatchObject({
    data: { blogs: [{ id: "b" }] },
  });
});

test("refetches the Following feed for a new blog once, for a deletion before a later page and for a changed follow", () => {
  const first = { ...page, fresh: ["c"], tags: [] };
  const afterFollowing = (event: LiveEvent, data: FeedPage = first) =>
    after("blogs.following", data, event, "feed", false, { page: data.page });
  expect(afterFollowing(published("d"))).toBe(REFETCH);
  expect(afterFollowing(published("c"))).toBe(first);
  expect(afterFollowing(published("a"))).toBe(first);
  const blogGone = (blogId: string): LiveEvent => ({
    kind: "blog.gone",
    blogId,
    publishedAt: null,
    left: 9,
    jitterMs: 0,
  });
  expect(afterFollowing(blogGone("c"))).toMatchObject({ fresh: [] });
  expect(afterFollowing(blogGone("z"))).toBe(first);
  expect(afterFollowing(blogGone("z"), { ...first, page: 2 })).toBe(REFETCH);
  expect(after("blogs.following", page, { kind: "follow.settled", userId: "ben", status: "following" })).toBe(
    REFETCH,
  );
});

test("refetches the Following feed when blogs with a followed tag or the followed tags change", () => {
  const list = { ...page, tags: ["owls", "moths"] };
  const tagsChanged = (tags: string[] | null): LiveEvent => ({ kind: "search.blogs", tags, jitterMs: 0 });
  expect(after("blogs.following", list, tagsChanged(["day", "owls"]), "search")).toBe(REFETCH);
  expect(after("blogs.following", list, tagsChanged(null), "search")).toBe(REFETCH);
  expect(after("blogs.following", list, tagsChanged(["day"]), "search")).toBe(list);
  expect(after("blogs.following", list, { kind: "viewer.profileChanged", person: ana }, "me")).toBe(REFETCH);
  const topicsOf = (tags: string[]) => blogQueries["blogs.following"]!.topics({ ...page, tags }, { page: 1 });
  expect(topicsOf(["owls"])).toContain("search");
  // Without followed tags, most events of that topic would be for nothing.
  expect(topicsOf([])).not.toContain("search");
});

test("keeps the followed tags with the Following feed, and on later pages shows the server's page", () => {
  const { merge } = blogQueries["blogs.following"]!;
  const list = { ...page, tags: ["owls"] };
  const fetched = { ...page, blogs: [card("z", "2026-01-09"), ...page.blogs], tags: [] };
  expect(merge!(list, fetched, { page: 1 })).toMatchObject({ blogs: page.blogs, fresh: ["z"], tags: [] });
  expect(merge!(list, fetched, { page: 2 })).toBe(fetched);
});

test("removes blogs that left the list in a refetch, also where a page follows", () => {
  const listed = (ids: string) => dated(ids, "nabcdefg");
  const shown: FeedPage = { blogs: listed("abcd"), page: 1, hasMore: true };
  for (const [now, blogs, ...fresh] of [
    // b and d left: e and f move up.
    ["acef", "acef"],
    // A new one waits at the same time.
    ["nace", "ace", "n"],
    // The last moved to the next page.
    ["nabc", "abcd", "n"],
  ] as [string, string, ...string[]][]) {
    const merged = mergeFirstPage(shown, { ...shown, blogs: listed(now) });
    expect([idsOf(merged), merged.fresh]).toEqual([blogs, fresh]);
  }
});

test("shows the server's page once blogs that belong among the shown ones are in", () => {
  const shown: FeedPage = { blogs: dated("abcd", "axbycd"), page: 1, hasMore: true };
  const fetched: FeedPage = { ...shown, blogs: dated("axby", "axbycd") };
  const waiting = mergeFirstPage(shown, fetched);
  expect(waiting.fresh).toEqual(["x"]);
  expect(mergeFirstPage(waiting, fetched, ["x"])).toEqual({ ...fetched, fresh: [] });
});

test("renames co-authors on cards, and refetches when the authors of a shown blog change", () => {
  const ben = { ...ana, id: "ben", name: "Ben" };
  const two = { ...page, blogs: [{ ...page.blogs[0]!, coAuthors: [ben] }, page.blogs[1]!] };
  const renamed: LiveEvent = { kind: "person.changed", person: { ...ben, name: "Benjamin" } };
  expect(after("blogs.list", two, renamed)).toMatchObject({
    blogs: [{ author: { name: "Ana" }, coAuthors: [{ name: "Benjamin" }] }, { author: { name: "Ana" } }],
  });
  expect(after("blogs.list", page, renamed)).toBe(page);
  const authorsChanged = (blogId: string): LiveEvent => ({ kind: "blog.authors", blogId, jitterMs: 0 });
  expect(after("blogs.list", two, authorsChanged("a"))).toBe(REFETCH);
  expect(after("blogs.list", two, authorsChanged("z"))).toBe(two);
});

test("changes counts on the matching card alone, and a name on all cards of its author", () => {
  const counted: LiveEvent = {
    kind: "blog.counted",
    blogId: "a",
    likesCount: 3,
    savesCount: 2,
    commentsCount: 1,
  };
  const updated = after("blogs.list", page, counted, "card:a") as FeedPage;
  expect(updated.blogs[0]).toMatchObject({ likesCount: 3, savesCount: 2, commentsCount: 1 });
  expect(updated.blogs[1]).toBe(page.blogs[1]);
  expect(after("blogs.list", updated, counted, "card:a")).toBe(updated);
  const renamed: LiveEvent = { kind: "person.changed", person: { ...ana, name: "Ana B." } };
  expect((after("blogs.recommended", page, renamed) as FeedPage).blogs[1]!.author.name).toBe("Ana B.");
});

test("counts an optimistic like at once, but not the server's event for it", () => {
  const liked: LiveEvent = { kind: "viewer.like", blogId: "a", liked: true };
  expect((after("blogs.list", page, liked, "me", true) as FeedPage).blogs[0]).toMatchObject({
    liked: true,
    likesCount: 1,
  });
  expect((after("blogs.list", page, liked, "me") as FeedPage).blogs[0]).toMatchObject({
    liked: true,
    likesCount: 0,
  });
});

test("removes a draft from the feed, and keeps it in its author's own list", () => {
  const drafted = {
    kind: "blog.edited",
    card: { id: "a", draft: true },
    editedAt: null,
    text: null,
    jitterMs: 0,
  } as unknown as LiveEvent;
  expect(after("blogs.list", page, drafted, "card:a")).toMatchObject({ blogs: [{ id: "b" }] });
  expect((after("blogs.mine", page, drafted, "card:a") as FeedPage).blogs[0]).toMatchObject({ draft: true });
});

test("keeps shown blogs in place after a refetch and lets a newer one wait", () => {
  const fetched: FeedPage = {
    blogs: [
      card("d", "2026-01-05"),
      card("a", "2026-01-02", 7),
      card("c", "2026-01-01"),
      card("e", "2026-01-01"),
    ],
    page: 1,
    hasMore: true,
  };
  const merged = mergeFirstPage(page, fetched);
  expect(merged.blogs.map(({ id }) => id)).toEqual(["a", "b", "c", "e"]);
  expect(merged.blogs[0]!.likesCount).toBe(7);
  expect(merged.fresh).toEqual(["d"]);
  expect(mergeFirstPage({ ...page, blogs: [] }, fetched)).toBe(fetched);
});

test("inserts waiting blogs one at a time, and ends with the server's page once all are in", () => {
  const listed = (ids: string) => dated(ids, "gfedcba");
  let shown: FeedPage = { blogs: listed("dcba"), page: 1, hasMore: true, fresh: ["e", "f", "g"] };
  const fetched: FeedPage = { blogs: listed("gfed"), page: 1, hasMore: true };
  for (const [added, blogs, ...fresh] of [
    ["e", "edcb", "g", "f"],
    ["g", "gedc", "f"],
    ["f", "gfed"],
  ] as [string, string, ...string[]][]) {
    shown = mergeFirstPage(shown, fetched, [added]);
    expect([idsOf(shown), shown.fresh]).toEqual([blogs, fresh]);
  }
});

test("keeps the shown blogs when newer ones have pushed a waiting blog off the page", () => {
  const fetched: FeedPage = { blogs: dated("zyxw", "zyxw"), page: 1, hasMore: true };
  const merged = mergeFirstPage({ ...page, hasMore: true }, fetched, ["v"]);
  expect(idsOf(merged)).toBe("ab");
  expect(merged.fresh).toEqual(["z", "y", "x", "w"]);
});

test("refetches lists whose new content an event does not contain", () => {
  expect(after("blogs.search", page, { kind: "search.blogs", tags: null, jitterMs: 0 }, "search")).toBe(
    REFETCH,
  );
  for (const name of ["blogs.search", "blogs.byAuthor", "blogs.recommended"])
    expect(after(name, page, { kind: "follow.settled", userId: "ana", status: "following" })).toBe(REFETCH);
  expect(after("blogs.mine", page, { kind: "viewer.blogsChanged", blogId: "z" }, "me")).toBe(REFETCH);
  expect(after("blogs.list", page, { kind: "viewer.follow", userId: "x", status: "following" }, "me")).toBe(
    REFETCH,
  );
  const changed = { kind: "feed.changed", oldest: "2026-01-01", newest: "2026-01-03", left: 9, jitterMs: 0 };
  for (const name of ["blogs.list", "blogs.byAuthor"])
    expect(after(name, page, changed as LiveEvent)).toBe(REFETCH);
});

const mostLiked = (number: number, hasMore: boolean, ...likes: number[]): FeedPage => ({
  blogs: likes.map((count, index) => card(`${number}-${index}`, "2026-01-02", count)),
  page: number,
  hasMore,
});
const ranked = (blogId: string, was: number, count: number, publishedAt = "2026-01-01"): LiveEvent => ({
  kind: "blog.ranked",
  blogId,
  publishedAt,
  count,
  was,
  jitterMs: 0,
});

test.each<[string, FeedPage, LiveEvent, boolean]>([
  ["comes onto the first page", mostLiked(1, true, 5, 3), ranked("z", 3, 4), true],
  ["stays below it", mostLiked(1, true, 5, 3), ranked("z", 2, 3), false],
  ["stays below it, but for its date", mostLiked(1, true, 5, 3), ranked("z", 2, 3, "2026-01-09"), true],
  ["climbs on the page where it is", mostLiked(1, true, 5, 3), ranked("1-1", 3, 9), false],
  ["falls to the end of the page where it is", mostLiked(1, true, 5, 3), ranked("1-0", 3, 2), true],
  ["falls where no page follows", mostLiked(1, false, 5, 3), ranked("1-0", 3, 2), false],
  ["rises at the end of the page where it is", mostLiked(1, true, 5, 3), ranked("1-1", 1, 2), false],
  ["leaves the second page for the first", mostLiked(2, true, 5, 3), ranked("2-0", 5, 6), true],
  ["passes the whole second page", mostLiked(2, true, 5, 5), ranked("z", 4, 6), true],
  ["stands on the first page all the while", mostLiked(2, true, 5, 3), ranked("z", 8, 9), false],
  ["is the only one", mostLiked(1, false, 5), ranked("1-0", 4, 5), false],
  ["comes to an unfinished list", mostLiked(1, false, 5, 3), published("z"), true],
  ["is new and liked by nobody", mostLiked(1, true, 5, 3), published("z"), false],
  ["is new and liked by nobody, as the last are", mostLiked(1, true, 5, 0), published("z"), true],
])(
  "refetches a Most Liked page only where a blog moves in or out: one that %s",
  (_, list, event, refetches) => {
    expect(after("blogs.list", list, event, "likes", false, { sort: "likes" })).toBe(
      refetches ? REFETCH : list,
    );
  },
);

const blogGone = (blogId: string, publishedAt: string | null, left: number): LiveEvent => ({
  kind: "blog.gone",
  blogId,
  publishedAt,
  left,
  jitterMs: 0,
});

test("refetches a feed page when a blog elsewhere is deleted and moves its blogs, or was the last behind it", () => {
  const full = { ...page, hasMore: true };
  expect(after("blogs.list", full, blogGone("old", "2016-09-29", 9))).toBe(full);
  expect(after("blogs.list", full, blogGone("old", "2016-09-29", 4))).toBe(REFETCH);
  expect(after("blogs.list", page, blogGone("old", "2016-09-29", 2))).toBe(page);
  expect(after("blogs.list", full, blogGone("a", "2026-01-02", 1))).toBe(full);
  const second = { ...full, page: 2 };
  expect(after("blogs.list", second, blogGone("old", "2016-09-29", 99))).toBe(second);
  expect(after("blogs.list", second, blogGone("new", "2026-03-01", 99))).toBe(REFETCH);
});

test("shows the refetched first page as it is when no page follows it", () => {
  const shown = { ...page, blogs: dated("abcd", "abcde"), hasMore: true };
  const fetched = { ...page, blogs: dated("acde", "abcde"), hasMore: false };
  const merged = mergeFirstPage(shown, fetched);
  expect([idsOf(merged), merged.fresh]).toEqual(["acde", []]);
});

test("sorts each page within itself, ties by date", () => {
  const blogs = [card("old", "2026-01-01", 2), card("new", "2026-01-03", 2), card("liked", "2026-01-02", 9)];
  expect(sortPage(blogs, "latest").map(({ id }) => id)).toEqual(["new", "liked", "old"]);
  expect(sortPage(blogs, "likes").map(({ id }) => id)).toEqual(["liked", "new", "old"]);
});

test.each([
  ["", { page: 1, sort: "latest" }],
  ["page=3&sort=likes", { page: 3, sort: "likes" }],
  ["page=-2&sort=up", { page: 1, sort: "latest" }],
  ["page=1e400", { page: 1, sort: "latest" }],
  ["page=2.5", { page: 1, sort: "latest" }],
])("reads the address ?%s as %o", (search, input) => {
  expect(parseFeedInput(new URLSearchParams(search))).toEqual(input);
});
