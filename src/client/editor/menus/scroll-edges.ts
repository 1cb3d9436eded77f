import { useEffect } from "react";
import type { RefObject } from "react";

/** Sets `data-before` and `data-after` while there is more to scroll to. */
export function useScrollEdges(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const hidden = element.scrollWidth - element.clientWidth;
      element.toggleAttribute("data-before", element.scrollLeft > 1);
      element.toggleAttribute("data-after", element.scrollLeft < hidden - 1);
    };
    const sizes = new ResizeObserver(measure);
    for (const part of [element, ...element.children]) sizes.observe(part);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller]);
}
