import { useState } from "react";
import { Link } from "../ui/link.tsx";
import { routes } from "../../shared/routes.ts";
import { useConnectionState } from "../api/connection-status.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useSite } from "../session/site.ts";
import type { FeedPage } from "../blogs/feed/feed-data.ts";
import { AuthorLinks } from "../blogs/author-links.tsx";
import { showFreshBlogs } from "../blogs/feed/fresh-blogs.ts";
import { LiveNow, prefetchLiveNow } from "../blogs/feed/live-now.tsx";
import { Showcase, prefetchShowcase } from "../blogs/landing/showcase.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useViewer } from "../session/viewer.ts";
import HomePage, { loader as loadHome } from "./home-page.tsx";
import "../ui/prose.css";
import "../ui/cards.css";
import "./landing-page.css";
import "../blogs/blog-queries.ts";
import "../session/site-queries.ts";

const first = { page: 1, sort: "latest" } as const;

const landing = { kind: "landing" } as const;

export async function loader(request: PageRequest): Promise<PageFacts> {
  const { data, viewer } = request;
  if (viewer) return { ...(await loadHome(request)), title: "", canonical: routes.home() };
  const [{ blogs }, liveTopics, showcaseTopics] = await Promise.all([
    data.blogs.list.fetch(first),
    prefetchLiveNow(data),
    prefetchShowcase(data),
    data.users.siteText.fetch(landing),
  ]);
  return {
    title: "",
    topics: [
      "feed",
      ...new Set([...liveTopics, ...showcaseTopics, ...blogs.map((blog) => `blog:${blog.id}`)]),
    ],
  };
}

/** The feed for members, the introduction for guests. */
export default function LandingPage() {
  return useViewer() ? <HomePage /> : <Landing />;
}

function Landing() {
  const { docsUrl } = useSite();
  const text = trpc.users.siteText.useQuery(landing).data?.text;
  return (
    <div className="page landing">
      <LiveNow />
      <section className="stack gap-6 start">
        <h1 className="landing-headline">
          <span>Write.</span> <span>Inspire.</span>{" "}
          <span className="landing-repeat">
            Repeat
            <Logo />
          </span>
        </h1>
        {text ? (
          <div className="prose landing-text" dangerouslySetInnerHTML={{ __html: text.html }} />
        ) : (
          <p className="soft landing-subtitle">
            A quiet place to read and write. Open pages never go stale: when someone replies, you see it at
            once. <a href={docsUrl}>How it works</a>
          </p>
        )}
        <div className="row wrap gap-3 landing-actions">
          <LinkButton kind="primary" to="/signup">
            Get Started
          </LinkButton>
          <LinkButton to={routes.signIn()}>Log In</LinkButton>
        </div>
      </section>
      <Latest />
      <Showcase />
      <Facts />
    </div>
  );
}

const facts = [
  {
    title: "Always up to date",
    text: "Comments, likes and edits reach every open page at once. Nothing is missed, and nothing is shown twice.",
  },
  {
    title: "No tracking",
    text: "No advertising and no trackers. You can read a page before its first script has loaded.",
  },
  {
    title: "What you write is yours",
    text: "Download everything as one file, whenever you like. Old links to your blogs keep working.",
  },
];

function Facts() {
  return (
    <ul className="landing-facts">
      {facts.map(({ title, text }) => (
        <li key={title}>
          <h2 className="size-xl">{title}</h2>
          <p className="muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** The newest blogs. The dot is lit while the page is live. */
function Latest() {
  const { data } = trpc.blogs.list.useQuery(first);
  const feed: FeedPage | undefined = data;
  const live = useConnectionState() === "live";
  const [initialIds] = useState(() => new Set(feed?.blogs.map((blog) => blog.id)));
  const fresh = feed?.fresh?.length ?? 0;
  if (!feed || feed.blogs.length === 0) return null;
  return (
    <section aria-labelledby="latest-title">
      <div className="list-head gap-2-4">
        <h2 id="latest-title">Latest</h2>
        <p className="row note landing-live" data-live={live || undefined}>
          {live ? "live" : ""}
        </p>
        <div role="status">
          {fresh > 0 && (
            <button type="button" className="pill landing-fresh" onClick={() => void showFreshBlogs(first)}>
              {fresh === 1 ? "1 new blog" : `${fresh} new blogs`}
            </button>
          )}
        </div>
        <Link className="small to-end" to={routes.home()}>
          All blogs
        </Link>
      </div>
      <ol className="landing-list h-feed">
        {feed.blogs.map((blog) => (
          <li
            key={blog.id}
            className="h-entry row wrap baseline between hairline-bottom"
            data-item
            data-new={!initialIds.has(blog.id) || undefined}
          >
            <Link
              className="plain-link landing-title p-name u-url"
              to={routes.blog(blog.slug)}
              dir="auto"
              lang={blog.language}
              data-main
            >
              {blog.title}
            </Link>
            <p className="note landing-by">
              <AuthorLinks blog={blog} most={2} />,{" "}
              <RelativeTime at={blog.publishedAt} className="dt-published" />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
