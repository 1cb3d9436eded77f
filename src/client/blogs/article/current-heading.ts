import { useEffect } from "react";
import { elementAt } from "../../ui/element-at.ts";

/** In narrower windows the list is not visible while reading. */
const windowWithMargin = "(min-width: 80rem)";

/** Marks the heading being read in the table of contents. */
export default function CurrentHeading(): null {
  useEffect(() => {
    const wide = matchMedia(windowWithMargin);
    let frame = 0;
    const mark = (): void => {
      frame = 0;
      const contents = document.querySelector<HTMLElement>(".article > .contents");
      if (!contents || !wide.matches) return;
      const links = [...contents.querySelectorAll("a")];
      const current = links.findLast((link) => {
        const heading = elementAt(link.hash);
        return heading && heading.getBoundingClientRect().top < window.innerHeight / 3;
      });
      for (const link of links) if (link !== current) link.removeAttribute("aria-current");
      if (!current || current.hasAttribute("aria-current")) return;
      current.setAttribute("aria-current", "true");
      const list = current.closest("ol")!;
      if (list.scrollHeight > list.clientHeight)
        list.scrollTo({ top: current.offsetTop - list.clientHeight / 2, behavior: "instant" });
    };
    const scheduleUpdate = (): void => {
      frame ||= requestAnimationFrame(mark);
    };
    scheduleUpdate();
    addEventListener("scroll", scheduleUpdate, { passive: true });
    wide.addEventListener("change", scheduleUpdate);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", scheduleUpdate);
      wide.removeEventListener("change", scheduleUpdate);
    };
  }, []);
  return null;
}
