import { useEffect, useLayoutEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router-dom";
import { elementAt } from "../ui/element-at.ts";

const calm = "(prefers-reduced-motion: reduce)";
/** Milliseconds in which an article that a link leads to fades in. Going back needs no fading: browsers may show their own. */
const FADE = 120;

/** Which control had the focus last in each entry of the history: a link's address or an element's id. */
const focused = new Map<string, string | undefined>();

/**
 * Puts the focus where the reader is in the page that was just drawn: to the part that the address names, back to the control that they
 * went on from, or to the page's heading. Scrolling is React Router's; a page that turns its own leaves (`/home?page=2`) marks with
 * `data-focus` the heading to go to.
 */
export function useArrival(): void {
  const location = useLocation();
  const way = useNavigationType();
  const shown = useRef(location);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = location;
    const main = document.querySelector("main");
    if (before === location || !main) return;
    const turned = before.pathname === location.pathname;
    if (way === NavigationType.Pop) {
      const control = focused.get(location.key);
      focusOn((control && controlOf(main, control)) || headingOf(main));
      return;
    }
    const isReached = way === NavigationType.Push && !turned && location.pathname.startsWith("/blog/");
    if (isReached && !matchMedia(calm).matches) main.animate({ opacity: [0, 1] }, FADE);
    const named = elementAt(location.hash);
    if (named) return focusOn(named);
    // What a link into the page that is shown names and nobody has moves nothing, nor does a page that leads to itself.
    if (turned && (location.hash !== "" || before.search === location.search)) return;
    const marked = turned ? main.querySelector<HTMLElement>("[data-focus]") : null;
    marked?.scrollIntoView();
    focusOn(marked ?? headingOf(main));
  }, [location, way]);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      focused.set(
        shown.current.key,
        target instanceof HTMLAnchorElement
          ? (target.getAttribute("href") ?? undefined)
          : target instanceof Element && target.id
            ? `#${target.id}`
            : undefined,
      );
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
}

const headingOf = (main: Element): HTMLElement | null => main.querySelector<HTMLElement>("h1");

const controlOf = (main: Element, name: string): HTMLElement | null =>
  name.startsWith("#")
    ? document.getElementById(name.slice(1))
    : main.querySelector<HTMLElement>(`a[href="${CSS.escape(name)}"]`);

function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  // A page may have put the focus into its form already.
  if (document.activeElement?.matches("[autofocus]")) return;
  if (!element.matches("a, button, input, textarea, select, [tabindex]")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
