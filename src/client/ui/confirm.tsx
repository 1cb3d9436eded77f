import { useEffect } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { ExternalStore, useStore } from "./external-store.ts";
import { onDemand } from "./on-demand.tsx";

export interface Question {
  title: string;
  body?: ReactNode;
  /** The confirming button's label: "Delete". */
  action: string;
  /** The other button's label; "Cancel" by default. */
  cancel?: string;
  danger?: boolean;
}

interface OpenQuestion extends Question {
  id: number;
  answer: (isConfirmed: boolean) => void;
}

const openQuestion = new ExternalStore<OpenQuestion | null>(null);
let count = 0;

/** Asks before an action that cannot be undone. Resolves to false when the dialog is closed or replaced. */
export function confirm(question: Question): Promise<boolean> {
  openQuestion.get()?.answer(false);
  return new Promise((resolve) => {
    const id = ++count;
    const answer = (isConfirmed: boolean): void => {
      if (openQuestion.get()?.id === id) openQuestion.set(null);
      resolve(isConfirmed);
    };
    openQuestion.set({ ...question, id, answer });
  });
}

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

/** Shows the question; mounted once, in the layout. */
export function ConfirmHost() {
  const question = useStore(openQuestion);
  // Leaving the page closes its question.
  const { key } = useLocation();
  useEffect(() => () => openQuestion.get()?.answer(false), [key]);
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
