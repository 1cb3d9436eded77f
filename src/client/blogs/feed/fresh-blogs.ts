import { getQueryKey } from "@trpc/react-query";
import type { QueryKey } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../../live/live.ts";
import type { MutationContext } from "../../live/mutations/optimistic-mutations.ts";
import { mergeFirstPage } from "./feed-data.ts";
import type { FeedPage } from "./feed-data.ts";
import type { FeedSort, Sort } from "../../../shared/feed-sorts.ts";
import type { TaggedBlogs } from "../../../shared/tags.ts";

type FetchPage<Page> = () => Promise<Page & { cursor: string }>;

interface FeedInput {
  page: number;
  sort: FeedSort;
}

export interface FreshBlogs {
  /** Refetches the page with all waiting blogs. */
  showAll(): Promise<void>;
  /** Inserts these, unless `mayInsert` returns false after the fetch. Returns whether it did. */
  showSome(ids: readonly string[], mayInsert: () => boolean): Promise<boolean>;
}

/** Returns the functions for the page cached under `key`. */
function freshBlogsOf<Page extends FeedPage>(key: QueryKey, read: FetchPage<Page>): FreshBlogs {
  return {
    showAll: () => refetchNow(key),
    showSome: async (ids, mayInsert) => {
      const now = await read();
      if (!mayInsert()) return false;
      const isJoined = updateAnswerAt<Page>(key, now.cursor, (page) => ({
        ...now,
        ...mergeFirstPage(page, now, ids),
      }));
      if (!isJoined) await refetchNow(key);
      return true;
    },
  };
}

const feedQueryKey = ({ page, sort }: FeedInput): QueryKey =>
  sort === "following"
    ? getQueryKey(trpc.blogs.following, { page }, "query")
    : getQueryKey(trpc.blogs.list, { page, sort }, "query");

export const freshBlogsOfFeed = (
  { blogs }: MutationContext["client"],
  { page, sort }: FeedInput,
): FreshBlogs =>
  freshBlogsOf<FeedPage>(feedQueryKey({ page, sort }), () =>
    sort === "following" ? blogs.following.query({ page }) : blogs.list.query({ page, sort }),
  );

/** Refetches a page of the feed, including waiting blogs. */
export const showFreshBlogs = (input: FeedInput): Promise<void> => refetchNow(feedQueryKey(input));

/** A page of a tag; `fresh` are the ids of blogs that came since the fetch. */
export interface TagPage extends TaggedBlogs {
  fresh?: readonly string[];
}

export const freshBlogsOfTag = (
  { blogs }: MutationContext["client"],
  input: { tag: string; page: number; sort: Sort },
): FreshBlogs =>
  freshBlogsOf<TagPage>(getQueryKey(trpc.blogs.byTag, input, "query"), () => blogs.byTag.query(input));
