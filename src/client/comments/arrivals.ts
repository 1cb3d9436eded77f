import { useEffect, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";
import { sectionId } from "./comments-waiting.tsx";

const none: ReadonlySet<string> = new Set();
/** As long as the rule beside a new comment glows (comments.css). */
const glowsFor = 2_500;
const countedFor = 1_000;
const saidFor = 5_000;
/** After so long without a new thread the talk is calm. */
const calmAfter = 10_000;

export interface Arrivals {
  /** Threads that would have moved what is being read: they wait to be asked for. */
  waiting: ReadonlySet<string>;
  /** What has just appeared. */
  fresh: ReadonlySet<string>;
  /** For the live region: how many came, never what they say. */
  announcement: string;
  came(comment: Comment): void;
  /** Says something else there. */
  say(text: string): void;
  /** Shows what waits. */
  show(): void;
}

/** Decides how comments of others appear: at once with a glow, or, where that would move what is being read, when asked for. */
export function useArrivals(): Arrivals {
  const [waiting, setWaiting] = useState(none);
  const [fresh, setFresh] = useState(none);
  const [announcement, setAnnouncement] = useState("");
  const uncounted = useRef(0);
  const threadAt = useRef(-Infinity);
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

  return {
    waiting,
    fresh,
    announcement,
    say,
    came: (comment) => {
      // What is drawn already was in an answer that is newer than the event.
      if (document.getElementById(commentElementId(comment.id))) return;
      count();
      if (comment.parentId !== null) return glow([comment.id]);
      const isCalm = performance.now() - threadAt.current > calmAfter;
      threadAt.current = performance.now();
      if (hasRoom(isCalm)) glow([comment.id]);
      else setWaiting((before) => new Set(before).add(comment.id));
    },
    show: () => {
      glow(waiting);
      setWaiting(none);
    },
  };
}

export const listId = "comment-list";

export const commentElementId = (id: string): string => `comment-${id}`;

/**
 * Whether a new thread may come in at the top of the list at once: where the list is not in the window, or in a calm talk
 * where the thread has room. A lively one would go on shaking what is below, or above where the rows are being read
 * (`HoldStill` keeps them where they are).
 */
function hasRoom(isCalm: boolean): boolean {
  const list = document.getElementById(listId);
  const top = list?.firstElementChild ? list.getBoundingClientRect().top : Infinity;
  if (top >= window.innerHeight) return true;
  return top > ROOM && isCalm;
}

/** As high as a thread of a few lines, below the page's bar. */
const ROOM = 160;

/** Whether the rows of a list that begins here are what is being read, rather than what stands above them. */
export function holdsRows(top: number): boolean {
  const isWriting = document.activeElement?.closest(`#${sectionId} > .comment-form`);
  return top < 0 || (top < window.innerHeight / 2 && !isWriting);
}
