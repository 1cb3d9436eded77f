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
): [begin: WindowStart | null, reveal: (request: RevealRequest) => void] {
  const [request, setRequest] = useState<RevealRequest | null>(null);
  const isPresent = request !== null && items.some(({ id }) => id === request.id);
  const begin = isPresent ? startIncluding(items, start, request.id) : start;
  const settle = useEffectEvent((shown: RevealRequest) => {
    if (begin !== start) setStart(begin);
    setRequest(null);
    const element = document.getElementById(commentElementId(shown.id));
    if (element) place(element, shown);
  });
  useEffect(() => {
    if (request && isPresent) settle(request);
  }, [request, isPresent]);
  return [begin, setRequest];
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
