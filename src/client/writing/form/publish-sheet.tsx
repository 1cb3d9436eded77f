import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import { isComposing } from "../../ui/composing.ts";
import { Icon } from "../../ui/icon.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import "./publish-sheet.css";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The panel for fields beside title and text; part of the form even while closed. In a wide window it is beside the text; in
 * others it covers the page, which is inert.
 */
export function PublishSheet({ title, isOpen, onClose, children }: Props) {
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const isBeside = useMediaQuery("(min-width: 80rem)");

  useLayoutEffect(() => {
    if (!isOpen) return;
    before.current = document.activeElement;
    sheet.current?.focus({ preventScroll: true });
  }, [isOpen]);
  useLayoutEffect(
    () => (isOpen && !isBeside ? makeRestInert(container.current!) : undefined),
    [isOpen, isBeside],
  );

  const close = () => {
    const isInside = sheet.current?.contains(document.activeElement);
    onClose();
    // After the sheet is gone: until then nothing else takes the focus.
    if (isInside && before.current instanceof HTMLElement) {
      const last = before.current;
      requestAnimationFrame(() => last.focus({ preventScroll: true }));
    }
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    // An open list of people closes first.
    if (key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
    if ((target as Element).ariaExpanded === "true") return;
    event.preventDefault();
    close();
  });
  useEffect(() => {
    // On the element itself: React's events also bubble from popovers elsewhere in the page.
    const element = sheet.current;
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <div ref={container} className="publish" hidden={!isOpen}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- Escape does the same */}
      <div className="publish-shade" onClick={close} />
      <div
        ref={sheet}
        className="publish-sheet"
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-modal={!isBeside || undefined}
        tabIndex={-1}
      >
        <div className="row between gap-4 fixed">
          <h2 id={`${id}-title`} className="title-xl">
            {title}
          </h2>
          <button type="button" className="publish-close icon-button" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}

/** Makes the page inert except this element and the toasts; returns the cleanup. */
function makeRestInert(element: Element): () => void {
  const inert: Element[] = [];
  for (let at = element; at.parentElement && at !== document.body; at = at.parentElement)
    for (const other of at.parentElement.children) {
      if (other === at || other.hasAttribute("inert") || other.matches("script, style, link")) continue;
      if (other.matches(".toasts, .offline") || other.querySelector(".toasts, .offline")) continue;
      other.setAttribute("inert", "");
      inert.push(other);
    }
  return () => inert.forEach((other) => other.removeAttribute("inert"));
}
