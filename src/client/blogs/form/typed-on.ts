import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";

/**
 * Whoever is in mid-sentence when the form closes types on, with the focus nowhere: none of these keys is one of the site's single
 * keys, which would lead away from what the form says. They are again once that person has gone elsewhere, by pointer or key.
 */
export function useTypedOn(form: RefObject<HTMLFormElement | null>, isClosed: boolean): void {
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
