import { useEffect, useState, useEffectEvent } from "react";
import { ExternalStore, useStore } from "./external-store.ts";
import { Icon } from "./icon.tsx";
import "./toasts.css";

export interface Toast {
  message: string;
  kind?: "plain" | "success" | "error";
  action?: ToastAction;
  /** An alternative action. */
  secondAction?: ToastAction;
}

interface ToastAction {
  label: string;
  run: () => void;
}

const currentToast = new ExternalStore<(Toast & { id: number }) | null>(null);
let count = 0;

/**
 * Shows a message at the bottom of the page in place of the previous one, so that its action always concerns the last change.
 * Browser only.
 */
export function toast(message: Toast): void {
  currentToast.set({ ...message, id: ++count });
}

/** Reports an action and offers to undo it. Browser only. */
export const toastWithUndo = (message: string, undo: () => void): void =>
  toast({ kind: "success", message, action: { label: "Undo", run: undo } });

/** Removes the message, for example when another person signs in. */
export function clearToasts(): void {
  currentToast.set(null);
}

/** The live region: it must be in the page before its first message, or nothing is announced. */
export function Toasts() {
  const current = useStore(currentToast);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="toasts" role="status" aria-live="polite" aria-atomic="true">
      {ready && current && (
        <ToastCard
          key={current.id}
          shown={current}
          onEnd={() => currentToast.get() === current && clearToasts()}
        />
      )}
    </div>
  );
}

const SHOWN_FOR = { plain: 5_000, success: 4_000, error: 8_000 };
const WITH_ACTION = 8_000;

/**
 * A message at the bottom of the page. Not loaded on demand: it often reports a missing network. Stays while it has pointer or
 * focus.
 */
function ToastCard({ shown, onEnd }: { shown: Toast; onEnd: () => void }) {
  const [isHovered, setHovered] = useState(false);
  const { kind = "plain", message, action, secondAction } = shown;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isHovered) return;
    const timer = setTimeout(() => end(), action ? WITH_ACTION : SHOWN_FOR[kind]);
    return () => clearTimeout(timer);
  }, [isHovered, action, kind]);
  return (
    <div
      className="row gap-3 small toast"
      data-kind={kind}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setHovered(true)}
      onBlur={() => setHovered(false)}
    >
      {kind !== "plain" && <Icon name={kind === "success" ? "check" : "warning"} />}
      <p className="toast-text">{message}</p>
      {[action, secondAction].map(
        (item) =>
          item && (
            <button
              key={item.label}
              type="button"
              className="target fixed strong underline toast-action"
              onClick={() => {
                onEnd();
                item.run();
              }}
            >
              {item.label}
            </button>
          ),
      )}
      <button type="button" className="stack center fixed toast-close" aria-label="Dismiss" onClick={onEnd}>
        <Icon name="close" />
      </button>
    </div>
  );
}
