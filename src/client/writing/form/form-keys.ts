import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";
import { audienceOfFields, validateFields } from "./blog-fields.ts";
import type { DraftSession } from "../draft-session.ts";

interface ShortcutOptions {
  form: RefObject<HTMLFormElement | null>;
  session: DraftSession;
  maySend: boolean;
  isShown: boolean;
  openSheet: () => void;
}

/** Ctrl+Enter sends the form and Ctrl+S saves; on a Mac with the command key. */
export function useSubmitShortcuts({ form, session, maySend, isShown, openSheet }: ShortcutOptions): void {
  /** Outside the sheet only opens it: one slip of the keyboard publishes nothing. */
  const send = (target: EventTarget | null) => {
    if (!maySend) return;
    const now = session.all();
    const sheet = form.current?.querySelector<HTMLElement>(".publish-sheet");
    const isOver = Object.keys(validateFields(now)).length > 0;
    if (isOver || audienceOfFields(now) === "nobody" || sheet?.contains(target as Node))
      return form.current?.requestSubmit();
    openSheet();
    // If it is open already.
    sheet?.focus();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (!event.repeat) send(event.target);
    } else if (event.key === "s" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void session.sendAll();
    }
  });
  useEffect(() => {
    // On the element itself: React's events also bubble from popovers elsewhere in the page.
    const element = form.current;
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, [form, isShown]);
}

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
    const end = new AbortController();
    const options = { capture: true, signal: end.signal };
    window.addEventListener("keydown", typed, options);
    for (const name of ["pointerdown", "focusin"]) window.addEventListener(name, left, options);
    return () => end.abort();
  }, []);
}

/** Enter in a field of the blog's form does not send the form; with Ctrl or Command it does. */
export function ignoreEnter(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "preventDefault">,
): void {
  if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
}
