import type { Sort } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ListFailure } from "../../ui/list-failure.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { BlogList, BlogListSkeleton } from "../cards/blog-list.tsx";
import { feedInput, sortedWithin } from "./feed-data.ts";
import type { FeedPage } from "./feed-data.ts";
import { useSearch } from "../../ui/location.ts";
import { Pager } from "../../ui/pager.tsx";
import { showFresh } from "./show-fresh.ts";
import "./feed.css";

const sorts: readonly { sort: Sort; label: string }[] = [
  { sort: "latest", label: "Latest" },
  { sort: "likes", label: "Most Liked" },
];

/** Everybody's blogs, a page at a time. */
export function Feed() {
  const search = useSearch();
  const input = feedInput(search);
  const { sort } = input;
  const { data, error, refetch, isFetching } = trpc.blogs.list.useQuery(input);
  const feed: FeedPage | undefined = data;
  const fresh = feed?.fresh?.length ?? 0;
  return (
    <section className="feed" aria-labelledby="feed-title">
      <div className="feed-head">
        <h2 id="feed-title" data-focus>
          Blogs
        </h2>
        <nav className="feed-sorts" aria-label="Sort">
          {sorts.map((one) => (
            <a
              key={one.sort}
              href={routes.home(1, one.sort)}
              aria-current={one.sort === sort ? "true" : undefined}
            >
              {one.label}
            </a>
          ))}
        </nav>
      </div>
      <div className="feed-fresh" role="status">
        {fresh > 0 && (
          <button
            type="button"
            className="feed-pill"
            aria-busy={isFetching || undefined}
            onClick={() => void showFresh(input)}
          >
            <Icon name="arrow-up" size={16} />
            {fresh === 1 ? "1 new blog" : `${fresh} new blogs`}
          </button>
        )}
      </div>
      {feed ? (
        <Page feed={feed} sort={sort} />
      ) : error ? (
        <ListFailure retry={() => void refetch()} />
      ) : (
        <BlogListSkeleton />
      )}
    </section>
  );
}

function Page({ feed, sort }: { feed: FeedPage; sort: Sort }) {
  const { page, hasMore } = feed;
  // Emptied by what is gone, while what else there is is on its way.
  const isFilling = hasMore || (feed.fresh?.length ?? 0) > 0;
  return (
    <>
      {feed.blogs.length > 0 ? (
        <BlogList blogs={sortedWithin(feed.blogs, sort)} />
      ) : isFilling ? (
        <BlogListSkeleton />
      ) : (
        <Nothing page={page} />
      )}
      <Pager action={routes.home()} keep={sort === "likes" ? { sort } : {}} page={page} hasMore={hasMore} />
    </>
  );
}

function Nothing({ page }: { page: number }) {
  if (page > 1) {
    return (
      <EmptyState
        title="There is no such page"
        action={<LinkButton href={routes.home()}>To the first page</LinkButton>}
      >
        The list ends before page {page}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing has been published yet"
      action={
        <LinkButton kind="primary" href="/add-blog">
          Write the first blog
        </LinkButton>
      }
    >
      Everybody’s public blogs will stand here, the newest first.
    </EmptyState>
  );
}
