import { Link } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import type { FoundBlog as Found, TextPart } from "../../shared/search.ts";
import { CardCover } from "../blogs/cards/cover.tsx";
import { By } from "../blogs/by.tsx";
import { SaveButton } from "../blogs/save-button.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { DateText } from "../ui/time.tsx";
import { Marked, hasHit } from "./marked.tsx";
import "../blogs/cards/blog-card.css";
import "../blogs/kept.ts";

/** Tags shown of each blog: with more, the list would be about them. */
const TAGS = 4;

/** A blog that was found, with the place in it where the words stand. */
export function FoundBlog({ blog, query }: { blog: Found; query: string }) {
  const address = routes.blog(blog.slug);
  const text = bestText(blog);
  return (
    <article className="card" data-item>
      <div className="card-text">
        <p className="card-byline">
          <Avatar person={blog.author} size={24} />
          <span className="card-names">
            <By blog={blog} most={2} />
          </span>
        </p>
        <h3 className="card-title">
          <Link to={address} dir="auto" lang={blog.language} data-main>
            <Marked parts={blog.highlights.title} />
          </Link>
        </h3>
        {text.length > 0 && (
          <p className="card-description" dir="auto" lang={blog.language}>
            <Marked parts={text} />
          </p>
        )}
      </div>
      <Link to={address} className="card-cover" tabIndex={-1} aria-hidden="true">
        <CardCover blog={blog} sizes="(min-width: 40rem) 14rem, 7rem" />
      </Link>
      <div className="card-meta">
        {blog.private && (
          <span className="card-badge">
            <Icon name="lock" size={14} /> Private
          </span>
        )}
        <DateText at={blog.publishedAt} />
        <span>{blog.readingMinutes} min read</span>
        <Tags tags={blog.tags} query={query} />
        <span className="card-save">
          <SaveButton blog={blog} />
        </span>
      </div>
    </article>
  );
}

/** The words in the description, or else where they are in the body; a blog found by its tags shows what it is about. */
function bestText({ highlights: { description, snippet } }: Found): TextPart[] {
  if (hasHit(description)) return description;
  return hasHit(snippet) || description.length === 0 ? snippet : description;
}

function Tags({ tags, query }: { tags: readonly string[]; query: string }) {
  const words = folded(query).split(/\s+/).filter(Boolean);
  const isHit = (tag: string): boolean => words.some((word) => folded(tag).startsWith(word));
  const shown = [...tags.filter(isHit), ...tags.filter((tag) => !isHit(tag))].slice(0, TAGS);
  if (shown.length === 0) return null;
  return (
    <ul className="found-tags" aria-label="Tags">
      {shown.map((tag) => (
        <li key={tag}>
          <Link to={routes.tag(tag)}>{isHit(tag) ? <mark>{tag}</mark> : tag}</Link>
        </li>
      ))}
    </ul>
  );
}

/** As the search compares words, near enough: no capitals, no accents. */
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
