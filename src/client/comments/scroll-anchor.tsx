import { Component } from "react";
import type { ReactNode } from "react";
import { commentElementId, isReadingList, listId } from "./arrivals.ts";
import { sectionId } from "./comments-waiting.tsx";

interface Anchor {
  element: Element;
  top: number;
}

/** A comment that slides in, and the row above it; null for the first. */
export interface Slide {
  id: string;
  above: string | null;
}

/**
 * Keeps the scroll position while rows come and go, by the control that has the focus (an open composer) or is under the
 * pointer, else by the comment being read. When a comment slides in, the row above it stays. Native scroll anchoring is off
 * (comments.css): it ignores composers, and not every browser has it.
 */
export class ScrollAnchor extends Component<{ slide: Slide | null; children: ReactNode }> {
  override getSnapshotBeforeUpdate(): Anchor | null {
    const list = document.getElementById(listId);
    if (!list) return null;
    const element =
      aboveSlide(this.props.slide) ??
      focusedIn(list) ??
      list.querySelector("button:hover, a:hover") ??
      (isReadingList(list.getBoundingClientRect().top) ? readRow(list) : undefined);
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

/** Returns what is above a comment that this update adds: a row or the section's beginning. */
function aboveSlide(slide: Slide | null): Element | null {
  if (!slide || document.getElementById(commentElementId(slide.id))) return null;
  return document.getElementById(slide.above === null ? sectionId : commentElementId(slide.above));
}

function focusedIn(list: Element): Element | undefined {
  const focused = document.activeElement;
  return focused && focused !== list && list.contains(focused) && isInView(focused) ? focused : undefined;
}

/** People read in the upper half of the window: the row at a third of its height, or the first below. */
function readRow(list: Element): Element | undefined {
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
