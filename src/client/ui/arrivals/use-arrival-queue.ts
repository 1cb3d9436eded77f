import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "../external-store.ts";
import { ArrivalQueue } from "./arrival-queue.ts";
import type { Clock, ArrivalPage, Waiting } from "./arrival-queue.ts";
import { isReaderBusy, watchReader } from "./reader-activity.ts";
import { slideIn } from "./slide-in.ts";

const clock: Clock = {
  now: () => performance.now(),
  after: (delay, act) => {
    const timer = setTimeout(act, delay);
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
  const here = useEffectEvent(list);
  useEffect(() => {
    const leave = watchReader(() => here(), { onMove: () => queue.update(), onAim: () => queue.delay() });
    return () => {
      leave();
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
  begunOf: (first: HTMLElement) => number = () => 0,
): void {
  const done = useRef<string>(null);
  useLayoutEffect(() => {
    if (id === null || done.current === id) return;
    const elements = elementsOf(id);
    if (!elements[0]) return;
    done.current = id;
    slideIn(elements, begunOf(elements[0]));
  });
}
