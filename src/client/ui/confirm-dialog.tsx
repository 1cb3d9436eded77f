import { useRef } from "react";
import { Button } from "./button.tsx";
import type { Question } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";

/** Focuses Cancel: a hasty Enter deletes nothing. */
export default function ConfirmDialog({
  question,
  onAnswer,
}: {
  question: Question;
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      alert
      title={question.title}
      onClose={() => onAnswer(false)}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={() => onAnswer(false)}>
            {question.cancel ?? "Cancel"}
          </Button>
          <Button kind={question.danger ? "danger" : "primary"} onClick={() => onAnswer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      {question.body}
    </Dialog>
  );
}
