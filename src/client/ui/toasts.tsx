import { useEffect, useState, useSyncExternalStore } from "react";
import { ToastCard } from "./toast-card.tsx";
import "./toasts.css";

export interface Toast {
  message: string;
  kind?: "plain" | "success" | "error";
  action?: { label: string; run: () => void };
}

let queue: readonly (Toast & { id: number })[] = [];
let count = 0;
const listeners = new Set<() => void>();
const change = (next: typeof queue): void => {
  queue = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const none: typeof queue = [];

/** Says something at the bottom of the page, after what is being said there has gone. Browser only. */
export function toast(message: Toast): void {
  const last = queue[queue.length - 1];
  // Said twice in a row it is one message.
  if (last && last.message === message.message && !last.action) return;
  change([...queue, { ...message, id: ++count }]);
}

/** Takes back what offers this action: it needs no doing any more. */
export function dropToast(run: () => void): void {
  change(queue.filter(({ action }) => action?.run !== run));
}

/** Takes back what is being said and what waits: it was for somebody else. */
export function clearToasts(): void {
  change([]);
}

export function useToast(): typeof toast {
  return toast;
}

/** The live region: it must stand in the page before anything is put into it, or nothing is announced. */
export function Toasts() {
  const waiting = useSyncExternalStore(
    subscribe,
    () => queue,
    () => none,
  );
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const current = waiting[0];
  return (
    <div className="toasts" role="status" aria-live="polite" aria-atomic="true">
      {ready && current && (
        <ToastCard
          key={current.id}
          toast={current}
          hurry={waiting.length > 1}
          onEnd={() => change(queue.filter((one) => one.id !== current.id))}
        />
      )}
    </div>
  );
}
