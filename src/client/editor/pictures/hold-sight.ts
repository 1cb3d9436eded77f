import type { EditorView } from "prosemirror-view";

/**
 * Notes what the writer looks at before a picture takes the place of its card, which moves what is below it. The function
 * that it returns is called with the picture's figure once that is in the text: a writer who has gone on writing keeps
 * the cursor where it was in the window; any other sees all of the picture, if the card was in sight and the page is not
 * being scrolled.
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
