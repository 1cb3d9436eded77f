import { memo, useEffect, useRef } from "react";
import type { BlogPage, Picture } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { isSameText } from "./drawn-text.ts";
import { HoldText } from "./hold-text.tsx";
import "../../ui/prose.css";

export function ArticleCover({ cover }: { cover: Picture }) {
  return (
    <img
      className="article-cover"
      src={cover.src}
      srcSet={cover.srcset}
      sizes="(min-width: 56rem) 52rem, 100vw"
      width={cover.width}
      height={cover.height}
      alt={cover.alt ?? ""}
      fetchPriority="high"
      style={{ backgroundColor: cover.color, aspectRatio: `${cover.width} / ${cover.height}` }}
    />
  );
}

/** The text itself: HTML that the server wrote from the stored document and nothing else. */
export const ArticleText = memo(function ArticleText({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => (body.current ? keepReachable(body.current) : undefined), [html]);
  return (
    <HoldText body={body} html={html}>
      <div ref={body} className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </HoldText>
  );
}, hasSameText);

// Drawn anew, it would lose what is selected in it.
function hasSameText(before: { html: string }, { html }: { html: string }): boolean {
  return isSameText(before.html, html);
}

/** Code and tables that are wider than the text can be moved sideways by the keyboard too, in every browser. */
function keepReachable(body: HTMLElement): () => void {
  const watcher = new ResizeObserver(() => {
    for (const block of body.querySelectorAll<HTMLElement>("pre, table")) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  });
  watcher.observe(body);
  return () => watcher.disconnect();
}

export function ArticleTags({ tags }: Pick<BlogPage, "tags">) {
  if (tags.length === 0) return null;
  return (
    <ul className="article-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={routes.search(tag)}>{tag}</a>
        </li>
      ))}
    </ul>
  );
}
