import { defaultSort, rankTopics } from "../../shared/feed-sorts.ts";
import { routes } from "../../shared/routes.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Carousel } from "../blogs/feed/carousel.tsx";
import { useSearchParams } from "react-router-dom";
import { parseHomeInput } from "../blogs/feed/feed-data.ts";
import { Recommended, prefetchRecommended } from "../blogs/feed/recommended.tsx";
import { LiveNow, prefetchLiveNow } from "../blogs/feed/live-now.tsx";
import { RecommendedTopics, TopicsInUse, prefetchTopics } from "../blogs/feed/topics.tsx";
import { SetupSteps } from "../site/setup-steps.tsx";
import { useViewer } from "../session/viewer.ts";
import { trpc } from "../api/trpc.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { FeedList, sorts } from "../blogs/feed/feed-list.tsx";
import { freshBlogsOfFeed } from "../blogs/feed/fresh-blogs.ts";

export async function loader({ url, data, viewer }: PageRequest): Promise<PageFacts> {
  const { page, sort } = parseHomeInput(url.searchParams, viewer !== null);
  const [{ blogs, hasMore }, liveTopics, , topics] = await Promise.all([
    sort === "following" ? data.blogs.following.fetch({ page }) : data.blogs.list.fetch({ page, sort }),
    page === 1 ? prefetchLiveNow(data) : [],
    prefetchRecommended(data, viewer, page),
    prefetchTopics(data),
    viewer?.isAdmin && data.administration.setup.fetch(),
  ]);
  return {
    title: page > 1 ? `Home, page ${page}` : "Home",
    canonical: routes.home(page, sort),
    // A page beyond the last is not cached.
    ...(blogs.length > 0 || page === 1
      ? {
          topics: [
            "feed",
            ...rankTopics(sort),
            ...topics,
            ...liveTopics,
            ...blogs.map((blog) => `blog:${blog.id}`),
          ],
        }
      : { isNotFound: !hasMore }),
  };
}

export default function HomePage() {
  const viewer = useViewer();
  const feed = useFeed();
  const { page, sort, query } = feed;
  const isEmptySite = sort !== "following" && page === 1 && query.data?.blogs.length === 0;
  return (
    <div className="page">
      <h1 className="visually-hidden">Home</h1>
      {page === 1 && <LiveNow />}
      {viewer?.isAdmin && <SetupSteps />}
      {viewer ? <Recommended below={query.data?.blogs} isEmptySite={isEmptySite} /> : <Carousel />}
      <div className="with-side">
        <Feed {...feed} />
        <aside className="side">
          <RecommendedTopics />
          <TopicsInUse />
        </aside>
      </div>
    </div>
  );
}

const memberSorts = [{ sort: "following", label: "Following" }, ...sorts] as const;

/** Returns the feed that the address selects, and its input. */
function useFeed() {
  const isMember = useViewer() !== null;
  const [search] = useSearchParams();
  const { page, sort } = parseHomeInput(search, isMember);
  const isFollowing = sort === "following";
  const following = trpc.blogs.following.useQuery({ page }, { enabled: isFollowing });
  const everybodys = trpc.blogs.list.useQuery(
    { page, sort: isFollowing ? defaultSort : sort },
    { enabled: !isFollowing },
  );
  return { page, sort, isMember, query: isFollowing ? following : everybodys };
}

function Feed({ page, sort, isMember, query }: ReturnType<typeof useFeed>) {
  const { client } = trpc.useUtils();
  return (
    <FeedList
      query={query}
      sort={sort}
      sorts={isMember ? memberSorts : sorts}
      action={routes.home()}
      heading="Blogs"
      fresh={freshBlogsOfFeed(client, { page, sort })}
      nothing={sort === "following" ? emptyFollowing : emptyFeed}
    />
  );
}

const emptyFeed = (
  <EmptyState
    title="Nothing has been published yet"
    action={
      <LinkButton kind="primary" to="/add-blog">
        Write the first blog
      </LinkButton>
    }
  >
    Public blogs will appear here, newest first.
  </EmptyState>
);

const emptyFollowing = (
  <EmptyState
    title="Follow people and tags to read them here"
    action={
      <LinkButton kind="primary" to="/search">
        Find people and tags
      </LinkButton>
    }
  >
    Blogs by people and with tags that you follow will appear here, newest first.
  </EmptyState>
);
