import { useEffect, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { onDemand } from "./on-demand.tsx";

export interface Question {
  title: string;
  /** What will be lost. */
  body?: ReactNode;
  /** The button that does it: "Delete". */
  action: string;
  danger?: boolean;
}

interface Asked extends Question {
  id: number;
  answer: (yes: boolean) => void;
}

let asked: Asked | null = null;
let count = 0;
const listeners = new Set<() => void>();
const change = (next: Asked | null): void => {
  asked = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks before what cannot be undone. Resolves false where the person closes the dialog or asks something else. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    const id = ++count;
    const answer = (yes: boolean): void => {
      if (asked?.id === id) change(null);
      resolve(yes);
    };
    change({ ...question, id, answer });
  });
}

export function useConfirm(): typeof confirm {
  return confirm;
}

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

/** Where the question is shown; the layout holds the one there is. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    subscribe,
    () => asked,
    () => null,
  );
  // The question is of the page that it was asked in.
  const { key } = useLocation();
  useEffect(() => () => asked?.answer(false), [key]);
  return (
    question && (
      <ConfirmDialog
        key={question.id}
        question={question}
        onAnswer={question.answer}
        onFail={() => question.answer(false)}
      />
    )
  );
}
