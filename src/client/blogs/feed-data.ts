import type { BlogCard, BlogList, Sort } from "../../shared/blogs.ts";
import type { FeedEvent } from "../../shared/events.ts";
import { limits } from "../../shared/limits.ts";

/** A page of the feed, and the blogs that were published since it was read. */
export interface FeedPage extends BlogList {
  cursor: string;
  fresh?: readonly string[];
}

/** The feed after an event. A new blog only counts until the reader asks for it; one that is gone leaves at once. */
export function applyFeedEvent(page: FeedPage, event: FeedEvent, cursor: string): FeedPage {
  const fresh = page.fresh ?? [];
  if (event.kind === "blog.published") {
    // An import brings old blogs: they stand further down, and are no news.
    const old = page.blogs.some((blog) => blog.publishedAt > event.publishedAt);
    const known = old || fresh.includes(event.blogId) || page.blogs.some((blog) => blog.id === event.blogId);
    return { ...page, cursor, fresh: known ? fresh : [...fresh, event.blogId] };
  }
  if (event.kind === "blog.gone") {
    return {
      ...page,
      cursor,
      blogs: page.blogs.filter((blog) => blog.id !== event.blogId),
      fresh: fresh.filter((id) => id !== event.blogId),
    };
  }
  return page;
}

/** Whether a fresh load may show more than what an event has left of a page. */
export function lacks(before: FeedPage, after: FeedPage): boolean {
  return after.blogs.length === 0 || (after.hasMore && after.blogs.length < before.blogs.length);
}

/** A page that events took blogs from, filled up from `now`. What is shown stays, and what waits behind the button waits on. */
export function filledUp(page: FeedPage, now: FeedPage): FeedPage {
  const known = new Set([...page.blogs.map(({ id }) => id), ...(page.fresh ?? [])]);
  const blogs = [...page.blogs, ...now.blogs.filter(({ id }) => !known.has(id))];
  // With nothing to read there is nothing to keep in its place.
  if (blogs.length === 0) return now;
  return { ...page, blogs: blogs.slice(0, limits.page.feed), hasMore: now.hasMore };
}

/** Each page is also sorted within itself (decisions, "Reading and writing"). */
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
