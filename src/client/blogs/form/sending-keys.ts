import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { audienceOf, problemsOf } from "./values.ts";
import type { WritingSession } from "./writing-session.ts";

interface Keys {
  form: RefObject<HTMLFormElement | null>;
  session: WritingSession;
  /** What stands elsewhere can't be brought together with it: that is asked first. */
  isApart: boolean;
  /** It can be sent just now. */
  maySend: boolean;
  /** The form is drawn. */
  isShown: boolean;
  openSheet: () => void;
}

/** Ctrl and Enter send the form, Ctrl and S save what is written; on a Mac with its command key. */
export function useSendingKeys({ form, session, isApart, maySend, isShown, openSheet }: Keys): void {
  /** One slip of the keyboard publishes nothing: the keys open the sheet, which says who may read it, and pressed anew in it they send it. */
  const send = (target: EventTarget | null) => {
    if (!maySend) return;
    const now = session.all();
    const sheet = form.current?.querySelector<HTMLElement>(".publish-sheet");
    const isOver = isApart || Object.keys(problemsOf(now)).length > 0;
    if (isOver || audienceOf(now) === 0 || sheet?.contains(target as Node))
      return form.current?.requestSubmit();
    openSheet();
    // Where it stands open already.
    sheet?.focus();
  };

  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (!event.repeat) send(event.target);
    } else if (event.key === "s" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void session.settle();
    }
  });
  useEffect(() => {
    // On the element itself: React's events would come from popovers, too, which hang elsewhere in the page.
    const element = form.current;
    element?.addEventListener("keydown", pressed);
    return () => element?.removeEventListener("keydown", pressed);
  }, [form, isShown]);
}
