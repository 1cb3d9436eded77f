import { useEffect, useRef, useState } from "react";
import type { CommentList } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { useLiveEvents } from "../live/live.ts";
import { useViewer } from "../session/viewer.ts";
import { placeAt } from "../ui/arrivals/reader.ts";
import { useArrivalQueue } from "../ui/arrivals/use-arrival-queue.ts";
import { sectionId } from "./comments-waiting.tsx";
import { cachedComments } from "./load.ts";
import { placesOfComments } from "./place-of-comment.ts";
import type { ListView } from "./place-of-comment.ts";
import { readingOrder } from "./tree.ts";
import type { Row } from "./tree.ts";
import type { View } from "./view.ts";

const none: ReadonlySet<string> = new Set();
/** As long as the rule beside a new comment glows (comments.css). */
const glowsFor = 2_500;
const countedFor = 1_000;
const saidFor = 5_000;

export interface Arrivals {
  /** Comments that are not drawn yet. */
  waiting: ReadonlySet<string>;
  /** How many of them wait behind the button. */
  onRequest: number;
  /** What has just appeared. */
  fresh: ReadonlySet<string>;
  /** The last that came in its turn, and slides in. */
  sliding: string | null;
  /** For the live region: how many came, never what they say. */
  announcement: string;
  /** Says something else there. */
  say(text: string): void;
  /** Shows all that wait; returns them. */
  show(): readonly string[];
}

/** Has comments of others appear in the list that is shown, each as `wayFor` decides, with a glow. */
export function useArrivals(blogId: string, list: CommentList | undefined, view: View): Arrivals {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const [fresh, setFresh] = useState(none);
  const [sliding, setSliding] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const uncounted = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);

  const later = (delay: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      act();
    }, delay);
    timers.current.add(timer);
  };
  const glow = (ids: Iterable<string>): void => {
    const shown = new Set(ids);
    setFresh((before) => new Set([...before, ...shown]));
    later(glowsFor, () => setFresh((before) => new Set([...before].filter((id) => !shown.has(id)))));
  };
  const say = (text: string): void => {
    setAnnouncement(text);
    later(saidFor, () => setAnnouncement((said) => (said === text ? "" : said)));
  };
  const count = (): void => {
    uncounted.current++;
    if (uncounted.current > 1) return;
    later(countedFor, () => {
      say(uncounted.current === 1 ? "1 new comment" : `${uncounted.current} new comments`);
      uncounted.current = 0;
    });
  };

  const order = useRef<{ list: CommentList; rows: Row[] }>(null);
  /** The rows of the cache, which has an event sooner than it is drawn. */
  const rows = (): readonly Row[] => {
    const cached = cachedComments(cache, blogId);
    if (!cached) return [];
    if (order.current?.list !== cached) order.current = { list: cached, rows: readingOrder(cached.comments) };
    return order.current.rows;
  };
  const { queue, waiting } = useArrivalQueue({
    list: listElement,
    placesOf: (ids) => placesOfComments(ids, rows(), view, listView),
    show: (ids, way) => {
      if (way === "in turn") setSliding(ids[0] ?? null);
      glow(ids);
    },
  });
  useEffect(() => queue.look(), [queue, list, view]);
  useLiveEvents((event, topic) => {
    if (topic !== `blog:${blogId}` || event.kind !== "comment.created") return;
    const { id, author } = event.comment;
    // What is drawn already was in an answer that is newer than the event.
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
    say,
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
  placeAt,
};

/** Whether the rows of a list that begins here are what is being read, rather than what is above them. */
export function holdsRows(top: number): boolean {
  const isWriting = document.activeElement?.closest(`#${sectionId} > .comment-form`);
  return top < 0 || (top < window.innerHeight / 2 && !isWriting);
}
