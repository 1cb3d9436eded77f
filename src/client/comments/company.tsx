import { useEffect, useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { newId } from "../api/ids.ts";
import { useLiveEvents, useTopic } from "../live/live.ts";
import { holdLock } from "../storage/hold-lock.ts";
import { Icon } from "../ui/icon.tsx";
import { showCompany, useCompany } from "./presence.ts";
// The list of comments is stored before anybody opens it.
import "./comment-queries.ts";
import "./company.css";

/** Whoever has looked away for so long is not here any more. */
const HIDDEN_FOR = 60_000;
/** This page, as long as it is not loaded anew; by it guests are told apart. */
const page = newId();

/** Says that somebody looks at the blog, and shows who else does (docs/decisions/0020). It stands in the room below the head. */
export function Company({ blog }: { blog: BlogPage }) {
  const isSeen = useSeen() && !blog.draft && !blog.private;
  const isFirst = useTurn(isSeen ? `reprise:reading:${blog.id}` : null);
  useTopic(isSeen ? `presence:${blog.id}` : null);
  useTopic(isSeen && isFirst ? `reading:${blog.id}:${page}` : null);
  useLiveEvents((event, topic) => {
    if (topic === `presence:${blog.id}`)
      showCompany(event.kind === "presence" ? { ...event, blogId: blog.id } : null);
  });
  useEffect(() => (isSeen ? () => showCompany(null) : undefined), [isSeen]);
  const { reading, replying } = useCompany(blog.id);
  return (
    <p className="company">
      {(reading || replying) && (
        <>
          <Icon name="eye" size={14} />
          <span dir="auto">{[reading, replying].filter(Boolean).join(" · ")}</span>
        </>
      )}
    </p>
  );
}

/** Whether somebody looks at the tab, or did a moment ago. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setSeen(false), HIDDEN_FOR);
      else setSeen(true);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isSeen;
}

/** Tells whether this tab has the lock among those of the browser; null asks for none. */
function useTurn(name: string | null): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (name === null) return;
    const end = new AbortController();
    holdLock(name, end.signal, () => setHas(true));
    return () => {
      end.abort();
      setHas(false);
    };
  }, [name]);
  return has;
}
