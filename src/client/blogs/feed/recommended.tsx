import { Link } from "../../ui/link.tsx";
import { messages } from "../../../shared/errors.ts";
import type { BlogCard } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import type { RecommendedBlog, RecommendationReason } from "../../../shared/search.ts";
import type { Viewer } from "../../../shared/users.ts";
import { trpc } from "../../api/trpc.ts";
import type { Data } from "../../api/trpc.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useViewer } from "../../session/viewer.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { AuthorLinks } from "../author-links.tsx";
import { CardCover } from "../cards/cover.tsx";
import "./recommended.css";
import "../blog-queries.ts";

const INTERESTS = "/select-interests";

/** Prefetches the data of `Recommended`, once for all pages of the feed. The component shows errors. */
export async function prefetchRecommended(data: Data, viewer: Viewer | null, page: number): Promise<void> {
  if (!viewer) return;
  const options = page > 1 ? { staleTime: Infinity } : {};
  await data.blogs.recommended.fetch(undefined, options).catch(() => {});
}

interface ListBelow {
  /** The blogs of the list below, once it is loaded. */
  below: readonly BlogCard[] | undefined;
  isEmptySite: boolean;
}

export function Recommended(list: ListBelow) {
  const viewer = useViewer();
  const query = trpc.blogs.recommended.useQuery(undefined, {
    enabled: viewer !== null,
    retryOnMount: false,
  });
  if (!viewer) return null;
  const isKnown = viewer.interests.length > 0;
  return (
    <section className="picks" aria-labelledby="picks-title">
      <div className="list-head">
        <h2 id="picks-title" className="size-xl">
          Recommended Blogs for you
        </h2>
        {!isKnown && query.data && query.data.blogs.length > 0 && (
          <p className="picks-hint note">
            <Link to={INTERESTS}>Choose your interests</Link> to see more of what you like.
          </p>
        )}
      </div>
      <QueryResult
        query={query}
        noun="recommended blogs"
        fallback={<PicksSkeleton />}
        failure={messages.dataFetch}
      >
        {({ blogs }) => <Picks blogs={blogs} isKnown={isKnown} {...list} />}
      </QueryResult>
    </section>
  );
}

/** One is large. Of two both are, so that neither is alone in its column. */
const maxPicks = 4;

/** Prefers blogs that are not in the list below: if all are, the picks at least give reasons. */
function Picks({
  blogs,
  isKnown,
  below,
  isEmptySite,
}: ListBelow & { blogs: readonly RecommendedBlog[]; isKnown: boolean }) {
  if (blogs.length === 0) return <NoPicks isKnown={isKnown} isEmptySite={isEmptySite} />;
  const idsBelow = new Set(below?.map(({ id }) => id));
  const others = blogs.filter(({ id }) => !idsBelow.has(id));
  const picks = (others.length > 0 ? others : blogs).slice(0, maxPicks);
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
        <Link to={routes.blog(slug)} className="pick-cover thumbnail" tabIndex={-1} aria-hidden="true">
          <CardCover blog={blog} sizes="(min-width: 64rem) 22rem, 100vw" />
        </Link>
      )}
      <p className="pick-why muted clip">
        <Reason why={blog.why} />
      </p>
      <h3 className="pick-title line-clamp">
        <Link to={routes.blog(slug)} className="plain-link" dir="auto" lang={blog.language} data-main>
          {title}
        </Link>
      </h3>
      {isLead && text && (
        <p className="pick-text excerpt muted line-clamp" dir="auto" lang={blog.language}>
          {text}
        </p>
      )}
      <p className="pick-by byline">
        <Avatar person={blog.author} size={20} />
        <span className="names">
          <AuthorLinks blog={blog} most={2} />
        </span>
        <span className="fixed to-end">{blog.readingMinutes} min read</span>
      </p>
    </article>
  );
}

function Reason({ why }: { why: RecommendationReason }) {
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

function NoPicks({ isKnown, isEmptySite }: { isKnown: boolean; isEmptySite: boolean }) {
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
      {Array.from({ length: maxPicks }, (_, index) => (
        <div className="pick" key={index} data-lead={index === 0 || undefined}>
          {index === 0 && (
            <div className="pick-cover thumbnail">
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
