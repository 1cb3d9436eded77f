import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "./button.tsx";
import type { Question } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";

/** The harmless answer has the focus: Enter pressed in haste deletes nothing. */
export default function ConfirmDialog({
  question,
  onAnswer,
}: {
  question: Question;
  onAnswer: (yes: boolean) => void;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !question.byKeys) return;
    const anew = !event.repeat && (event.ctrlKey || event.metaKey);
    // Keys that are still held from asking answer nothing, not even the button that has the focus.
    if (event.repeat || anew) event.preventDefault();
    if (anew) onAnswer(true);
  });
  useEffect(() => {
    document.addEventListener("keydown", pressed, { capture: true });
    return () => document.removeEventListener("keydown", pressed, { capture: true });
  }, []);
  return (
    <Dialog
      alert
      title={question.title}
      onClose={() => onAnswer(false)}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={() => onAnswer(false)}>
            Cancel
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
