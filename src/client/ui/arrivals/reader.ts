import type { Place } from "./queue.ts";

/** Milliseconds in which movements of the reader are gathered before the page is looked at. */
const gathered = 100;

const overlays = "[role=menu], [role=dialog], [role=alertdialog]";
const controls = "a, button, input, textarea, select, summary";
const boxes = "textarea, input:is([type=text], [type=search], [type=email], [type=url], :not([type]))";

/** Where an entry appears whose upper edge is to be at this height of the window; what the page's bar covers is passed. */
export function placeAt(top: number): Place {
  if (top >= window.innerHeight) return "out of sight";
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  return top < Math.max(0, bar) ? "passed" : "in view";
}

/** Whether the reader types, selects something that new entries of the list would move, or has a menu or dialog open. */
export function isBusyAt(list: Element | null): boolean {
  const { activeElement: active } = document;
  if (active?.closest(overlays)) return true;
  return isTypingIn(active, list) || isSelectingBelow(list);
}

/** A box in the list was opened to write in it; any other counts from its first character on. */
function isTypingIn(active: Element | null, list: Element | null): boolean {
  if (active instanceof HTMLElement && active.isContentEditable) return true;
  if (!active?.matches(boxes)) return false;
  return (active as HTMLInputElement | HTMLTextAreaElement).value !== "" || list?.contains(active) === true;
}

/** What is selected above the list alone stays where it is. */
function isSelectingBelow(list: Element | null): boolean {
  const selection = getSelection();
  if (!list || !selection || selection.isCollapsed || selection.rangeCount === 0) return false;
  return selection.getRangeAt(0).comparePoint(list, 0) <= 0;
}

/** Calls `onMove` shortly after the reader has scrolled, typed, selected or gone elsewhere, and `onAim` where a control of the list is pointed at. */
export function watchReader(
  list: () => Element | null,
  { onMove, onAim }: { onMove: () => void; onAim: () => void },
): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gather = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onMove();
    }, gathered);
  };
  const aim = ({ target }: Event): void => {
    if (target instanceof Element && target.closest(controls) && list()?.contains(target)) onAim();
  };
  const options = { signal: end.signal, passive: true };
  for (const kind of ["scroll", "resize"]) window.addEventListener(kind, gather, options);
  for (const kind of ["input", "focusin", "focusout", "selectionchange", "visibilitychange"])
    document.addEventListener(kind, gather, options);
  for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, aim, options);
  return () => {
    clearTimeout(timer);
    end.abort();
  };
}
