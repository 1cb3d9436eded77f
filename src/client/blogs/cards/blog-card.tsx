import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { BlogCard as Blog } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { By } from "../by.tsx";
import { SaveButton } from "../save-button.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Counted } from "../../ui/counted.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { DateText } from "../../ui/time.tsx";
import { CardCover } from "./cover.tsx";
import "./blog-card.css";

interface Props {
  blog: Blog;
  /** The first cards of a page are seen at once: their covers do not wait. */
  eager?: boolean;
  /** With its cover as wide as the list. */
  isLarge?: boolean;
  /** The author's own line is left out on the author's own page, unless others wrote it with them. */
  byline?: boolean;
  /** The title and the text as they are shown, where it is not just them. */
  title?: ReactNode;
  text?: ReactNode;
  /** What is shown of it beside its date and length; unless said, how many like it and comment on it. */
  facts?: ReactNode;
}

/** A blog in a list. */
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
          <p className="card-byline">
            <Avatar person={blog.author} size={24} />
            <span className="card-names">
              <By blog={blog} most={2} />
            </span>
          </p>
        )}
        <h3 className="card-title" lang={blog.language}>
          <Link to={address} className="p-name u-url" dir="auto" data-main>
            {title}
          </Link>
        </h3>
        {text && (
          <p className="card-description p-summary" dir="auto" lang={blog.language}>
            {text}
          </p>
        )}
      </div>
      <Link to={address} className="card-cover" tabIndex={-1} aria-hidden="true">
        <CardCover blog={blog} sizes={isLarge ? large : small} loading={eager ? "eager" : "lazy"} />
      </Link>
      <div className="card-meta">
        {(blog.draft || blog.private) && (
          <span className="card-badge">
            <Icon name={blog.draft ? "draft" : "lock"} size={14} />{" "}
            {blog.draft ? (blog.scheduled ?? "Draft") : "Private"}
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
    <span className="card-count tabular">
      <Icon name={icon} size={16} />
      <Counted count={count} unit={unit} />
    </span>
  );
}
