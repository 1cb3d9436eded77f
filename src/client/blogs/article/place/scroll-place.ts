import type { ReadingPosition } from "../../../../shared/reading-position.ts";

const prose = (): Element | null => document.querySelector(".article > .prose");
/** The line being read, in pixels from the window's top, below the site's bar. */
const readingLine = (): number => window.innerHeight / 5;
const shareAboveLine = (from: number, size: number): number => (size > 0 ? (readingLine() - from) / size : 0);

/** Returns the reader's place and the share of the text above it (0 to 1). */
export function currentPlace(): { place: ReadingPosition; share: number } | undefined {
  const text = prose();
  const blocks = text ? [...text.children] : [];
  const block = blocks.findLastIndex((one) => one.getBoundingClientRect().top <= readingLine());
  const here = blocks[block];
  if (!text || !here) return undefined;
  const { top, height } = text.getBoundingClientRect();
  const own = here.getBoundingClientRect();
  const part = Math.min(99, Math.floor(100 * shareAboveLine(own.top, own.height)));
  return { place: { block, words: hashText(here.textContent), part }, share: shareAboveLine(top, height) };
}

export function isReached(place: ReadingPosition): boolean {
  const target = targetOf(place);
  return target !== undefined && target.top <= readingLine();
}

export function scrollToPlace(place: ReadingPosition): void {
  const target = targetOf(place);
  if (!target) return;
  // Not smoothly: that would scroll through a long text.
  window.scrollTo({ top: window.scrollY + target.top - readingLine(), behavior: "instant" });
  const { block } = target;
  if (!block.matches("a, button, [tabindex]")) block.tabIndex = -1;
  block.focus({ preventScroll: true });
}

function targetOf(place: ReadingPosition): { block: HTMLElement; top: number } | undefined {
  const blocks = [...(prose()?.children ?? [])] as HTMLElement[];
  const found = findPlace(
    blocks.map(({ textContent }) => hashText(textContent)),
    place,
  );
  const block = found && blocks[found.block];
  if (!block) return undefined;
  const { top, height } = block.getBoundingClientRect();
  return { block, top: top + (height * found.part) / 100 };
}

/** Whether a link led past the text: its end is visible then, but was not read. */
export function hasLinkPastText(): boolean {
  const target = document.getElementById(location.hash.slice(1));
  return location.hash !== "" && !(target && prose()?.contains(target));
}

/** Calls `onEnd` when the reader scrolls to the end of the text. Returns the cleanup. */
export function observeEnd(onEnd: () => void): () => void {
  const text = prose();
  // Observes only the window's lower edge: the text leaves it upwards when its end becomes visible.
  const watcher = new IntersectionObserver(
    ([entry]) => {
      const { isIntersecting, boundingClientRect, rootBounds } = entry!;
      if (!isIntersecting && boundingClientRect.bottom <= (rootBounds?.top ?? window.innerHeight)) onEnd();
    },
    { rootMargin: "-99% 0px 0px" },
  );
  if (text) watcher.observe(text);
  return () => watcher.disconnect();
}

/** Returns the 32-bit FNV-1a hash of a text, with white space collapsed. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const normalized = text.replace(/\s+/g, " ").trim();
  for (let at = 0; at < normalized.length; at++)
    hash = Math.imul(hash ^ normalized.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Finds a reading position in a changed text: the nearest block with the same words, otherwise the start of the block at the same
 * index. Undefined without blocks.
 */
export function findPlace(
  hashes: readonly number[],
  place: ReadingPosition,
): Pick<ReadingPosition, "block" | "part"> | undefined {
  const distance = (block: number): number => Math.abs(block - place.block);
  let found: number | undefined;
  for (const [block, one] of hashes.entries())
    if (one === place.words && (found === undefined || distance(block) < distance(found))) found = block;
  if (found !== undefined) return { block: found, part: place.part };
  return hashes.length > 0 ? { block: Math.min(place.block, hashes.length - 1), part: 0 } : undefined;
}
