import type { BlogCard, BlogList } from "../../../shared/blogs.ts";
import {
  feedSorts,
  parseSort,
  type FeedSort,
  type RankedSort,
  type Sort,
} from "../../../shared/feed-sorts.ts";
import type { Pages } from "../../../shared/feed.ts";
import { limits } from "../../../shared/limits.ts";
import { pageInQuery } from "../../../shared/paging.ts";

/** A page of the feed; `fresh` are the ids of blogs published since the fetch. */
export interface FeedPage extends BlogList {
  pages?: Pages;
  fresh?: readonly string[];
  /** The range in milliseconds over which open pages spread their fetches of a new blog. */
  jitterMs?: number;
}

/** A page of the list Following; `tags` are the tags that the viewer follows. */
export interface FollowingPage extends FeedPage {
  tags: readonly string[];
}

/** Whether a blog of that publication time belongs on the page, not on a later one. */
export const isOnPage = ({ blogs, hasMore }: FeedPage, publishedAt: string): boolean =>
  !hasMore || blogs.length === 0 || blogs.some((blog) => blog.publishedAt < publishedAt);

/** Whether this may be the last page now that `left` blogs remain. */
export const mayBeLast = ({ page, hasMore }: FeedPage, left: number): boolean =>
  hasMore && left <= page * limits.page.feed;

/**
 * Merges the first page as shown with the current one from the server: known blogs do not move, and new ones wait in `fresh`,
 * except those in `addedIds`. If none wait, the result is the current page.
 */
export function mergeFirstPage(page: FeedPage, now: FeedPage, addedIds: readonly string[] = []): FeedPage {
  const isIncluded = ({ id }: { id: string }): boolean =>
    addedIds.includes(id) || page.blogs.some((blog) => blog.id === id);
  const includedEnd = now.blogs.findLastIndex(isIncluded) + 1;
  // An empty page has nothing to keep in place.
  if (includedEnd === 0 && (addedIds.length === 0 || page.blogs.length === 0)) return now;
  // The blogs of `addedIds` may have moved to the next page by now.
  const end = includedEnd || now.blogs.length;
  const nowCards = new Map(now.blogs.map((card) => [card.id, card]));
  const fresh = now.blogs.slice(0, end).flatMap(({ id }) => (isIncluded({ id }) ? [] : [id]));
  if (fresh.length === 0) return { ...now, fresh };
  const last = now.blogs.at(-1)!;
  // A missing blog that is older than all current ones moved to the next page; others have left the list.
  const shown = page.blogs
    .filter((card) => nowCards.has(card.id) || (now.hasMore && card.publishedAt <= last.publishedAt))
    .map((card) => nowCards.get(card.id) ?? card);
  const isNew = ({ id }: BlogCard): boolean => addedIds.includes(id) && !shown.some((card) => card.id === id);
  const top = [...now.blogs.slice(0, end).filter(isNew), ...shown];
  if (addedIds.length > 0) top.sort(newestCardFirst);
  const blogs = [...top, ...now.blogs.slice(end)].slice(0, Math.max(limits.page.feed, shown.length));
  return { ...now, blogs, fresh };
}

interface Rank {
  id: string;
  count: number;
  publishedAt: string;
}

/** The server's order by a count. */
const byCount = (a: Rank, b: Rank): number =>
  b.count - a.count || (`${b.publishedAt} ${b.id}` < `${a.publishedAt} ${a.id}` ? -1 : 1);

/**
 * Whether a change of a blog's count from `previous` (null: it was in no list) changes the blogs on a page in that order. Other
 * pages are unknown: past the first or last blog, it may have left this page.
 */
export function changesRankedPage(
  { blogs, page, hasMore }: BlogList,
  sort: RankedSort,
  blog: Rank,
  previous: number | null,
): boolean {
  const others = blogs
    .filter(({ id }) => id !== blog.id)
    .map((card) => ({ ...card, count: card[feedSorts[sort].count] }))
    .sort(byCount);
  const [first, last] = [others[0], others.at(-1)];
  const isShown = others.length < blogs.length;
  if (!first || !last) return !isShown || page > 1 || hasMore;
  const placeOf = (count: number): "before" | "on" | "after" => {
    const rank = { ...blog, count };
    if (page > 1 && byCount(rank, first) < 0) return "before";
    return hasMore && byCount(rank, last) > 0 ? "after" : "on";
  };
  const now = placeOf(blog.count);
  if (isShown && previous !== null) return now === (blog.count < previous ? "after" : "before");
  return previous === null ? now !== "after" && !isShown : now === "on" || now !== placeOf(previous);
}

const newestCardFirst = (a: BlogCard, b: BlogCard): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt);

/** Sorts the blogs within one page (docs/specification.md, 9.22). */
export function sortPage(blogs: readonly BlogCard[], sort: FeedSort): BlogCard[] {
  const count = sort === "following" ? null : feedSorts[sort].count;
  return [...blogs].sort((a, b) => (count ? b[count] - a[count] : 0) || newestCardFirst(a, b));
}

/** Parses the home page's address; guests get the latest instead of `following`. */
export function parseHomeInput(search: URLSearchParams, isMember: boolean): { page: number; sort: FeedSort } {
  const input = parseFeedInput(search);
  return isMember && search.get("sort") === "following" ? { ...input, sort: "following" } : input;
}

/** Parses the feed's address; ignores invalid values. */
export function parseFeedInput(search: URLSearchParams): { page: number; sort: Sort } {
  return {
    page: pageInQuery(search),
    sort: parseSort(search.get("sort")),
  };
}
