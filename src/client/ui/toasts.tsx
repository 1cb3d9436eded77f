import { useEffect, useState, useSyncExternalStore } from "react";
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

let shown: (Toast & { id: number }) | null = null;
let count = 0;
const listeners = new Set<() => void>();
const change = (next: typeof shown): void => {
  shown = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Says something at the bottom of the page, at once: what was being said there goes, and what it offered with it. So what
 * is offered always concerns what was done last. Browser only.
 */
export function toast(message: Toast): void {
  change({ ...message, id: ++count });
}

/** Takes back what is being said: it was for somebody else. */
export function clearToasts(): void {
  change(null);
}

export function useToast(): typeof toast {
  return toast;
}

/** The live region: it must stand in the page before anything is put into it, or nothing is announced. */
export function Toasts() {
  const current = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="toasts" role="status" aria-live="polite" aria-atomic="true">
      {ready && current && (
        <ToastCard key={current.id} toast={current} onEnd={() => shown === current && change(null)} />
      )}
    </div>
  );
}
