import { useEffect, useState } from "react";
import { ExternalStore, useStore } from "./external-store.ts";
import { ToastCard } from "./toast-card.tsx";
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
          toast={current}
          onEnd={() => currentToast.get() === current && clearToasts()}
        />
      )}
    </div>
  );
}
