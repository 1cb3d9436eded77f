import { Component } from "react";
import type { ReactNode } from "react";
import { commentElementId, holdsRows, listId } from "./arrivals.ts";
import { sectionId } from "./comments-waiting.tsx";

interface Anchor {
  element: Element;
  top: number;
}

/** A comment that slides in, and the row above it; null above the first. */
export interface Slide {
  id: string;
  above: string | null;
}

/**
 * Keeps what is being read where it is while rows come and go around it: the control that has the focus (an open composer)
 * or is under the pointer, else, where the list is what is being read, the comment that the eyes are on. Where a comment slides
 * in before the reader's eyes, what is above it stays, and what is below it moves. The browser's own scroll
 * anchoring is switched off inside (comments.css): it knows nothing of composers, and not every browser has it.
 */
export class HoldStill extends Component<{ slide: Slide | null; children: ReactNode }> {
  override getSnapshotBeforeUpdate(): Anchor | null {
    const list = document.getElementById(listId);
    if (!list) return null;
    const element =
      aboveSlide(this.props.slide) ??
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

/** What is above a comment that this update brings; above the first row the section's beginning. */
function aboveSlide(slide: Slide | null): Element | null {
  if (!slide || document.getElementById(commentElementId(slide.id))) return null;
  return document.getElementById(slide.above === null ? sectionId : commentElementId(slide.above));
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
