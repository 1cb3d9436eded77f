import { useId, useState } from "react";
import { staffLimits } from "../../shared/staff-limits.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

const labels = {
  author: "Reason (the author will see this)",
  suspended: "Reason (this person will see it)",
  person: "Reason (optional, this person will see it)",
  moderators: "Reason (optional, only moderators see this)",
  log: "Reason (optional, for the log)",
};

export default function ReasonDialog({
  title,
  body,
  action,
  readBy,
  isDanger = true,
  initial = "",
  onAnswer,
  onClose,
}: {
  title: string;
  body: string;
  action: string;
  readBy: keyof typeof labels;
  isDanger?: boolean;
  /** A proposal for the reason. */
  initial?: string;
  onAnswer: (reason: string) => void;
  onClose: () => void;
}) {
  const form = useId();
  const [reason, setReason] = useState(initial);
  const [isMissing, setMissing] = useState(false);
  const isRequired = readBy === "author" || readBy === "suspended";
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind={isDanger ? "danger" : "primary"}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isRequired && reason.trim() === "") setMissing(true);
          else {
            onClose();
            onAnswer(reason.trim());
          }
        }}
      >
        <p>{body}</p>
        <TextArea
          label={labels[readBy]}
          value={reason}
          maxLength={staffLimits.reports.words}
          required={isRequired}
          error={isMissing ? "Please give a reason." : null}
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(false);
          }}
        />
      </form>
    </Dialog>
  );
}
