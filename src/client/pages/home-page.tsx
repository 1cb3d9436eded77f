import { routes } from "../../shared/routes.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Carousel } from "../blogs/feed/carousel.tsx";
import { feedInput } from "../blogs/feed/feed-data.ts";
import { Feed } from "../blogs/feed/feed.tsx";
import { Recommended, prefetchRecommended } from "../blogs/feed/recommended.tsx";
import { RecommendedTopics } from "../blogs/feed/topics.tsx";
import { useViewer } from "../session/viewer.ts";
import "./home-page.css";

export async function prefetch({ url, data, viewer }: PageRequest): Promise<PageFacts> {
  const { page, sort } = feedInput(url.searchParams);
  const [{ blogs }] = await Promise.all([
    data.blogs.list.fetch({ page, sort }),
    prefetchRecommended(data, viewer, page),
  ]);
  return {
    title: page > 1 ? `Home, page ${page}` : "Home",
    canonical: routes.home(page, sort),
    // Beyond the last page there is nothing worth keeping.
    ...(blogs.length > 0 || page === 1
      ? { topics: [sort === "likes" ? "likes" : "feed", "feed", ...blogs.map((blog) => `blog:${blog.id}`)] }
      : {}),
  };
}

export default function HomePage() {
  const viewer = useViewer();
  return (
    <div className="page home">
      <h1 className="visually-hidden">Home</h1>
      {viewer ? <Recommended /> : <Carousel />}
      <div className="home-columns">
        <Feed />
        <aside className="home-side">
          <RecommendedTopics />
        </aside>
      </div>
    </div>
  );
}
