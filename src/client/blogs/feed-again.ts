import type { QueryClient } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import type { BlogList, Sort } from "../../shared/blogs.ts";
import { errorCode } from "../api/errors.ts";
import type { FeedPage } from "./feed-data.ts";

type Blogs = Pick<TRPCClient<AppRouter>["blogs"], "list" | "card">;

const feeds = [["blogs", "list"]];
const inputOf = ([, options]: readonly unknown[]) =>
  (options as { input: { page: number; sort: Sort } }).input;
const isFirst = ({ page, sort }: { page: number; sort: Sort }): boolean => page === 1 && sort === "latest";

let turn: Promise<void> = Promise.resolve();

/**
 * After a change of what the viewer may read: cards that are not for them any more leave the feed that is shown, and new
 * ones wait behind its button. Any other is asked for again.
 */
export function readFeedsAgain(queryClient: QueryClient, blogs: Blogs): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: feeds, refetchType: "none" });
  // One after the other: an older answer never comes after a newer one.
  turn = turn.then(async () => {
    for (const { queryKey, state } of queryClient
      .getQueryCache()
      .findAll({ queryKey: feeds, type: "active" })) {
      const page = state.data as FeedPage | undefined;
      if (page && isFirst(inputOf(queryKey)))
        await compare(queryClient, queryKey, page, blogs).catch(() => again(queryClient, queryKey));
      else again(queryClient, queryKey);
    }
  });
  return turn;
}

const again = (queryClient: QueryClient, queryKey: readonly unknown[]): void =>
  void queryClient.invalidateQueries({ queryKey });

async function compare(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  page: FeedPage,
  blogs: Blogs,
): Promise<void> {
  const now = await blogs.list.query(inputOf(queryKey));
  const ids = new Set(now.blogs.map(({ id }) => id));
  const missing = [...page.blogs.map(({ id }) => id), ...(page.fresh ?? [])].filter((id) => !ids.has(id));
  // What is not on the first page any more may just be older than what is new.
  const gone = await Promise.all(
    missing.map((id) =>
      blogs.card.query({ id }).then(
        () => [],
        (error: unknown) => {
          if (errorCode(error) === "NOT_FOUND") return [id];
          throw error;
        },
      ),
    ),
  );
  queryClient.setQueryData<FeedPage>(queryKey, (known) => known && feedNow(known, now, new Set(gone.flat())));
}

/** The first page as it is shown, after the server's of now: nothing that stays moves. */
export function feedNow(
  page: FeedPage,
  now: Pick<BlogList, "blogs" | "hasMore">,
  gone: Set<string>,
): FeedPage {
  const kept = page.blogs.filter(({ id }) => !gone.has(id));
  const isKept = ({ id }: { id: string }): boolean => kept.some((blog) => blog.id === id);
  const end = kept.length === 0 ? 0 : now.blogs.findLastIndex(isKept) + 1 || now.blogs.length;
  const blogs = [...kept, ...now.blogs.slice(end)];
  const fresh = [...(page.fresh ?? []), ...now.blogs.slice(0, end).map(({ id }) => id)];
  return {
    ...page,
    blogs,
    hasMore: now.hasMore,
    fresh: [...new Set(fresh)].filter((id) => !gone.has(id) && !blogs.some((blog) => blog.id === id)),
  };
}
