import { memo, useEffect, useRef } from "react";
import { Link } from "../../ui/link.tsx";
import type { BlogPage, Picture } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { makeOverflowFocusable } from "../../ui/overflow-focusable.ts";
import { pictureProps } from "../cards/picture-props.ts";
import "../../ui/prose.css";
import "./code.css";

const loadEnlarge = codeLoader(() => import("./enlarge.ts"));
const loadPlay = codeLoader(() => import("./play-video.ts"));
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

/** The article's text: HTML from the server. React renders it once; `Updates` changes it afterwards. */
export const ArticleText = memo(function ArticleText({
  html,
  language,
  className = "e-content",
}: {
  html: string;
  language: string | undefined;
  className?: string;
}) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // No cleanup: the listener is removed with the element.
    body.current!.addEventListener("click", handleClick);
    return makeOverflowFocusable(body.current!);
  }, []);
  return (
    <div
      ref={body}
      className={`prose ${className}`}
      lang={language}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

/** Handles clicks in the text; loads the code for them on demand. */
function handleClick(event: MouseEvent): void {
  showFootnote(event);
  const target = event.target as Element;
  if (target.matches(".figure-open, :has(+ .figure-open)"))
    void loadEnlarge().then(({ enlarge }) => enlarge(target));
  const card = target.closest<HTMLElement>("[data-frame]");
  if (card && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    void loadPlay().then(({ playVideo }) => playVideo(card));
  }
  const button = target.closest(".code-copy");
  if (button) void loadCopy().then(({ copyCode }) => copyCode(button));
}

/** The table of contents: HTML from the server. */
export const ArticleContents = memo(function ArticleContents({ html = "" }: { html?: string | undefined }) {
  return <nav className="contents" aria-label="Contents" dangerouslySetInnerHTML={{ __html: html }} />;
});

export function ArticleTags({ tags }: Pick<BlogPage, "tags">) {
  if (tags.length === 0) return null;
  return (
    <ul className="article-tags row wrap" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link to={routes.tag(tag)} className="chip p-category">
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/**
 * Shows a footnote as a popover at its reference, which otherwise links to it. The note is a popover only while shown: browsers
 * would hide it in the list of notes.
 */
function showFootnote(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("[role^=doc-]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const shown = link.closest<HTMLElement>(":popover-open");
  const note = shown ?? document.getElementById(link.hash.slice(1));
  if (!shown && note?.localName !== "li") return;
  if (!note?.showPopover) return;
  event.preventDefault();
  if (shown) return shown.hidePopover();
  note.popover = "auto";
  note.tabIndex = -1;
  note.ontoggle = ({ newState }) => {
    if (newState === "closed") note.popover = null;
  };
  note.showPopover({ source: link });
  note.focus();
}
