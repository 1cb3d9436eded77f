import { useEffect } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { ExternalStore, useStore } from "./external-store.ts";
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

const asked = new ExternalStore<Asked | null>(null);
let count = 0;

/** Asks before what cannot be undone. Resolves false where the person closes the dialog or asks something else. */
export function confirm(question: Question): Promise<boolean> {
  asked.get()?.answer(false);
  return new Promise((resolve) => {
    const id = ++count;
    const answer = (yes: boolean): void => {
      if (asked.get()?.id === id) asked.set(null);
      resolve(yes);
    };
    asked.set({ ...question, id, answer });
  });
}

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

/** Where the question is shown; the layout holds the one there is. */
export function ConfirmHost() {
  const question = useStore(asked);
  // The question is of the page that it was asked in.
  const { key } = useLocation();
  useEffect(() => () => asked.get()?.answer(false), [key]);
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
