import { useEffect, useLayoutEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router-dom";
import { elementAt } from "../ui/element-at.ts";

const reducedMotion = "(prefers-reduced-motion: reduce)";
/**
 * Duration of an article's fade-in after a link, in milliseconds. Not when going back: browsers may animate that themselves.
 */
const FADE_MS = 120;

/** The control last focused in each history entry: a link's address or an element's id. */
const focused = new Map<string, string | undefined>();

/**
 * Moves the focus after each navigation: to the address's fragment, back to the control that the reader left from, or to the
 * heading. React Router scrolls. A list with pages marks its heading with `data-focus`.
 */
export function useFocusOnNavigation(): void {
  const location = useLocation();
  const navigationType = useNavigationType();
  const shownLocation = useRef(location);
  useLayoutEffect(() => {
    const before = shownLocation.current;
    shownLocation.current = location;
    const main = document.querySelector("main");
    if (before === location || !main) return;
    const isSamePath = before.pathname === location.pathname;
    if (navigationType === NavigationType.Pop) {
      const control = focused.get(location.key);
      focusOn((control && controlOf(main, control)) || headingOf(main));
      return;
    }
    const isReached =
      navigationType === NavigationType.Push && !isSamePath && location.pathname.startsWith("/blog/");
    if (isReached && !matchMedia(reducedMotion).matches) main.animate({ opacity: [0, 1] }, FADE_MS);
    const anchor = elementAt(location.hash);
    if (anchor) return focusOn(anchor);
    // Neither a fragment without an element nor a link to the same address moves anything.
    if (isSamePath && (location.hash !== "" || before.search === location.search)) return;
    const focusTarget = isSamePath ? main.querySelector<HTMLElement>("[data-focus]") : null;
    focusTarget?.scrollIntoView();
    focusOn(focusTarget ?? headingOf(main));
  }, [location, navigationType]);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      focused.set(
        shownLocation.current.key,
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
  // The page may have focused its form.
  if (document.activeElement?.matches("[autofocus]")) return;
  if (!element.matches("a, button, input, textarea, select, [tabindex]")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
