import type { BlogCard } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import type { Data } from "../../api/trpc.ts";
import { REFETCH, liveQuery, refetch } from "../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../live/live.ts";
import { Link } from "../../ui/link.tsx";
import { AuthorLinks } from "../author-links.tsx";
import { cardHandlers, cardTopics } from "../blog-queries.ts";
import "../../ui/live-mark.css";
import "./live-now.css";

interface LiveNowList {
  blogs: BlogCard[];
}
const cards = cardHandlers<LiveNowList>();

registerLiveQueries({
  "blogs.liveNow": liveQuery<LiveNowList>({
    topics: (list) => [...cardTopics(list), "me"],
    on: {
      ...cards,
      "live.changed": refetch,
      // An account became public, or many blogs changed.
      "feed.changed": refetch,
      // One that has ended, or is a draft now, makes room for another.
      "blog.edited": (list, event, about) => {
        const isGone = !event.card.onAir && list.blogs.some(({ id }) => id === event.card.id);
        return isGone ? REFETCH : cards["blog.edited"]!(list, event, about);
      },
      "viewer.mute": refetch,
      "viewer.follow": refetch,
      "follow.settled": refetch,
    },
    jitterMs: 500,
  }),
});

/** Prefetches the data of `LiveNow`, ignoring errors. Returns its live topics. */
export async function prefetchLiveNow(data: Data): Promise<string[]> {
  const shown = await data.blogs.liveNow.fetch().catch(() => undefined);
  return shown?.blogs.map(({ id }) => `blog:${id}`) ?? [];
}

/** The live blogs that are on air, above all other blogs. */
export function LiveNow() {
  const { data } = trpc.blogs.liveNow.useQuery(undefined, { retryOnMount: false });
  if (!data || data.blogs.length === 0) return null;
  return (
    <section className="live-now" aria-labelledby="live-now-title">
      <h2 id="live-now-title" className="visually-hidden">
        Live now
      </h2>
      <ul className="list">
        {data.blogs.map((blog) => (
          <li key={blog.id} className="row wrap gap-3 baseline" data-item="">
            <span className="live-mark">Live</span>
            <Link
              to={routes.blog(blog.slug)}
              className="live-now-title plain-link"
              dir="auto"
              lang={blog.language}
              data-main
            >
              {blog.title}
            </Link>
            <span className="names note">
              <AuthorLinks blog={blog} most={2} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
