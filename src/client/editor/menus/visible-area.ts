import type { Editor } from "../create-editor.ts";
import { useEffect } from "react";

/** The bars over the text, in window coordinates. */
export function barsOf(editor: Editor): { header: number; bar: DOMRect; isBarAbove: boolean } {
  const place = editor.view.dom.closest(".editor-frame")!.querySelector(".editor-bar-place")!;
  return {
    header: Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0,
    bar: place.getBoundingClientRect(),
    isBarAbove: matchMedia("(min-width: 64rem)").matches,
  };
}

export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The visible part of the text, without bars and on-screen keyboard. */
export function visibleArea(editor: Editor): Area {
  const { header, bar, isBarAbove } = barsOf(editor);
  const viewport = window.visualViewport;
  const top = viewport?.offsetTop ?? 0;
  const bottom = top + (viewport?.height ?? window.innerHeight);
  return {
    top: Math.max(top, header, isBarAbove ? bar.bottom : 0),
    bottom: isBarAbove ? bottom : Math.min(bottom, bar.top),
    left: 0,
    right: document.documentElement.clientWidth,
  };
}

/** Pixels between menu and line, and to the edges of the visible area. */
const gap = 6;
const edge = 8;
/** Pixels of height that suffice below the line, where the menu covers no text. */
const enoughHeight = 176;

interface Placement {
  side: "above" | "below";
  left: number;
  /** The edge at the line, from the top of the window. */
  at: number;
  maxHeight: number;
}

/**
 * Places a menu below its line, unless it fits only above, or below is too little room and above is more. It never covers the
 * line or leaves the visible area.
 */
export function placeMenu(
  line: { top: number; bottom: number; left: number },
  { width, height }: { width: number; height: number },
  visible: Area,
): Placement {
  const below = visible.bottom - edge - (line.bottom + gap);
  const above = line.top - gap - (visible.top + edge);
  const isWholeAbove = below < height && height <= above;
  const side =
    !isWholeAbove && (below >= Math.min(height, enoughHeight) || below >= above) ? "below" : "above";
  return {
    side,
    left: Math.max(visible.left + edge, Math.min(line.left, visible.right - edge - width)),
    at: side === "below" ? line.bottom + gap : line.top - gap,
    maxHeight: Math.max(0, side === "below" ? below : above),
  };
}

/** Sets the page's `--keyboard` to the height in pixels that an on-screen keyboard covers. */
export function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const measure = () => {
      // Zooming in makes the visible part smaller too.
      const covered =
        viewport.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop);
      document.documentElement.style.setProperty("--keyboard", `${Math.round(covered)}px`);
    };
    measure();
    viewport.addEventListener("resize", measure);
    viewport.addEventListener("scroll", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      viewport.removeEventListener("scroll", measure);
      document.documentElement.style.removeProperty("--keyboard");
    };
  }, []);
}
