import { useEffect, useEffectEvent, useState } from "react";
import { commentElementId } from "./arrivals.ts";
import { startWith } from "./stretch.ts";
import type { Start } from "./stretch.ts";
import type { Item } from "./tree.ts";

/** A comment that is to be drawn, and where it goes in the window. */
export interface Wanted {
  id: string;
  /** `stay` moves nothing. */
  to: "center" | "stay" | { top: number } | { bottom: number };
  /** Gets the focus, unless it has gone elsewhere from this control meanwhile. */
  focus?: "always" | Element;
}

/** Shows a comment as soon as it is among the items: says which stretch to draw then, scrolls and gives it the focus. */
export function useReveal(
  items: readonly Item[],
  start: Start | null,
  setStart: (start: Start | null) => void,
): [begin: Start | null, reveal: (wanted: Wanted) => void] {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const isThere = wanted !== null && items.some(({ id }) => id === wanted.id);
  const begin = isThere ? startWith(items, start, wanted.id) : start;
  const settle = useEffectEvent((shown: Wanted) => {
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

function place(element: HTMLElement, { to, focus }: Wanted): void {
  if (to === "center") element.scrollIntoView({ block: "center" });
  else if (to !== "stay") {
    const { top, bottom } = element.getBoundingClientRect();
    window.scrollBy({ top: "top" in to ? top - to.top : bottom - to.bottom, behavior: "instant" });
  }
  const active = document.activeElement;
  if (focus === "always" || (focus && (active === focus || active === document.body)))
    element.focus({ preventScroll: true });
}
