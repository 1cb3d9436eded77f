import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BlogPage } from "../../../../shared/blogs.ts";
import { Icon } from "../../../ui/icon.tsx";
import { keepReachable } from "../../../ui/keep-reachable.ts";
import { bringIn } from "./bring-in.ts";
import { redrawContents } from "./redraw-contents.ts";
import "./updates.css";

export { updatingArticleQuery } from "./updating-article-query.ts";

/** Milliseconds for which a block that has changed is marked, from when it is first seen. */
const MARKED_FOR = 8_000;
/** And for which the head says that there was an update. */
const SAID_FOR = 60_000;

/** Brings what the author changes into the text as it was drawn, block by block, and says so (docs/decisions/0047). */
export default function Updates({ blog, drawn }: { blog: BlogPage; drawn: string }) {
  const shown = useRef(drawn);
  const [isUpdated, setUpdated] = useState(false);
  const { below, mark } = useMarks();
  const bring = useEffectEvent((body: HTMLElement): boolean => {
    const { added, changed } = bringIn(body, shown.current, blog.html);
    shown.current = blog.html;
    redrawContents(body, blog);
    mark(added, changed);
    return added.length + changed.length > 0;
  });
  useEffect(() => {
    const body = articleText();
    if (!body) return;
    setUpdated(bring(body));
    const timer = setTimeout(() => setUpdated(false), SAID_FOR);
    // Anew: what has come may be too wide, and the text as long as before.
    const leave = keepReachable(body);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [blog.html]);
  // Without this part the page shows what was drawn.
  useEffect(() => () => takeBack(shown.current, drawn), [drawn]);
  return (
    <>
      <p className="updates" role="status">
        {blog.live ? (
          <span className="updates-live">
            Live<span className="visually-hidden">: it is being written</span>
          </span>
        ) : (
          isUpdated && (
            <>
              <Icon name="retry" size={14} /> Updated
            </>
          )
        )}
      </p>
      {/* There before it says anything, so that it is read out. */}
      <div className="updates-below" role="status">
        {below.length > 0 && (
          <button type="button" className="updates-pill" onClick={() => show(below[0]!)}>
            <Icon name="chevron-down" size={16} />
            {below.length === 1 ? "1 new paragraph" : `${below.length} new paragraphs`}
          </button>
        )}
      </div>
    </>
  );
}

const articleText = () => document.querySelector<HTMLElement>(".article .prose");

function takeBack(now: string, drawn: string): void {
  const body = articleText();
  if (body && now !== drawn) bringIn(body, now, drawn);
}

function show(block: Element): void {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  block.scrollIntoView({ block: "center", behavior: calm ? "instant" : "smooth" });
}

/** Marks blocks until they were seen for a while; `below` are new ones that have not come into sight yet. */
function useMarks(): { below: readonly Element[]; mark: (added: Element[], changed: Element[]) => void } {
  const [below, setBelow] = useState<readonly Element[]>([]);
  const watcher = useRef<IntersectionObserver>(null);
  useEffect(() => () => watcher.current?.disconnect(), []);
  const seen = (entries: IntersectionObserverEntry[]): void => {
    const gone = new Set<Element>();
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      gone.add(target);
      watcher.current?.unobserve(target);
      setTimeout(() => target.removeAttribute("data-fresh"), MARKED_FOR);
    }
    setBelow((blocks) => blocks.filter((block) => block.isConnected && !gone.has(block)));
  };
  return {
    below,
    mark: (added, changed) => {
      watcher.current ??= new IntersectionObserver(seen);
      for (const block of [...added, ...changed]) {
        block.setAttribute("data-fresh", "");
        watcher.current.observe(block);
      }
      const unseen = added.filter((block) => block.getBoundingClientRect().top >= window.innerHeight);
      setBelow((blocks) => [...blocks.filter((block) => block.isConnected), ...unseen]);
    },
  };
}
