/** Changes a text, and keeps what is being read where it is: what is selected, or the paragraph that the eyes are on. */
export function holdStill(body: HTMLElement, change: () => void): void {
  const { bottom } = body.getBoundingClientRect();
  // Whoever has not scrolled is at the beginning, and sees what is new there.
  const isScrolled = window.scrollY > 0;
  const held = selectedIn(body) ?? (isScrolled ? readIn(body) : []);
  const tops = held.map((block) => block.getBoundingClientRect().top);
  change();
  const at = held.findIndex((block) => block.isConnected);
  // Where the text ends above the eyes, what stands below it is read.
  const isBelow = held.length === 0 && isScrolled;
  const moved = held[at]
    ? held[at].getBoundingClientRect().top - tops[at]!
    : isBelow
      ? body.getBoundingClientRect().bottom - bottom
      : 0;
  if (moved !== 0) window.scrollBy({ top: moved, behavior: "instant" });
}

/** The block with the beginning of what is selected in the text, where that is seen. */
function selectedIn(body: HTMLElement): Element[] | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const block = [...body.children].find((one) => range.intersectsNode(one));
  const { top = 0, bottom = -1 } = block?.getBoundingClientRect() ?? {};
  return block && bottom > 0 && top < window.innerHeight ? [block] : undefined;
}

/** The blocks from the one on that the eyes are on: people read in the upper half of the window. */
const readIn = (body: HTMLElement): Element[] =>
  [...body.children].filter((block) => block.getBoundingClientRect().bottom > window.innerHeight / 3);
