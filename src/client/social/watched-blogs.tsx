import { Link } from "react-router-dom";
import type { WatchedBlog } from "../../shared/notices.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { turnWatching } from "../blogs/article/watching.ts";
import { changed } from "../live/changed.ts";
import { ask, kept } from "../live/kept.ts";
import { keepAlso } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { SettingsRow } from "../users/settings-row.tsx";

interface Known {
  blogs: WatchedBlog[];
}

const without = (known: Known, id: string): Known => {
  const blogs = known.blogs.filter((blog) => blog.id !== id);
  return blogs.length === known.blogs.length ? known : { ...known, blogs };
};

keepAlso({
  "social.watched": kept<Known>({
    topics: ({ blogs }) => ["me", ...blogs.map(({ id }) => `card:${id}` as const)],
    on: {
      "own.watched": (known, { blogId, way }) => (way === null ? without(known, blogId) : ask),
      "blog.edited": (known, { card }) =>
        changed(known, {
          blogs: known.blogs.map((blog) =>
            blog.id === card.id ? changed(blog, { title: card.title, slug: card.slug }) : blog,
          ),
        }),
      gone: (known, _event, { topic }) => without(known, topic.slice("card:".length)),
    },
  }),
});

/** Blogs whose talk one follows, or which one has muted, with the way back; nothing where there are none. */
export function WatchedBlogs() {
  const { data } = trpc.social.watched.useQuery();
  if (!data || data.blogs.length === 0) return null;
  return (
    <ul className="settings-rows" aria-label="Blogs that you follow or have muted">
      {data.blogs.map(({ id, slug, title, way }) => (
        <SettingsRow
          key={id}
          label={
            <Link to={routes.blog(slug)}>
              <bdi>{title}</bdi>
            </Link>
          }
          action={
            <Button size="s" onClick={() => void turnWatching(id, null, way)}>
              {way === "follow" ? "Stop" : "Unmute"}
              <span className="visually-hidden"> “{title}”</span>
            </Button>
          }
        >
          {way === "follow" ? "You are told of each new comment" : "Muted: you are told of nothing there"}
        </SettingsRow>
      ))}
    </ul>
  );
}
