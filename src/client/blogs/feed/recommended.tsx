import { Link } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { routes } from "../../../shared/routes.ts";
import type { RecommendedBlog, Why } from "../../../shared/search.ts";
import type { Viewer } from "../../../shared/users.ts";
import { trpc } from "../../api/trpc.ts";
import type { Data } from "../../api/trpc.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useViewer } from "../../session/viewer.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { By } from "../by.tsx";
import { CardCover } from "../cards/cover.tsx";
import { useFeed } from "./use-feed.ts";
import "./recommended.css";
import "../blog-queries.ts";

const INTERESTS = "/select-interests";

/** For a page that shows `Recommended`. Turning the leaves of the list below leaves what is recommended as it is; failing, it says so itself. */
export async function prefetchRecommended(data: Data, viewer: Viewer | null, page: number): Promise<void> {
  if (!viewer) return;
  const options = page > 1 ? { staleTime: Infinity } : {};
  await data.blogs.recommended.fetch(undefined, options).catch(() => {});
}

/** What a member may like to read, each with the reason. */
export function Recommended() {
  const viewer = useViewer();
  const asked = trpc.blogs.recommended.useQuery(undefined, {
    enabled: viewer !== null,
    retryOnMount: false,
  });
  if (!viewer) return null;
  const isKnown = viewer.interests.length > 0;
  return (
    <section className="picks" aria-labelledby="picks-title">
      <div className="picks-head">
        <h2 id="picks-title">Recommended Blogs for you</h2>
        {!isKnown && asked.data && asked.data.blogs.length > 0 && (
          <p className="picks-hint">
            <Link to={INTERESTS}>Choose your interests</Link> to see more of what you like.
          </p>
        )}
      </div>
      <Loaded asked={asked} what="recommended blogs" waiting={<PicksSkeleton />} failure={messages.dataFetch}>
        {({ blogs }) => <Picks blogs={blogs} isKnown={isKnown} />}
      </Loaded>
    </section>
  );
}

/** One that leads, and a few beside it; of two both do, so that none is alone in its column. */
const shown = 4;

/**
 * None of them stands in the list below as well, as long as there is another: in a place that is so young that all of it is listed they
 * say at least why one might read them.
 */
function Picks({ blogs, isKnown }: { blogs: readonly RecommendedBlog[]; isKnown: boolean }) {
  const { asked } = useFeed();
  if (blogs.length === 0) return <Nothing isKnown={isKnown} />;
  const below = new Set(asked.data?.blogs.map(({ id }) => id));
  const others = blogs.filter(({ id }) => !below.has(id));
  const picks = (others.length > 0 ? others : blogs).slice(0, shown);
  return (
    <ul className="picks-list" data-count={picks.length}>
      {picks.map((blog, index) => (
        <li key={blog.id}>
          <Pick blog={blog} isLead={index === 0 || picks.length === 2} />
        </li>
      ))}
    </ul>
  );
}

function Pick({ blog, isLead }: { blog: RecommendedBlog; isLead: boolean }) {
  const { title, slug } = blog;
  const text = blog.description || blog.excerpt;
  return (
    <article className="pick" data-lead={isLead || undefined} data-item>
      {isLead && (
        <Link to={routes.blog(slug)} className="pick-cover" tabIndex={-1} aria-hidden="true">
          <CardCover blog={blog} sizes="(min-width: 64rem) 22rem, 100vw" />
        </Link>
      )}
      <p className="pick-why">
        <Reason why={blog.why} />
      </p>
      <h3 className="pick-title">
        <Link to={routes.blog(slug)} dir="auto" lang={blog.language} data-main>
          {title}
        </Link>
      </h3>
      {isLead && text && (
        <p className="pick-text" dir="auto" lang={blog.language}>
          {text}
        </p>
      )}
      <p className="pick-by">
        <Avatar person={blog.author} size={20} />
        <span className="pick-names">
          <By blog={blog} most={2} />
        </span>
        <span className="pick-length">{blog.readingMinutes} min read</span>
      </p>
    </article>
  );
}

function Reason({ why }: { why: Why }) {
  if (why.kind === "fresh") return "New";
  if (why.kind === "interest") {
    return (
      <>
        Because you like <bdi>{why.interest}</bdi>
      </>
    );
  }
  return (
    <>
      {why.kind === "following" ? "You follow" : "Liked by"} <bdi>{why.person.name}</bdi>
    </>
  );
}

function Nothing({ isKnown }: { isKnown: boolean }) {
  const { sort, page, asked } = useFeed();
  const isEmptySite = sort !== "following" && page === 1 && asked.data?.blogs.length === 0;
  if (isKnown && isEmptySite)
    return <EmptyState title="No blogs yet">We’ll recommend blogs here as people write them.</EmptyState>;
  if (isKnown) {
    return (
      <EmptyState title="You’re all caught up" action={<LinkButton to="/search">Explore</LinkButton>}>
        We’ll recommend more as new blogs come in.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="What do you like to read about?"
      action={
        <LinkButton kind="primary" to={INTERESTS}>
          Choose your interests
        </LinkButton>
      }
    >
      Blogs about your interests, and blogs by the people you follow, will appear here.
    </EmptyState>
  );
}

function PicksSkeleton() {
  return (
    <div className="picks-list">
      {Array.from({ length: shown }, (_, index) => (
        <div className="pick" key={index} data-lead={index === 0 || undefined}>
          {index === 0 && (
            <div className="pick-cover">
              <Skeleton height="100%" />
            </div>
          )}
          <Skeleton width="60%" height="0.8rem" />
          <Skeleton height="1.25rem" />
          <Skeleton width="80%" height="0.8rem" />
        </div>
      ))}
    </div>
  );
}
