import type { BlogCard as Blog, Picture } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { SaveButton } from "../save-button.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { DateText } from "../../ui/time.tsx";
import { DrawnCover } from "./drawn-cover.tsx";
import "./blog-card.css";

interface Props {
  blog: Blog;
  /** The first cards of a page are seen at once: their covers do not wait. */
  eager?: boolean;
  /** The author's own line is left out on the author's own page. */
  byline?: boolean;
}

/** A blog in a list. */
export function BlogCard({ blog, eager = false, byline = true }: Props) {
  const address = routes.blog(blog.slug);
  const text = blog.description || blog.excerpt;
  return (
    <article className="card" data-item>
      <div className="card-text">
        {byline && (
          <p className="card-byline">
            <Avatar person={blog.author} size={24} />
            <a href={routes.profile(blog.author.username)}>
              <bdi>{blog.author.name}</bdi>
            </a>
          </p>
        )}
        <h3 className="card-title">
          <a href={address} dir="auto" data-main>
            {blog.title}
          </a>
        </h3>
        {text && (
          <p className="card-description" dir="auto">
            {text}
          </p>
        )}
      </div>
      <a href={address} className="card-cover" tabIndex={-1} aria-hidden="true">
        {blog.cover ? <Cover picture={blog.cover} eager={eager} /> : <DrawnCover title={blog.title} />}
      </a>
      <div className="card-meta">
        {(blog.draft || blog.private) && (
          <span className="card-badge">
            <Icon name={blog.draft ? "draft" : "lock"} size={14} /> {blog.draft ? "Draft" : "Private"}
          </span>
        )}
        <DateText at={blog.publishedAt} />
        <span>{blog.readingMinutes} min read</span>
        {!blog.draft && (
          <>
            <Count icon="heart" count={blog.likesCount} unit="like" />
            <Count icon="comment" count={blog.commentsCount} unit="comment" />
            <span className="card-save">
              <SaveButton blog={blog} />
            </span>
          </>
        )}
      </div>
    </article>
  );
}

function Cover({ picture, eager }: { picture: Picture; eager: boolean }) {
  return (
    <img
      src={picture.src}
      srcSet={picture.srcset || undefined}
      sizes="(min-width: 40rem) 14rem, 7rem"
      width={picture.width}
      height={picture.height}
      alt=""
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      style={{ backgroundColor: picture.color }}
    />
  );
}

function Count({ icon, count, unit }: { icon: IconName; count: number; unit: string }) {
  if (count === 0) return null;
  return (
    <span className="card-count tabular">
      <Icon name={icon} size={16} />
      {count.toLocaleString("en")}
      <span className="visually-hidden">
        {" "}
        {unit}
        {count === 1 ? "" : "s"}
      </span>
    </span>
  );
}
