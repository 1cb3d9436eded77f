import type { BlogCard, BlogList, Sort } from "../../../shared/blogs.ts";
import type { Pages } from "../../../shared/feed.ts";
import { limits } from "../../../shared/limits.ts";
import { pageIn } from "../../../shared/paging.ts";

/** A page of the feed, and the blogs that were published since it was read. */
export interface FeedPage extends BlogList {
  pages?: Pages;
  fresh?: readonly string[];
  /** Milliseconds over which pages that show the newest of them at once ask for it. */
  jitterMs?: number;
}

/** Whether a blog of that time would stand on a page as it is shown. */
export const isOnPage = ({ blogs, hasMore }: FeedPage, publishedAt: string): boolean =>
  !hasMore || blogs.length === 0 || blogs.some((blog) => blog.publishedAt < publishedAt);

/** Whether no page may follow a page any more, where so many blogs are left for everybody. */
export const mayBeLast = ({ page, hasMore }: FeedPage, left: number): boolean =>
  hasMore && left <= page * limits.page.feed;

/**
 * The first page as it is shown, after the server's of now: nothing that stays moves, and what is new waits, except for the
 * blogs that are let `come`.
 */
export function feedNow(page: FeedPage, now: FeedPage, come: readonly string[] = []): FeedPage {
  const isKept = ({ id }: { id: string }): boolean =>
    come.includes(id) || page.blogs.some((blog) => blog.id === id);
  const keptTo = now.blogs.findLastIndex(isKept) + 1;
  // With nothing to read there is nothing to keep in its place.
  if (keptTo === 0 && (come.length === 0 || page.blogs.length === 0)) return now;
  // What comes may have given way to newer ones by now, which come next.
  const end = keptTo || now.blogs.length;
  const nowCards = new Map(now.blogs.map((card) => [card.id, card]));
  // What is not there has moved to the next page, and is told of where it is gone; without a next page it is.
  const shown = page.blogs
    .filter((card) => now.hasMore || nowCards.has(card.id))
    .map((card) => nowCards.get(card.id) ?? card);
  const isNew = ({ id }: BlogCard): boolean => come.includes(id) && !shown.some((card) => card.id === id);
  const top = [...now.blogs.slice(0, end).filter(isNew), ...shown];
  if (come.length > 0) top.sort(newestCardFirst);
  const blogs = [...top, ...now.blogs.slice(end)].slice(0, Math.max(limits.page.feed, shown.length));
  const fresh = now.blogs.slice(0, end).flatMap(({ id }) => (isKept({ id }) ? [] : [id]));
  return { ...now, blogs, fresh };
}

interface Rank {
  id: string;
  likesCount: number;
  publishedAt: string;
}

/** The server's order of the most liked. */
const byLikes = (a: Rank, b: Rank): number =>
  b.likesCount - a.likesCount || (`${b.publishedAt} ${b.id}` < `${a.publishedAt} ${a.id}` ? -1 : 1);

/**
 * Whether a page of the most liked has other blogs on it since this one, which was liked by `was`, is liked by so many:
 * null where it was in no list. What the other pages hold is not known: beyond the first or last blog it may have left.
 */
export function isMoved({ blogs, page, hasMore }: BlogList, blog: Rank, was: number | null): boolean {
  const others = blogs.filter(({ id }) => id !== blog.id).sort(byLikes);
  const [first, last] = [others[0], others.at(-1)];
  const isShown = others.length < blogs.length;
  if (!first || !last) return !isShown || page > 1 || hasMore;
  const placeOf = (likesCount: number): "before" | "on" | "after" => {
    const rank = { ...blog, likesCount };
    if (page > 1 && byLikes(rank, first) < 0) return "before";
    return hasMore && byLikes(rank, last) > 0 ? "after" : "on";
  };
  const now = placeOf(blog.likesCount);
  if (isShown && was !== null) return now === (blog.likesCount < was ? "after" : "before");
  return was === null ? now !== "after" && !isShown : now === "on" || now !== placeOf(was);
}

const newestCardFirst = (a: BlogCard, b: BlogCard): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt);

/** Each page is also sorted within itself (docs/specification.md, 9.22). */
export function sortedWithin(blogs: readonly BlogCard[], sort: FeedSort): BlogCard[] {
  return [...blogs].sort(
    sort === "likes" ? (a, b) => b.likesCount - a.likesCount || newestCardFirst(a, b) : newestCardFirst,
  );
}

/** How the feed may be asked for; `following` is a member's. */
export type FeedSort = Sort | "following";

/** What the address of the home page asks for. Nobody follows anybody as a guest: for them it is the latest. */
export function homeInput(search: URLSearchParams, isMember: boolean): { page: number; sort: FeedSort } {
  const input = feedInput(search);
  return isMember && search.get("sort") === "following" ? { ...input, sort: "following" } : input;
}

/** What an address asks of the feed; what makes no sense is the first page of the latest. */
export function feedInput(search: URLSearchParams): { page: number; sort: Sort } {
  return {
    page: pageIn(search),
    sort: search.get("sort") === "likes" ? "likes" : "latest",
  };
}
