import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "../external-store.ts";
import { ArrivalQueue } from "./arrival-queue.ts";
import type { Clock, ArrivalPage, Waiting } from "./arrival-queue.ts";
import { isReaderBusy, watchReader } from "./reader-activity.ts";

const clock: Clock = {
  now: () => performance.now(),
  after: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

interface Options extends Pick<ArrivalPage, "positionsOf" | "show"> {
  /** The list of the entries; null while not rendered. */
  list: () => Element | null;
}

/** Creates the queue of a list's new entries and updates it when the reader moves. */
export function useArrivalQueue({ list, positionsOf, show }: Options): {
  queue: ArrivalQueue;
  waiting: Waiting;
} {
  const page = { positionsOf, show, isBusy: () => isReaderBusy(list()) };
  const [queue] = useState(() => new ArrivalQueue(clock, page));
  useLayoutEffect(() => queue.setPage(page));
  const currentList = useEffectEvent(list);
  useEffect(() => {
    const stopWatching = watchReader(() => currentList(), {
      onMove: () => queue.update(),
      onAim: () => queue.delay(),
    });
    return () => {
      stopWatching();
      queue.stop();
    };
  }, [queue]);
  const waiting = useStore(queue.store);
  return { queue, waiting };
}

/** Slides an entry and its elements in, once, when rendered. */
export function useSlideIn(
  id: string | null,
  elementsOf: (id: string) => HTMLElement[],
  initialHeightOf: (first: HTMLElement) => number = () => 0,
): void {
  const shownId = useRef<string>(null);
  useLayoutEffect(() => {
    if (id === null || shownId.current === id) return;
    const elements = elementsOf(id);
    if (!elements[0]) return;
    shownId.current = id;
    slideIn(elements, initialHeightOf(elements[0]));
  });
}

/** Milliseconds of an entry's growth. */
const duration = 400;

/** Grows new entries gradually from the height `initialHeight`, so that only what is below them moves. */
function slideIn(entries: readonly HTMLElement[], initialHeight = 0): void {
  const { style } = document.documentElement;
  // Otherwise the browser would scroll to keep in place what is below.
  style.overflowAnchor = "none";
  const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const entry of isMotionReduced ? [] : entries) {
    const height = `${entry.getBoundingClientRect().height}px`;
    entry.animate(
      [
        { blockSize: `${initialHeight}px`, overflowY: "clip", opacity: 0 },
        { blockSize: height, overflowY: "clip", opacity: 0.4, offset: 0.6 },
        { blockSize: height, overflowY: "clip", opacity: 1 },
      ],
      { duration, easing: "ease-out" },
    );
  }
  setTimeout(() => style.removeProperty("overflow-anchor"), duration + 50);
}
