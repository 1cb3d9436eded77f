import { useRef } from "react";
import type { ReactNode } from "react";
import { Link } from "../../ui/link.tsx";
import { Icon } from "../../ui/icon.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { NoSuchPage, Pager } from "../../ui/pager.tsx";
import { Loading } from "../../ui/skeleton.tsx";
import { defaultSort, feedSorts, isRanked, sortNames, sortParameters } from "../../../shared/feed-sorts.ts";
import type { FeedSort } from "../../../shared/feed-sorts.ts";
import { messages } from "../../../shared/errors.ts";
import { BlogList, BlogListSkeleton } from "../cards/blog-list.tsx";
import { sortPage } from "./feed-data.ts";
import type { FeedPage } from "./feed-data.ts";
import type { FreshBlogs } from "./fresh-blogs.ts";
import { useFreshBlogs } from "./use-fresh-blogs.ts";
import "./feed.css";

interface SortLink {
  sort: FeedSort;
  label: string;
}

export const sorts: readonly SortLink[] = sortNames.map((sort) => ({ sort, ...feedSorts[sort] }));

interface Props {
  query: { data: FeedPage | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };
  sort: FeedSort;
  sorts?: readonly SortLink[];
  /** The list's address without a page. */
  action: string;
  heading: string;
  fresh: FreshBlogs;
  /** Shown instead of an empty list. */
  nothing: ReactNode;
}

/** A list of blogs with pages. New ones appear at the top, or wait behind a button. */
export function FeedList({ query, sort, sorts: offered = sorts, action, heading, fresh, nothing }: Props) {
  const { data: feed, isFetching } = query;
  const section = useRef<HTMLElement>(null);
  const isTop = feed?.page === 1 && !isRanked(sort);
  const list = () => section.current?.querySelector(".cards") ?? null;
  const { onRequest, announcement } = useFreshBlogs(feed, fresh, isTop, list);
  return (
    <section className="feed" aria-labelledby="feed-title" ref={section}>
      <div className="feed-head list-head">
        <h2 id="feed-title" data-focus>
          {heading}
        </h2>
        <nav className="row gap-5 small feed-sorts" aria-label="Sort">
          {offered.map((one) => (
            <Link
              key={one.sort}
              to={one.sort === defaultSort ? action : `${action}?sort=${one.sort}`}
              aria-current={one.sort === sort ? "true" : undefined}
            >
              {one.label}
            </Link>
          ))}
        </nav>
      </div>
      <div className="afloat" role="status">
        {onRequest > 0 && (
          <button
            type="button"
            className="feed-pill pill"
            aria-busy={isFetching || undefined}
            onClick={() => void fresh.showAll()}
          >
            <Icon name="arrow-up" size={16} />
            {onRequest === 1 ? "1 new blog" : `${onRequest} new blogs`}
          </button>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <QueryResult query={query} noun="blogs" fallback={<BlogListSkeleton />} failure={messages.dataFetch}>
        {(loaded) => <Page feed={loaded} sort={sort} action={action} nothing={nothing} />}
      </QueryResult>
    </section>
  );
}

function Page({
  feed,
  sort,
  action,
  nothing,
}: { feed: FeedPage } & Pick<Props, "sort" | "action" | "nothing">) {
  const { page, hasMore } = feed;
  // The blogs shown were deleted, and others are being fetched.
  const isFilling = hasMore || (feed.fresh?.length ?? 0) > 0;
  return (
    <>
      {feed.blogs.length > 0 ? (
        <BlogList blogs={sortPage(feed.blogs, sort)} isLed />
      ) : isFilling ? (
        <Loading label="Loading blogs">
          <BlogListSkeleton />
        </Loading>
      ) : page > 1 ? (
        <NoSuchPage page={page} first={action} />
      ) : (
        nothing
      )}
      <Pager
        action={action}
        parameters={sortParameters(sort)}
        page={page}
        pages={feed.pages}
        hasMore={hasMore}
      />
    </>
  );
}
