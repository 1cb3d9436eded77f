import type { ReadingPlace } from "../../../../shared/reading-place.ts";
import { placeAmong, wordsOf } from "./anchor.ts";

const prose = (): Element | null => document.querySelector(".article > .prose");
/** The line that is being read, from the window's top: below the site's bar. */
const line = (): number => window.innerHeight / 5;
const within = (from: number, size: number): number => (size > 0 ? (line() - from) / size : 0);

/** Where the reader is in the text, and how far through it (0 to 1). */
export function standing(): { place: ReadingPlace; share: number } | undefined {
  const text = prose();
  const blocks = text ? [...text.children] : [];
  const block = blocks.findLastIndex((one) => one.getBoundingClientRect().top <= line());
  const here = blocks[block];
  if (!text || !here) return undefined;
  const { top, height } = text.getBoundingClientRect();
  const own = here.getBoundingClientRect();
  const part = Math.min(99, Math.floor(100 * within(own.top, own.height)));
  return { place: { block, words: wordsOf(here.textContent), part }, share: within(top, height) };
}

/** Whether the reader has come to a place, or beyond it. */
export function isReached(place: ReadingPlace): boolean {
  const target = goal(place);
  return target !== undefined && target.top <= line();
}

/** Shows the text from a place on, with the focus there. */
export function goOn(place: ReadingPlace): void {
  const target = goal(place);
  if (!target) return;
  // At once: on the way there a long text would fly by.
  window.scrollTo({ top: window.scrollY + target.top - line(), behavior: "instant" });
  const { block } = target;
  if (!block.matches("a, button, [tabindex]")) block.tabIndex = -1;
  block.focus({ preventScroll: true });
}

function goal(place: ReadingPlace): { block: HTMLElement; top: number } | undefined {
  const blocks = [...(prose()?.children ?? [])] as HTMLElement[];
  const found = placeAmong(
    blocks.map(({ textContent }) => wordsOf(textContent)),
    place,
  );
  const block = found && blocks[found.block];
  if (!block) return undefined;
  const { top, height } = block.getBoundingClientRect();
  return { block, top: top + (height * found.part) / 100 };
}

/** Whether a link has led past the text, to its comments: the reader sees the end of the text there without having read it. */
export function isLedPast(): boolean {
  const target = document.getElementById(location.hash.slice(1));
  return location.hash !== "" && !(target && prose()?.contains(target));
}

/** Tells once the text's end is seen. */
export function watchEnd(onEnd: () => void): () => void {
  const text = prose();
  // All but a strip at the window's lower edge is cut away: the text leaves that upwards when its end comes in sight.
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
