import { useEffect, useRef, useState } from "react";
import type { Comment } from "../../shared/comments.ts";

const none: ReadonlySet<string> = new Set();
/** As long as the rule beside a new comment glows (comments.css). */
const glowsFor = 2_500;
const countedFor = 1_000;
const saidFor = 5_000;

export interface Arrivals {
  /** Threads that came while the reader was below the top of the list: they wait to be asked for. */
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
      count();
      if (comment.parentId === null && isReadBelow()) setWaiting((before) => new Set(before).add(comment.id));
      else glow([comment.id]);
    },
    show: () => {
      glow(waiting);
      setWaiting(none);
    },
  };
}

export const listId = "comment-list";

/** Whether the top of the list has left the window: then something put there would push down what is being read. */
function isReadBelow(): boolean {
  const list = document.getElementById(listId);
  return list !== null && list.getBoundingClientRect().top < 0;
}
