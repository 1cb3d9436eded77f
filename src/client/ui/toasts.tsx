import { useEffect, useState } from "react";
import { ExternalStore, useStore } from "./external-store.ts";
import { ToastCard } from "./toast-card.tsx";
import "./toasts.css";

export interface Toast {
  message: string;
  kind?: "plain" | "success" | "error";
  action?: Act;
  /** What may be done instead. */
  another?: Act;
}

interface Act {
  label: string;
  run: () => void;
}

const shown = new ExternalStore<(Toast & { id: number }) | null>(null);
let count = 0;

/**
 * Says something at the bottom of the page, at once: what was being said there goes, and what it offered with it. So what
 * is offered always concerns what was done last. Browser only.
 */
export function toast(message: Toast): void {
  shown.set({ ...message, id: ++count });
}

/** Says what was done, and offers to take it back. Browser only. */
export const toastWithUndo = (message: string, undo: () => void): void =>
  toast({ kind: "success", message, action: { label: "Undo", run: undo } });

/** Takes back what is being said: it was for somebody else. */
export function clearToasts(): void {
  shown.set(null);
}

/** The live region: it must stand in the page before anything is put into it, or nothing is announced. */
export function Toasts() {
  const current = useStore(shown);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="toasts" role="status" aria-live="polite" aria-atomic="true">
      {ready && current && (
        <ToastCard key={current.id} toast={current} onEnd={() => shown.get() === current && clearToasts()} />
      )}
    </div>
  );
}
