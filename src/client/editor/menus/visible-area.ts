import type { Editor } from "../create-editor.ts";

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
