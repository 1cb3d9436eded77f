import { useState } from "react";
import { Link } from "../../ui/link.tsx";
import type { BlogCard } from "../../../shared/blogs.ts";
import type { ViewerComment } from "../../../shared/comments.ts";
import type { Data } from "../../api/trpc.ts";
import { trpc } from "../../api/trpc.ts";
import { routes } from "../../../shared/routes.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { countText } from "../../../shared/count-text.ts";
import { DateText, RelativeTime } from "../../ui/time.tsx";
import { AuthorLinks } from "../author-links.tsx";
import { CardCover } from "../cards/cover.tsx";
import "./showcase-query.ts";
import "../../ui/live-mark.css";
import "./showcase.css";

/** Prefetches the data of `Showcase`, ignoring errors. Returns its live topics. */
export async function prefetchShowcase(data: Data): Promise<string[]> {
  const shown = await data.blogs.showcase.fetch().catch(() => undefined);
  return shown?.blogs.map(({ id }) => `blog:${id}`) ?? [];
}

/** The blogs that people read here, with live comments. */
export function Showcase() {
  const { data } = trpc.blogs.showcase.useQuery();
  const [first, ...others] = data?.blogs ?? [];
  if (!first) return null;
  return (
    <section className="showcase" aria-labelledby="showcase-title">
      <h2 id="showcase-title" className="list-head size-xl">
        What people read here
      </h2>
      <div className="showcase-first" data-said={(data?.comments.length ?? 0) > 0 || undefined}>
        <LeadArticle blog={first} />
        <NewestComments key={first.id} blog={first} comments={data?.comments ?? []} />
      </div>
      {others.length > 0 && (
        <ul className="showcase-cards hairline-top">
          {others.map((blog) => (
            <li key={blog.id}>
              <ShowcaseCard blog={blog} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LeadArticle({ blog }: { blog: BlogCard }) {
  const text = blog.description || blog.excerpt;
  return (
    <article className="showcase-article h-entry" data-item>
      <CoverAndTitle blog={blog} title="showcase-title" sizes="(min-width: 64rem) 40rem, 100vw" />
      {text && (
        <p className="showcase-text excerpt muted line-clamp p-summary" dir="auto" lang={blog.language}>
          {text}
        </p>
      )}
      <p className="showcase-by byline wrap">
        <Avatar person={blog.author} size={24} />
        <span className="names">
          <AuthorLinks blog={blog} most={2} />
        </span>
        {blog.onAir && <span className="live-mark">Live</span>}
        <DateText at={blog.publishedAt} className="dt-published" />
        <span>{blog.readingMinutes} min read</span>
        {blog.likesCount > 0 && <span className="tabular">{countText(blog.likesCount, "like")}</span>}
      </p>
    </article>
  );
}

function CoverAndTitle({ blog, title, sizes }: { blog: BlogCard; title: string; sizes: string }) {
  const address = routes.blog(blog.slug);
  return (
    <>
      <Link to={address} className="showcase-cover thumbnail" tabIndex={-1} aria-hidden="true">
        <CardCover blog={blog} sizes={sizes} loading="lazy" />
      </Link>
      <h3 className={title}>
        <Link to={address} className="plain-link p-name u-url" dir="auto" lang={blog.language} data-main>
          {blog.title}
        </Link>
      </h3>
    </>
  );
}

/** The newest comments, in a fixed space so that nothing moves. */
function NewestComments({ blog, comments }: { blog: BlogCard; comments: readonly ViewerComment[] }) {
  const [initialIds] = useState(() => new Set(comments.map(({ id }) => id)));
  if (comments.length === 0) return null;
  return (
    <div className="showcase-said">
      <h3 className="showcase-said-title">What people say</h3>
      <ol className="showcase-comments list">
        {comments.map((comment) => (
          <li key={comment.id} className="row top gap-3" data-new={!initialIds.has(comment.id) || undefined}>
            <Comment comment={comment} slug={blog.slug} />
          </li>
        ))}
      </ol>
      <Link className="showcase-all target small tabular" to={`${routes.blog(blog.slug)}?comments=open`}>
        {blog.commentsCount > 1 ? `Read all ${blog.commentsCount.toLocaleString("en")}` : "Join in"}
      </Link>
    </div>
  );
}

function Comment({
  comment: { id, author, text, createdAt },
  slug,
}: {
  comment: ViewerComment;
  slug: string;
}) {
  return (
    <>
      {author ? <Avatar person={author} size={28} /> : <span className="avatar" aria-hidden="true" />}
      <div className="grow">
        <p className="byline said-by wrap baseline">
          {author && (
            <a href={author.id ? routes.profile(author.username) : undefined}>
              <bdi>{author.name}</bdi>
            </a>
          )}
          <Link to={routes.comment(slug, id)} className="muted">
            <RelativeTime at={createdAt} />
          </Link>
        </p>
        <p className="excerpt as-typed line-clamp" dir="auto">
          {text}
        </p>
      </div>
    </>
  );
}

function ShowcaseCard({ blog }: { blog: BlogCard }) {
  return (
    <article className="showcase-card h-entry" data-item>
      <CoverAndTitle
        blog={blog}
        title="showcase-card-title line-clamp"
        sizes="(min-width: 64rem) 17rem, 50vw"
      />
      <p className="showcase-by byline wrap">
        <span className="names">
          <AuthorLinks blog={blog} most={1} />
        </span>
        <span>{blog.readingMinutes} min read</span>
      </p>
    </article>
  );
}
