import { useEffect, useEffectEvent, useState } from "react";
import { commentElementId } from "./arrivals.ts";
import { startIncluding } from "./row-window.ts";
import type { WindowStart } from "./row-window.ts";
import type { Item } from "./tree.ts";

export interface RevealRequest {
  id: string;
  to: "center" | "stay" | { top: number } | { bottom: number };
  /** Focuses the comment; given a control, only if that still has the focus. */
  focus?: "always" | Element;
}

/** Returns the first row to render, and a function that scrolls to a comment as soon as it is among the items. */
export function useReveal(
  items: readonly Item[],
  start: WindowStart | null,
  setStart: (start: WindowStart | null) => void,
): [begin: WindowStart | null, reveal: (wanted: RevealRequest) => void] {
  const [wanted, setWanted] = useState<RevealRequest | null>(null);
  const isThere = wanted !== null && items.some(({ id }) => id === wanted.id);
  const begin = isThere ? startIncluding(items, start, wanted.id) : start;
  const settle = useEffectEvent((shown: RevealRequest) => {
    if (begin !== start) setStart(begin);
    setWanted(null);
    const element = document.getElementById(commentElementId(shown.id));
    if (element) place(element, shown);
  });
  useEffect(() => {
    if (wanted && isThere) settle(wanted);
  }, [wanted, isThere]);
  return [begin, setWanted];
}

function place(element: HTMLElement, { to, focus }: RevealRequest): void {
  if (to === "center") element.scrollIntoView({ block: "center" });
  else if (to !== "stay") {
    const { top, bottom } = element.getBoundingClientRect();
    window.scrollBy({ top: "top" in to ? top - to.top : bottom - to.bottom, behavior: "instant" });
  }
  const active = document.activeElement;
  if (focus === "always" || (focus && (active === focus || active === document.body)))
    element.focus({ preventScroll: true });
}
