import type { EditorView } from "prosemirror-view";

/**
 * Measures the window before a picture replaces its upload card and moves the text below. Call the returned function with
 * the figure once it is in the text: for a writer who has typed since, it keeps the cursor at its height; otherwise it
 * scrolls the whole picture into view, if the card was visible and the writer is not scrolling.
 */
export function holdSight(
  view: EditorView,
  card: HTMLElement,
  { writesOn, scrolls }: { writesOn: boolean; scrolls: boolean },
): (figure: HTMLElement) => void {
  const cursor = () => view.coordsAtPos(view.state.selection.head);
  const isSeen = ({ top, bottom }: { top: number; bottom: number }): boolean =>
    bottom > 0 && top < window.innerHeight;
  const before = cursor();
  if (writesOn && isSeen(before))
    return () => window.scrollBy({ top: cursor().top - before.top, behavior: "instant" });
  if (!scrolls && isSeen(card.getBoundingClientRect()))
    return (figure) => figure.scrollIntoView({ block: "nearest", behavior: "instant" });
  return () => {};
}
