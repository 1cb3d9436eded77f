import { useState } from "react";
import type { OnAirBlog } from "../../shared/entries.ts";
import type { PresenceEvent } from "../../shared/live.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import { registerLiveQueries, useLiveEvents, useTopic } from "../live/live.ts";
import { patch } from "../live/queries/patch.ts";
import { countText } from "../../shared/count-text.ts";
import { Link } from "../ui/link.tsx";
import { useLive } from "./use-live.ts";
import "../ui/live-mark.css";
import "./on-air-bar.css";

interface OwnLive {
  blogs: OnAirBlog[];
}

const patchBlog = (list: OwnLive, id: string, change: Partial<OnAirBlog>): OwnLive =>
  patch(list, { blogs: list.blogs.map((blog) => (blog.id === id ? patch(blog, change) : blog)) });

registerLiveQueries({
  "blogs.ownLive": liveQuery<OwnLive>({
    topics: ({ blogs }) => ["me", ...blogs.map(({ id }) => `card:${id}` as const)],
    on: {
      // It may also be one that the viewer writes with others since now.
      "viewer.blogsChanged": (list, { written }) => (written ? list : REFETCH),
      "blog.counted": (list, { blogId, commentsCount }) => patchBlog(list, blogId, { commentsCount }),
      "blog.edited": (list, { card: { id, slug, title } }) => patchBlog(list, id, { slug, title }),
      accessLost: (list, _event, { topic }) => ({
        ...list,
        blogs: list.blogs.filter(({ id }) => topic !== `card:${id}`),
      }),
    },
  }),
});

/** On every page of a writer whose live blog is on air: how many read it, how many comments it has, and its end. */
export default function OnAirBar() {
  const { data } = trpc.blogs.ownLive.useQuery(undefined, { retryOnMount: false });
  if (!data || data.blogs.length === 0) return null;
  return (
    <aside className="on-air stack gap-2" aria-label="On air">
      {data.blogs.map((blog) => (
        <OnAir key={blog.id} blog={blog} />
      ))}
    </aside>
  );
}

function OnAir({ blog: { id, slug, title, commentsCount } }: { blog: OnAirBlog }) {
  const [presence, setPresence] = useState<PresenceEvent | null>(null);
  useTopic(`presence:${id}`);
  useLiveEvents((event, topic) => {
    if (topic === `presence:${id}`) setPresence(event.kind === "presence" ? event : null);
  });
  const { isPending, end } = useLive({ id, title });
  const facts = [
    presence && presence.reading > 0 && countText(presence.reading, "reader"),
    countText(commentsCount, "comment"),
  ].filter(Boolean);
  return (
    <p className="on-air-blog row">
      <Link to={routes.blog(slug)} className="on-air-link row plain-link target">
        <span className="live-mark">On air</span>
        <span className="on-air-title clip" dir="auto">
          {title}
        </span>
      </Link>
      <span className="on-air-facts tabular">{facts.join(" · ")}</span>
      <button
        type="button"
        className="action"
        aria-disabled={isPending || undefined}
        onClick={() => void end()}
      >
        End…
      </button>
    </p>
  );
}
