import type { ReactNode } from "react";
import { Link } from "../../ui/link.tsx";
import { audienceLabels } from "../../../shared/audience.ts";
import type { BlogCard as Blog } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { AuthorLinks } from "../author-links.tsx";
import { SaveButton } from "../save-button.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Counted } from "../../ui/counted.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { DateText } from "../../ui/time.tsx";
import { CardCover } from "./cover.tsx";
import "../../ui/live-mark.css";
import "./blog-card.css";

interface Props {
  blog: Blog;
  /** It is among the first of a page: its cover loads at once. */
  eager?: boolean;
  /** Its cover is as wide as the list. */
  isLarge?: boolean;
  /** If false, only blogs with co-authors have a byline. */
  byline?: boolean;
  /** Shown instead of those of the blog. */
  title?: ReactNode;
  text?: ReactNode;
  /** Shown beside date and length; by default likes and comments. */
  facts?: ReactNode;
}

export function BlogCard({
  blog,
  eager = false,
  isLarge = false,
  byline = true,
  title = blog.title,
  text = blog.description || blog.excerpt,
  facts = <Counts blog={blog} />,
}: Props) {
  const address = routes.blog(blog.slug);
  return (
    <article className="card h-entry" data-large={isLarge || undefined} data-item>
      <div className="card-text">
        {(byline || blog.coAuthors) && (
          <p className="card-byline byline">
            <Avatar person={blog.author} size={24} />
            <span className="card-names names soft">
              <AuthorLinks blog={blog} most={2} />
            </span>
          </p>
        )}
        <h3 className="card-title" lang={blog.language}>
          <Link to={address} className="plain-link p-name u-url" dir="auto" data-main>
            {title}
          </Link>
        </h3>
        {text && (
          <p className="card-description excerpt muted line-clamp p-summary" dir="auto" lang={blog.language}>
            {text}
          </p>
        )}
      </div>
      <Link to={address} className="card-cover thumbnail" tabIndex={-1} aria-hidden="true">
        <CardCover blog={blog} sizes={isLarge ? large : small} loading={eager ? "eager" : "lazy"} />
      </Link>
      <div className="card-meta row wrap muted">
        {blog.onAir && <span className="live-mark">Live</span>}
        {(blog.draft || blog.private) && (
          <span className="card-badge row gap-1 soft medium">
            <Icon name={blog.draft ? "draft" : "lock"} size={14} />{" "}
            {blog.draft ? (blog.scheduled ?? audienceLabels.nobody) : audienceLabels.followers}
          </span>
        )}
        <DateText at={blog.publishedAt} className="dt-published" />
        <span>{blog.readingMinutes} min read</span>
        {!blog.draft && (
          <>
            {facts}
            <span className="card-save">
              <SaveButton blog={blog} />
            </span>
          </>
        )}
      </div>
    </article>
  );
}

const small = "(min-width: 40rem) 14rem, 7rem";
const large = "(min-width: 64rem) 50rem, 100vw";

const Counts = ({ blog: { likesCount, commentsCount } }: { blog: Blog }) => (
  <>
    <Count icon="heart" count={likesCount} unit="like" />
    <Count icon="comment" count={commentsCount} unit="comment" />
  </>
);

function Count({ icon, count, unit }: { icon: IconName; count: number; unit: string }) {
  if (count <= 0) return null;
  return (
    <span className="row gap-1 tabular">
      <Icon name={icon} size={16} />
      <Counted count={count} unit={unit} />
    </span>
  );
}
