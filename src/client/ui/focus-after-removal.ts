import { useLayoutEffect } from "react";
import type { RefObject } from "react";

/**
 * Moves the focus of a removed row to the same button of the next row, or to the heading if another tab or person removed it
 * (not `isOwnDoing`): a key press meant for one row must not hit another.
 */
export function useFocusAfterRemoval(
  row: RefObject<HTMLElement | null>,
  isOwnDoing: RefObject<boolean>,
): void {
  useLayoutEffect(() => {
    const element = row.current;
    return () => moveFocus(element, isOwnDoing);
  }, [row, isOwnDoing]);
}

function moveFocus(row: HTMLElement | null, toNext: RefObject<boolean>): void {
  const active = document.activeElement;
  if (!row?.contains(active)) return;
  const neighbour = toNext.current ? (row.nextElementSibling ?? row.previousElementSibling) : null;
  const index = [...row.querySelectorAll("button")].indexOf(active as HTMLButtonElement);
  const next = neighbour?.querySelectorAll("button")[index];
  const heading =
    row.closest("section")?.querySelector<HTMLElement>("h2") ??
    document.querySelector<HTMLElement>("main h1");
  if (heading) heading.tabIndex = -1;
  (next ?? heading)?.focus();
}
