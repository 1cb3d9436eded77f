import { rankTopics } from "../../shared/feed-sorts.ts";
import { routes } from "../../shared/routes.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Carousel } from "../blogs/feed/carousel.tsx";
import { parseHomeInput } from "../blogs/feed/feed-data.ts";
import { Feed } from "../blogs/feed/feed.tsx";
import { Recommended, prefetchRecommended } from "../blogs/feed/recommended.tsx";
import { RecommendedTopics, TopicsInUse, prefetchTopics } from "../blogs/feed/topics.tsx";
import { SetupSteps } from "../site/setup-steps.tsx";
import { useViewer } from "../session/viewer.ts";

export async function loader({ url, data, viewer }: PageRequest): Promise<PageFacts> {
  const { page, sort } = parseHomeInput(url.searchParams, viewer !== null);
  const [{ blogs, hasMore }, , topics] = await Promise.all([
    sort === "following" ? data.blogs.following.fetch({ page }) : data.blogs.list.fetch({ page, sort }),
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
          topics: ["feed", ...rankTopics(sort), ...topics, ...blogs.map((blog) => `blog:${blog.id}`)],
        }
      : { isNotFound: !hasMore }),
  };
}

export default function HomePage() {
  const viewer = useViewer();
  return (
    <div className="page home">
      <h1 className="visually-hidden">Home</h1>
      {viewer?.isAdmin && <SetupSteps />}
      {viewer ? <Recommended /> : <Carousel />}
      <div className="with-side">
        <Feed />
        <aside className="side">
          <RecommendedTopics />
          <TopicsInUse />
        </aside>
      </div>
    </div>
  );
}
