/** Changes a text, and keeps the selection or the paragraph being read at its place in the window. */
export function keepTextAnchored(body: HTMLElement, change: () => void): void {
  const { bottom } = body.getBoundingClientRect();
  // A reader who has not scrolled sees new text at the start.
  const isScrolled = window.scrollY > 0;
  const anchors = selectedBlock(body) ?? (isScrolled ? blocksBeingRead(body) : []);
  const tops = anchors.map((block) => block.getBoundingClientRect().top);
  change();
  const at = anchors.findIndex((block) => block.isConnected);
  // If the text ends above the block being read, the reader is below the text.
  const isBelow = anchors.length === 0 && isScrolled;
  const moved = anchors[at]
    ? anchors[at].getBoundingClientRect().top - tops[at]!
    : isBelow
      ? body.getBoundingClientRect().bottom - bottom
      : 0;
  if (moved !== 0) window.scrollBy({ top: moved, behavior: "instant" });
}

/** Returns the block where the selection starts, if it is visible. */
function selectedBlock(body: HTMLElement): Element[] | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const block = [...body.children].find((one) => range.intersectsNode(one));
  const { top = 0, bottom = -1 } = block?.getBoundingClientRect() ?? {};
  return block && bottom > 0 && top < window.innerHeight ? [block] : undefined;
}

/** Returns the blocks from the one being read on, in the upper half of the window. */
const blocksBeingRead = (body: HTMLElement): Element[] =>
  [...body.children].filter((block) => block.getBoundingClientRect().bottom > window.innerHeight / 3);
