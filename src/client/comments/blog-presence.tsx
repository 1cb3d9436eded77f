import { useEffect, useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { newId } from "../api/ids.ts";
import { useLiveEvents, useTopic } from "../live/live.ts";
import { holdLock } from "../storage/hold-lock.ts";
import { Icon } from "../ui/icon.tsx";
import { setPresence, usePresence } from "./presence.ts";

/** After this many milliseconds a hidden tab no longer counts as reading. */
const HIDDEN_FOR = 60_000;
/** This page load; distinguishes guests. */
const page = newId();

/** Reports that this tab reads the blog, and shows who else does (docs/decisions/0008-live-transports-and-presence.md). */
export function BlogPresence({ blog }: { blog: BlogPage }) {
  const isSeen = useTabVisible() && !blog.draft && !blog.private;
  const isFirst = useTabLock(isSeen ? `reprise:reading:${blog.id}` : null);
  useTopic(isSeen ? `presence:${blog.id}` : null);
  useTopic(isSeen && isFirst ? `reading:${blog.id}:${page}` : null);
  useLiveEvents((event, topic) => {
    if (topic === `presence:${blog.id}`)
      setPresence(event.kind === "presence" ? { ...event, blogId: blog.id } : null);
  });
  useEffect(() => (isSeen ? () => setPresence(null) : undefined), [isSeen]);
  const { reading, writing, replying } = usePresence(blog.id);
  const texts = [reading, writing, replying].filter(Boolean);
  return (
    <p className="company row muted">
      {texts.length > 0 && (
        <>
          <Icon name="eye" size={14} />
          <span className="clip" dir="auto">
            {texts.join(" · ")}
          </span>
        </>
      )}
    </p>
  );
}

/** Whether the tab is visible, or was within `HIDDEN_FOR`. */
function useTabVisible(): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onVisibilityChange = (): void => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setSeen(false), HIDDEN_FOR);
      else setSeen(true);
    };
    onVisibilityChange();
    document.addEventListener("visibilitychange", onVisibilityChange);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibilityChange);
    };
  }, []);
  return isSeen;
}

/** Whether this tab holds the lock among the browser's tabs; null requests none. */
function useTabLock(name: string | null): boolean {
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
