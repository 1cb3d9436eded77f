import { useEffect, useRef, useState } from "react";
import type { CommentList } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { useLiveEvents } from "../live/live.ts";
import { useViewer } from "../session/viewer.ts";
import { positionAt } from "../ui/arrivals/reader-activity.ts";
import type { AnchoredList } from "../ui/arrivals/scroll-anchor.tsx";
import { useGlow } from "../ui/arrivals/use-glow.ts";
import { useArrivalQueue } from "../ui/arrivals/use-arrival-queue.ts";
import { sectionId } from "./comments-waiting.tsx";
import { cachedComments } from "./load-comments.ts";
import { positionsOfComments } from "./place-of-comment.ts";
import type { ListView } from "./place-of-comment.ts";
import { readingOrder } from "./tree.ts";
import type { Row } from "./tree.ts";
import type { View } from "./view-state.ts";

/** The milliseconds of the glow beside a new comment (comments.css). */
const glowMs = 2_500;
const countWindowMs = 1_000;
const announcementMs = 5_000;

export interface Arrivals {
  /** Comments that are not rendered yet. */
  waiting: ReadonlySet<string>;
  /** How many of them the button shows. */
  onRequest: number;
  fresh: ReadonlySet<string>;
  /** The last comment shown in turn, which slides in. */
  sliding: string | null;
  /** For the live region: how many came, not their text. */
  announcement: string;
  announce(text: string): void;
  /** Shows all waiting comments; returns their ids. */
  show(): readonly string[];
}

/** Shows new comments of others, each as `arrivalModeFor` decides, with a glow. */
export function useArrivals(blogId: string, list: CommentList | undefined, view: View): Arrivals {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const [fresh, glow] = useGlow(glowMs);
  const [sliding, setSliding] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const unannouncedCount = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);

  const later = (delay: number, action: () => void): void => {
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      action();
    }, delay);
    timers.current.add(timer);
  };
  const announce = (text: string): void => {
    setAnnouncement(text);
    later(announcementMs, () => setAnnouncement((current) => (current === text ? "" : current)));
  };
  const count = (): void => {
    unannouncedCount.current++;
    if (unannouncedCount.current > 1) return;
    later(countWindowMs, () => {
      announce(unannouncedCount.current === 1 ? "1 new comment" : `${unannouncedCount.current} new comments`);
      unannouncedCount.current = 0;
    });
  };

  const order = useRef<{ list: CommentList; rows: Row[] }>(null);
  /** The cache is ahead of the rendered list. */
  const rows = (): readonly Row[] => {
    const cached = cachedComments(cache, blogId);
    if (!cached) return [];
    if (order.current?.list !== cached) order.current = { list: cached, rows: readingOrder(cached.comments) };
    return order.current.rows;
  };
  const { queue, waiting } = useArrivalQueue({
    list: listElement,
    positionsOf: (ids) => positionsOfComments(ids, rows(), view, listView),
    show: (ids, mode) => {
      if (mode === "in turn") setSliding(ids[0] ?? null);
      glow(ids);
    },
  });
  useEffect(() => queue.update(), [queue, list, view]);
  useLiveEvents((event, topic) => {
    if (topic !== `blog:${blogId}` || event.kind !== "comment.created") return;
    const { id, author } = event.comment;
    // A rendered comment came with a response newer than the event.
    if (author?.id === viewer?.id || document.getElementById(commentElementId(id))) return;
    count();
    queue.add([id]);
  });

  return {
    waiting: waiting.ids,
    onRequest: waiting.onRequest,
    fresh,
    sliding,
    announcement,
    announce,
    show: () => {
      const ids = queue.takeAll();
      glow(ids);
      return ids;
    },
  };
}

export const listId = "comment-list";

export const commentElementId = (id: string): string => `comment-${id}`;

const listElement = (): HTMLElement | null => document.getElementById(listId);

const listView: ListView = {
  topOf: (id) => document.getElementById(commentElementId(id))?.getBoundingClientRect().top,
  end: () => listElement()?.getBoundingClientRect().bottom,
  placeAt: positionAt,
};

export const anchoredList: AnchoredList = {
  list: listElement,
  section: () => document.getElementById(sectionId),
  row: (id) => document.getElementById(commentElementId(id)),
  isRead: isReadingList,
};

/** Whether the person reads the rows of a list that begins at `top`, not what is above. */
function isReadingList(top: number): boolean {
  const isWriting = document.activeElement?.closest(`#${sectionId} > .comment-form`);
  return top < 0 || (top < window.innerHeight / 2 && !isWriting);
}
