import { useRef } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { NoSuchPage } from "../../ui/no-such-page.tsx";
import { Loading } from "../../ui/skeleton.tsx";
import { messages } from "../../../shared/errors.ts";
import { BlogList, BlogListSkeleton } from "../cards/blog-list.tsx";
import { sortedWithin } from "./feed-data.ts";
import type { FeedPage, FeedSort } from "./feed-data.ts";
import type { Fresh } from "./show-fresh.ts";
import { useFresh } from "./use-fresh.ts";
import { Pager } from "../../ui/pager.tsx";
import "./feed.css";

interface SortLink {
  sort: FeedSort;
  label: string;
}

export const sorts: readonly SortLink[] = [
  { sort: "latest", label: "Latest" },
  { sort: "likes", label: "Most Liked" },
];

interface Props {
  asked: { data: FeedPage | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };
  sort: FeedSort;
  sorts?: readonly SortLink[];
  /** Its address, without the page. */
  action: string;
  heading: string;
  /** How it shows what is new. */
  fresh: Fresh;
  /** In place of a list that is empty. */
  nothing: ReactNode;
}

/** A list that anybody may turn the pages of, where what is new comes in at the top, or waits above. */
export function FeedList({ asked, sort, sorts: offered = sorts, action, heading, fresh, nothing }: Props) {
  const { data: feed, isFetching } = asked;
  const section = useRef<HTMLElement>(null);
  const isTop = feed?.page === 1 && sort !== "likes";
  const list = () => section.current?.querySelector(".cards") ?? null;
  const { onRequest, announcement } = useFresh(feed, fresh, isTop, list);
  return (
    <section className="feed" aria-labelledby="feed-title" ref={section}>
      <div className="feed-head">
        <h2 id="feed-title" data-focus>
          {heading}
        </h2>
        <nav className="feed-sorts" aria-label="Sort">
          {offered.map((one) => (
            <Link
              key={one.sort}
              to={one.sort === "latest" ? action : `${action}?sort=${one.sort}`}
              aria-current={one.sort === sort ? "true" : undefined}
            >
              {one.label}
            </Link>
          ))}
        </nav>
      </div>
      <div className="feed-fresh" role="status">
        {onRequest > 0 && (
          <button
            type="button"
            className="feed-pill"
            aria-busy={isFetching || undefined}
            onClick={() => void fresh.all()}
          >
            <Icon name="arrow-up" size={16} />
            {onRequest === 1 ? "1 new blog" : `${onRequest} new blogs`}
          </button>
        )}
      </div>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <Loaded asked={asked} what="blogs" waiting={<BlogListSkeleton />} failure={messages.dataFetch}>
        {(known) => <Page feed={known} sort={sort} action={action} nothing={nothing} />}
      </Loaded>
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
  // Emptied by what is gone, while what else there is is on its way.
  const isFilling = hasMore || (feed.fresh?.length ?? 0) > 0;
  return (
    <>
      {feed.blogs.length > 0 ? (
        <BlogList blogs={sortedWithin(feed.blogs, sort)} isLed />
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
        keep={sort === "latest" ? {} : { sort }}
        page={page}
        pages={feed.pages}
        hasMore={hasMore}
      />
    </>
  );
}
