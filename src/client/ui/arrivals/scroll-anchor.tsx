import { Component } from "react";
import type { ReactNode } from "react";

interface Anchor {
  element: Element;
  top: number;
}

/** A row that slides in, and the row above it; null for the first. */
export interface Slide {
  id: string;
  above: string | null;
}

/** The elements of a list, and whether the person reads its rows when it begins at `top`. */
export interface AnchoredList {
  list: () => HTMLElement | null;
  /** What is above the first row. */
  section: () => HTMLElement | null;
  row: (id: string) => HTMLElement | null;
  isRead: (top: number) => boolean;
}

/**
 * Keeps the scroll position while rows come and go, by the control that has the focus (an open composer) or is under the
 * pointer, else by the row being read. When a row slides in, the one above it stays. Native scroll anchoring is off in such a
 * list (`overflow-anchor`): it ignores composers, and not every browser has it.
 */
export class ScrollAnchor extends Component<{ slide: Slide | null; of: AnchoredList; children: ReactNode }> {
  override getSnapshotBeforeUpdate(): Anchor | null {
    const { slide, of } = this.props;
    const list = of.list();
    if (!list) return null;
    const element =
      aboveSlide(slide, of) ??
      focusedIn(list) ??
      list.querySelector("button:hover, a:hover") ??
      (of.isRead(list.getBoundingClientRect().top) ? readRow(list) : undefined);
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

/** Returns what is above a row that this update adds: a row or the section's beginning. */
function aboveSlide(slide: Slide | null, { section, row }: AnchoredList): Element | null {
  if (!slide || row(slide.id)) return null;
  return slide.above === null ? section() : row(slide.above);
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
