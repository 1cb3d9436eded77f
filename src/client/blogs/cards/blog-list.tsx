import type { BlogCard as Blog } from "../../../shared/blogs.ts";
import { limits } from "../../../shared/limits.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { BlogCard } from "./blog-card.tsx";
import "../blog-queries.ts";

interface Props {
  blogs: readonly Blog[];
  byline?: boolean;
  /** The first card is large (feed.css). */
  isLed?: boolean;
}

export function BlogList({ blogs, byline = true, isLed = false }: Props) {
  return (
    <ul className="cards lined h-feed">
      {blogs.map((blog, index) => (
        <li key={blog.id} data-card={blog.id}>
          <BlogCard blog={blog} eager={index < 2} isLarge={isLed && index === 0} byline={byline} />
        </li>
      ))}
    </ul>
  );
}

export function BlogListSkeleton({ count = limits.page.feed }: { count?: number }) {
  return (
    <div className="cards">
      {Array.from({ length: count }, (_, index) => (
        <div className="card" key={index}>
          <div className="card-text">
            <p className="card-byline byline">
              <Skeleton width="1.5rem" height="1.5rem" round />
              <Skeleton width="8rem" />
            </p>
            <Skeleton width="70%" height="1.5rem" />
            <p className="card-description excerpt">
              <Skeleton width="95%" />
            </p>
          </div>
          <div className="card-cover thumbnail">
            <Skeleton height="100%" />
          </div>
          <div className="card-meta row wrap">
            <Skeleton width="14rem" height="0.8rem" />
          </div>
        </div>
      ))}
    </div>
  );
}
