import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BlogPage } from "../../../../shared/blogs.ts";
import { Icon } from "../../../ui/icon.tsx";
import { makeOverflowFocusable } from "../../../ui/overflow-focusable.ts";
import { updateText } from "./update-text.ts";
import { contentsOf } from "../../../../shared/document/contents.ts";
import { keepTextAnchored } from "./text-scroll-anchor.ts";
import "./updates.css";

export { updatingArticleQuery } from "./updating-article-query.ts";

/** Milliseconds that a changed block stays marked after it was first visible. */
const MARK_DURATION_MS = 8_000;
/** Milliseconds that the head shows "Updated". */
const LABEL_DURATION_MS = 60_000;

/** Applies an author's changes to the rendered text and announces them (docs/decisions/0022-live-updates-of-articles.md). */
export default function Updates({ blog, rendered }: { blog: BlogPage; rendered: string }) {
  const shown = useRef(rendered);
  const [isUpdated, setUpdated] = useState(false);
  const { below, mark } = useMarks();
  const applyUpdate = useEffectEvent((body: HTMLElement): boolean => {
    const { added, changed } = updateText(body, shown.current, blog.html);
    shown.current = blog.html;
    updateContents(body, blog);
    mark(added, changed);
    return added.length + changed.length > 0;
  });
  useEffect(() => {
    const body = articleText();
    if (!body) return;
    setUpdated(applyUpdate(body));
    const timer = setTimeout(() => setUpdated(false), LABEL_DURATION_MS);
    // Again after each change: a new block may be too wide.
    const stopObserving = makeOverflowFocusable(body);
    return () => {
      clearTimeout(timer);
      stopObserving();
    };
  }, [blog.html]);
  // On unmount, restores the text that was rendered first.
  useEffect(() => () => restoreRendered(shown.current, rendered), [rendered]);
  return (
    <>
      <p className="updates row" role="status">
        {isUpdated && (
          <>
            <Icon name="retry" size={14} /> Updated
          </>
        )}
      </p>
      {/* Rendered while empty, so that screen readers announce changes. */}
      <div className="updates-below" role="status">
        {below.length > 0 && (
          <button type="button" className="pill" onClick={() => show(below[0]!)}>
            <Icon name="chevron-down" size={16} />
            {below.length === 1 ? "1 new paragraph" : `${below.length} new paragraphs`}
          </button>
        )}
      </div>
    </>
  );
}

const articleText = () => document.querySelector<HTMLElement>(".article .prose");

function restoreRendered(now: string, rendered: string): void {
  const body = articleText();
  if (body && now !== rendered) updateText(body, now, rendered);
}

function show(block: Element): void {
  const isReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  block.scrollIntoView({ block: "center", behavior: isReducedMotion ? "instant" : "smooth" });
}

/** Marks blocks until they were visible for a while. `below` are new blocks not seen yet. */
function useMarks(): { below: readonly Element[]; mark: (added: Element[], changed: Element[]) => void } {
  const [below, setBelow] = useState<readonly Element[]>([]);
  const watcher = useRef<IntersectionObserver>(null);
  useEffect(() => () => watcher.current?.disconnect(), []);
  const onIntersect = (entries: IntersectionObserverEntry[]): void => {
    const seenBlocks = new Set<Element>();
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seenBlocks.add(target);
      watcher.current?.unobserve(target);
      setTimeout(() => target.removeAttribute("data-fresh"), MARK_DURATION_MS);
    }
    setBelow((blocks) => blocks.filter((block) => block.isConnected && !seenBlocks.has(block)));
  };
  return {
    below,
    mark: (added, changed) => {
      watcher.current ??= new IntersectionObserver(onIntersect);
      for (const block of [...added, ...changed]) {
        block.setAttribute("data-fresh", "");
        watcher.current.observe(block);
      }
      const unseen = added.filter((block) => block.getBoundingClientRect().top >= window.innerHeight);
      setBelow((blocks) => [...blocks.filter((block) => block.isConnected), ...unseen]);
    },
  };
}

/** Updates the table of contents, which stays open or closed; the text being read stays in place. */
function updateContents(
  body: HTMLElement,
  { html, readingMinutes }: Pick<BlogPage, "html" | "readingMinutes">,
): void {
  const contents = document.querySelector<HTMLElement>(".article > .contents");
  const now = document.createElement("template");
  now.innerHTML = contentsOf(html, readingMinutes);
  const [before, after] = [contents?.querySelector("details"), now.content.querySelector("details")];
  if (!contents || linksOf(before) === linksOf(after)) return;
  if (after && before) after.open = before.open;
  keepTextAnchored(body, () => contents.replaceChildren(now.content));
}

const linksOf = (list: Element | null | undefined): string =>
  [...(list?.querySelectorAll("a") ?? [])].map((link) => `${link.hash} ${link.textContent}`).join("\n");
