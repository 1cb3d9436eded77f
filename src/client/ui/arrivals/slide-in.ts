/** Milliseconds in which an entry takes its room. */
const duration = 400;

/**
 * Has new entries take their room gradually, so that what is below them moves down and nothing else moves. `begun` is the
 * height that they have from the beginning.
 */
export function slideIn(entries: readonly HTMLElement[], begun = 0): void {
  const { style } = document.documentElement;
  // Otherwise the browser would scroll along to keep what is below where it was.
  style.overflowAnchor = "none";
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const entry of isCalm ? [] : entries) {
    const height = `${entry.getBoundingClientRect().height}px`;
    entry.animate(
      [
        { blockSize: `${begun}px`, overflowY: "clip", opacity: 0 },
        { blockSize: height, overflowY: "clip", opacity: 0.4, offset: 0.6 },
        { blockSize: height, overflowY: "clip", opacity: 1 },
      ],
      { duration, easing: "ease-out" },
    );
  }
  setTimeout(() => style.removeProperty("overflow-anchor"), duration + 50);
}
