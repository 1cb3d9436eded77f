/** Milliseconds of an entry's growth. */
const duration = 400;

/** Grows new entries gradually from the height `begun`, so that only what is below them moves. */
export function slideIn(entries: readonly HTMLElement[], begun = 0): void {
  const { style } = document.documentElement;
  // Otherwise the browser would scroll to keep in place what is below.
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
