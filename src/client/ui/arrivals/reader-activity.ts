import type { ArrivalPosition } from "./arrival-queue.ts";

/** Milliseconds in which the reader's movements are batched. */
const batchMs = 100;

const overlays = "[role=menu], [role=dialog], [role=alertdialog]";
const controls = "a, button, input, textarea, select, summary";
const boxes = "textarea, input:is([type=text], [type=search], [type=email], [type=url], :not([type]))";

/** Returns the place of an entry whose upper edge is at `top` in the window. Behind the page's bar counts as passed. */
export function positionAt(top: number): ArrivalPosition {
  if (top >= window.innerHeight) return "out of sight";
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  return top < Math.max(0, bar) ? "passed" : "in view";
}

/** Whether the reader types, selects text that new entries would move, or has a menu or dialog open. */
export function isReaderBusy(list: Element | null): boolean {
  const { activeElement: active } = document;
  if (active?.closest(overlays)) return true;
  return isTypingIn(active, list) || isSelectingBelow(list);
}

/** An empty field counts only within the list. */
function isTypingIn(active: Element | null, list: Element | null): boolean {
  if (active instanceof HTMLElement && active.isContentEditable) return true;
  if (!active?.matches(boxes)) return false;
  return (active as HTMLInputElement | HTMLTextAreaElement).value !== "" || list?.contains(active) === true;
}

/** A selection above the list stays in place. */
function isSelectingBelow(list: Element | null): boolean {
  const selection = getSelection();
  if (!list || !selection || selection.isCollapsed || selection.rangeCount === 0) return false;
  return selection.getRangeAt(0).comparePoint(list, 0) <= 0;
}

/**
 * Calls `onMove` shortly after the reader scrolled, typed, selected or moved the focus, and `onAim` when they point at a
 * control of the list.
 */
export function watchReader(
  list: () => Element | null,
  { onMove, onAim }: { onMove: () => void; onAim: () => void },
): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleMove = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onMove();
    }, batchMs);
  };
  const onPointer = ({ target }: Event): void => {
    if (target instanceof Element && target.closest(controls) && list()?.contains(target)) onAim();
  };
  const options = { signal: end.signal, passive: true };
  for (const kind of ["scroll", "resize"]) window.addEventListener(kind, scheduleMove, options);
  for (const kind of ["input", "focusin", "focusout", "selectionchange", "visibilitychange"])
    document.addEventListener(kind, scheduleMove, options);
  for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, onPointer, options);
  return () => {
    clearTimeout(timer);
    end.abort();
  };
}
