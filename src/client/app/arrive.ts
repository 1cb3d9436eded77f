import { elementAt } from "../ui/location.ts";
import type { Shown } from "./navigation.ts";

/**
 * Puts the reader where they belong in the page that was just drawn: to the part that the address names, back to where
 * they were, or to its top with the focus on its heading. A page that turns its own leaves (`/home?page=2`) marks with
 * `data-focus` the heading to go to.
 */
export function arrive({ arrival, turned, location, place }: Shown): void {
  if (arrival === "first" || arrival === "reload") return;
  const main = document.querySelector("main");
  if (!main) return;
  if (arrival === "pop") {
    window.scrollTo(0, place?.y ?? 0);
    focusOn(place?.focus ? controlOf(main, place.focus) : headingOf(main));
    return;
  }
  const named = elementAt(location.hash);
  if (named) {
    named.scrollIntoView();
    focusOn(named);
    return;
  }
  // What a link into the page that is shown names and nobody has moves nothing.
  if (turned && location.hash !== "") return;
  const marked = turned ? main.querySelector<HTMLElement>("[data-focus]") : null;
  if (marked) marked.scrollIntoView();
  else window.scrollTo(0, 0);
  focusOn(marked ?? headingOf(main));
}

const headingOf = (main: Element): HTMLElement | null => main.querySelector<HTMLElement>("h1");

function controlOf(main: Element, name: string): HTMLElement | null {
  const found = name.startsWith("#")
    ? document.getElementById(name.slice(1))
    : main.querySelector<HTMLElement>(`a[href="${CSS.escape(name)}"]`);
  return found ?? headingOf(main);
}

function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  // A page may have put the focus into its form already.
  if (document.activeElement?.matches("[autofocus]")) return;
  if (!element.matches("a, button, input, textarea, select, [tabindex]")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
