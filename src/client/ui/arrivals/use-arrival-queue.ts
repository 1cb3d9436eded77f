import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "../external-store.ts";
import { ArrivalQueue } from "./queue.ts";
import type { Clock, Surroundings, Waiting } from "./queue.ts";
import { isBusyAt, watchReader } from "./reader.ts";
import { slideIn } from "./slide-in.ts";

const clock: Clock = {
  now: () => performance.now(),
  after: (delay, act) => {
    const timer = setTimeout(act, delay);
    return () => clearTimeout(timer);
  },
};

interface Options extends Pick<Surroundings, "placesOf" | "show"> {
  /** The list that they come into; null while it is not drawn. */
  list: () => Element | null;
}

/** The queue of what is new in a list, kept up with what its reader does. */
export function useArrivalQueue({ list, placesOf, show }: Options): {
  queue: ArrivalQueue;
  waiting: Waiting;
} {
  const page = { placesOf, show, isBusy: () => isBusyAt(list()) };
  const [queue] = useState(() => new ArrivalQueue(clock, page));
  useLayoutEffect(() => queue.follow(page));
  const here = useEffectEvent(list);
  useEffect(() => {
    const leave = watchReader(() => here(), { onMove: () => queue.look(), onAim: () => queue.delay() });
    return () => {
      leave();
      queue.stop();
    };
  }, [queue]);
  const waiting = useStore(queue.store);
  return { queue, waiting };
}

/** Slides an entry in as soon as it is drawn, with what comes along with it; each once. */
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
