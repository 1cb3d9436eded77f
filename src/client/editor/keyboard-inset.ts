import { useEffect } from "react";
import type { RefObject } from "react";

/** Sets `--keyboard` to the height in pixels that an on-screen keyboard covers. */
export function useKeyboardInset(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const measure = () => {
      // Zooming in makes the visible part smaller too.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - seen.height - seen.offsetTop);
      element.current?.style.setProperty("--keyboard", `${Math.round(covered)}px`);
    };
    measure();
    seen.addEventListener("resize", measure);
    seen.addEventListener("scroll", measure);
    return () => {
      seen.removeEventListener("resize", measure);
      seen.removeEventListener("scroll", measure);
    };
  }, [element]);
}
