import { memo, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import type { BlogPage, Picture } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { keepReachable } from "../../ui/keep-reachable.ts";
import { pictureProps } from "../cards/picture-props.ts";
import { showNote } from "./notes.ts";
import "../../ui/prose.css";
import "./code.css";

const loadEnlarge = codeLoader(() => import("./enlarge.ts"));
const loadPlay = codeLoader(() => import("./play.ts"));
const loadCopy = codeLoader(() => import("./copy-code.ts"));

export function ArticleCover({ cover }: { cover: Picture }) {
  const { style, ...picture } = pictureProps(cover);
  return (
    <img
      {...picture}
      className="article-cover u-featured"
      sizes="(min-width: 56rem) 52rem, 100vw"
      alt={cover.alt ?? ""}
      fetchPriority="high"
      style={{ ...style, aspectRatio: `${cover.width} / ${cover.height}` }}
    />
  );
}

/** The text itself: HTML that the server wrote from the stored document and nothing else. It is drawn once: see `Updates`. */
export const ArticleText = memo(function ArticleText({
  html,
  language,
}: {
  html: string;
  language: string | undefined;
}) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // They go together.
    body.current!.addEventListener("click", pressed);
    return keepReachable(body.current!);
  }, []);
  return (
    <div ref={body} className="prose e-content" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
  );
});

/** The buttons at its code and pictures have their script once somebody presses one. */
function pressed(event: MouseEvent): void {
  showNote(event);
  const target = event.target as Element;
  if (target.matches(".figure-open, figure > img")) void loadEnlarge().then(({ enlarge }) => enlarge(target));
  const card = target.closest<HTMLElement>("[data-frame]");
  if (card && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    void loadPlay().then(({ play }) => play(card));
  }
  const button = target.closest(".code-copy");
  if (button) void loadCopy().then(({ copyCode }) => copyCode(button));
}

/** The list of contents that a long text has: HTML that the server wrote, as the text is. */
export const ArticleContents = memo(function ArticleContents({ html = "" }: { html?: string | undefined }) {
  return <nav className="contents" aria-label="Contents" dangerouslySetInnerHTML={{ __html: html }} />;
});

export function ArticleTags({ tags }: Pick<BlogPage, "tags">) {
  if (tags.length === 0) return null;
  return (
    <ul className="article-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={routes.tag(tag)} className="p-category">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
