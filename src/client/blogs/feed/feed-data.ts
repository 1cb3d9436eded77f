import type { BlogCard, BlogList, Sort } from "../../../shared/blogs.ts";
import { limits } from "../../../shared/limits.ts";

/** A page of the feed, and the blogs that were published since it was read. */
export interface FeedPage extends BlogList {
  fresh?: readonly string[];
}

/** Whether a blog of that time would stand on a page as it is shown. */
export const isOnPage = ({ blogs, hasMore }: FeedPage, publishedAt: string): boolean =>
  !hasMore || blogs.length === 0 || blogs.some((blog) => blog.publishedAt < publishedAt);

/** The first page as it is shown, after the server's of now: nothing that stays moves, and what is new waits behind the button. */
export function feedNow(page: FeedPage, now: FeedPage): FeedPage {
  const isKept = ({ id }: { id: string }): boolean => page.blogs.some((blog) => blog.id === id);
  const end = now.blogs.findLastIndex(isKept) + 1;
  // With nothing to read there is nothing to keep in its place.
  if (end === 0) return now;
  const nowCards = new Map(now.blogs.map((card) => [card.id, card]));
  const shown = page.blogs.map((card) => nowCards.get(card.id) ?? card);
  const blogs = [...shown, ...now.blogs.slice(end)].slice(0, Math.max(limits.page.feed, shown.length));
  const fresh = now.blogs.slice(0, end).flatMap(({ id }) => (isKept({ id }) ? [] : [id]));
  return { ...now, blogs, fresh };
}

/** Each page is also sorted within itself (docs/specification.md, 9.22). */
export function sortedWithin(blogs: readonly BlogCard[], sort: Sort): BlogCard[] {
  const newest = (a: BlogCard, b: BlogCard): number => Date.parse(b.publishedAt) - Date.parse(a.publishedAt);
  return [...blogs].sort(sort === "likes" ? (a, b) => b.likesCount - a.likesCount || newest(a, b) : newest);
}

/** What an address asks of the feed; what makes no sense is the first page of the latest. */
export function feedInput(search: URLSearchParams): { page: number; sort: Sort } {
  const page = Number(search.get("page"));
  return {
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
    sort: search.get("sort") === "likes" ? "likes" : "latest",
  };
}
