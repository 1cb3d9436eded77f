import { useLayoutEffect } from "react";
import type { RefObject } from "react";

/**
 * Where the focus is in a row that goes, it moves to the same button of the next row, or to the heading above; not to
 * another row where somebody else took this one away (`isOwnDoing`): a press meant for one must not concern another.
 */
export function useKeptFocus(row: RefObject<HTMLElement | null>, isOwnDoing: RefObject<boolean>): void {
  useLayoutEffect(() => {
    const element = row.current;
    return () => keepFocus(element, isOwnDoing);
  }, [row, isOwnDoing]);
}

function keepFocus(row: HTMLElement | null, toNext: RefObject<boolean>): void {
  const active = document.activeElement;
  if (!row?.contains(active)) return;
  const neighbour = toNext.current ? (row.nextElementSibling ?? row.previousElementSibling) : null;
  const place = [...row.querySelectorAll("button")].indexOf(active as HTMLButtonElement);
  const next = neighbour?.querySelectorAll("button")[place];
  const heading =
    row.closest("section")?.querySelector<HTMLElement>("h2") ??
    document.querySelector<HTMLElement>("main h1");
  if (heading) heading.tabIndex = -1;
  (next ?? heading)?.focus();
}
