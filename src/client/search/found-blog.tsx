import { Link } from "react-router-dom";
import { fold } from "../../shared/fold.ts";
import { routes } from "../../shared/routes.ts";
import type { FoundBlog as Found, TextPart } from "../../shared/search.ts";
import { BlogCard } from "../blogs/cards/blog-card.tsx";
import { Marked, hasHit } from "./marked.tsx";
import "../blogs/blog-queries.ts";

/** Tags shown of each blog: more would dominate the list. */
const TAGS = 4;

export function FoundBlog({ blog, query }: { blog: Found; query: string }) {
  const text = bestText(blog);
  return (
    <BlogCard
      blog={blog}
      title={<Marked parts={blog.highlights.title} />}
      text={text.length > 0 && <Marked parts={text} />}
      facts={<Tags tags={blog.tags} query={query} />}
    />
  );
}

/** Prefers the text with a hit; a blog found by its tags shows its description. */
function bestText({ highlights: { description, snippet } }: Found): TextPart[] {
  if (hasHit(description)) return description;
  return hasHit(snippet) || description.length === 0 ? snippet : description;
}

function Tags({ tags, query }: { tags: readonly string[]; query: string }) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const isMatch = (tag: string): boolean => words.some((word) => fold(tag).startsWith(word));
  const shown = [...tags.filter(isMatch), ...tags.filter((tag) => !isMatch(tag))].slice(0, TAGS);
  if (shown.length === 0) return null;
  return (
    <ul className="found-tags" aria-label="Tags">
      {shown.map((tag) => (
        <li key={tag}>
          <Link to={routes.tag(tag)}>{isMatch(tag) ? <mark>{tag}</mark> : tag}</Link>
        </li>
      ))}
    </ul>
  );
}
