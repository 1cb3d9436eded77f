import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";

/**
 * If the form closes while its author types, ignores further keys: the site's single-key shortcuts would leave the page. Ends
 * when the author moves on, by pointer or key.
 */
export function useIgnoredTyping(form: RefObject<HTMLFormElement | null>, isClosed: boolean): void {
  const isTyping = useRef(false);
  const typed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Tab" || event.key === "Escape") isTyping.current = false;
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isClosed) isTyping.current = form.current?.contains(event.target as Node) ?? false;
    else if (isTyping.current) event.preventDefault();
  });
  useEffect(() => {
    const left = () => void (isTyping.current = false);
    window.addEventListener("keydown", typed, true);
    window.addEventListener("pointerdown", left, true);
    window.addEventListener("focusin", left, true);
    return () => {
      window.removeEventListener("keydown", typed, true);
      window.removeEventListener("pointerdown", left, true);
      window.removeEventListener("focusin", left, true);
    };
  }, []);
}
