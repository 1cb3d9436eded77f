import type { EditorView } from "prosemirror-view";

/**
 * Measures before a picture replaces its upload card and moves the text below. Call the returned function with the inserted
 * figure: if the writer has typed since, it keeps the cursor at its height; otherwise it scrolls the picture into view, if the
 * card was visible and the writer is not scrolling.
 */
export function anchorScroll(
  view: EditorView,
  card: HTMLElement,
  { isWriting, isScrolling }: { isWriting: boolean; isScrolling: boolean },
): (figure: HTMLElement) => void {
  const cursor = () => view.coordsAtPos(view.state.selection.head);
  const isSeen = ({ top, bottom }: { top: number; bottom: number }): boolean =>
    bottom > 0 && top < window.innerHeight;
  const before = cursor();
  if (isWriting && isSeen(before))
    return () => window.scrollBy({ top: cursor().top - before.top, behavior: "instant" });
  if (!isScrolling && isSeen(card.getBoundingClientRect()))
    return (figure) => figure.scrollIntoView({ block: "nearest", behavior: "instant" });
  return () => {};
}
