import { Component } from "react";
import type { ReactNode } from "react";
import { holdsRows, listId } from "./arrivals.ts";

interface Anchor {
  element: Element;
  top: number;
}

/**
 * Keeps what is being read where it is while rows come and go around it: the control that has the focus (an open composer)
 * or is under the pointer, else, where the list is what is being read, the comment that the eyes are on. The browser's own scroll
 * anchoring is switched off inside (comments.css): it knows nothing of composers, and not every browser has it.
 */
export class HoldStill extends Component<{ children: ReactNode }> {
  override getSnapshotBeforeUpdate(): Anchor | null {
    const list = document.getElementById(listId);
    if (!list) return null;
    const element =
      focusedIn(list) ??
      list.querySelector("button:hover, a:hover") ??
      (holdsRows(list.getBoundingClientRect().top) ? readIn(list) : undefined);
    return element ? { element, top: element.getBoundingClientRect().top } : null;
  }

  override componentDidUpdate(_before: unknown, _state: unknown, anchor: Anchor | null): void {
    if (!anchor?.element.isConnected) return;
    const moved = anchor.element.getBoundingClientRect().top - anchor.top;
    if (Math.abs(moved) >= 1) window.scrollBy({ top: moved, behavior: "instant" });
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

function focusedIn(list: Element): Element | undefined {
  const focused = document.activeElement;
  return focused && focused !== list && list.contains(focused) && isInView(focused) ? focused : undefined;
}

/** People read in the upper half of the window: the row at a third of its height, or the first below that. */
function readIn(list: Element): Element | undefined {
  const line = window.innerHeight / 3;
  return (
    [...list.children].find((row) => row.getBoundingClientRect().bottom > line) ??
    list.lastElementChild ??
    undefined
  );
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
