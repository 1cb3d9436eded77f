import { Link } from "../ui/link.tsx";
import type { BlogSubscription } from "../../shared/notification-inputs.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { changeSubscription } from "../blogs/article/subscription.ts";
import { patch } from "../live/queries/patch.ts";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { SettingsRow } from "../settings/settings-row.tsx";

interface Known {
  blogs: BlogSubscription[];
}

const withoutBlog = (known: Known, id: string): Known =>
  patch(known, { blogs: known.blogs.filter((blog) => blog.id !== id) });

registerLiveQueries({
  "social.subscriptions": liveQuery<Known>({
    topics: ({ blogs }) => ["me", ...blogs.map(({ id }) => `card:${id}` as const)],
    on: {
      "viewer.subscription": (known, { blogId, level }) =>
        level === null ? withoutBlog(known, blogId) : REFETCH,
      "blog.edited": (known, { card }) =>
        patch(known, {
          blogs: known.blogs.map((blog) =>
            blog.id === card.id ? patch(blog, { title: card.title, slug: card.slug }) : blog,
          ),
        }),
      accessLost: (known, _event, { topic }) => withoutBlog(known, topic.slice("card:".length)),
    },
  }),
});

/** The viewer's subscribed and muted blogs, to undo it; nothing where there are none. */
export function BlogSubscriptions() {
  const { data } = trpc.social.subscriptions.useQuery();
  if (!data || data.blogs.length === 0) return null;
  return (
    <ul className="list" aria-label="Subscribed and muted blogs">
      {data.blogs.map(({ id, slug, title, level }) => (
        <SettingsRow
          key={id}
          label={
            <Link to={routes.blog(slug)}>
              <bdi>{title}</bdi>
            </Link>
          }
          action={
            <Button size="s" onClick={() => void changeSubscription(id, null, level)}>
              {level === "follow" ? "Unsubscribe" : "Unmute"}
              <span className="visually-hidden"> “{title}”</span>
            </Button>
          }
        >
          {level === "follow"
            ? "You’ll be notified of every new comment"
            : "Muted. You won’t get notifications about this blog."}
        </SettingsRow>
      ))}
    </ul>
  );
}
