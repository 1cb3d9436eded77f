import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { audienceOf, validateFields } from "./blog-fields.ts";
import type { DraftSession } from "../../writing/draft-session.ts";

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
    if (isOver || audienceOf(now) === 0 || sheet?.contains(target as Node))
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
