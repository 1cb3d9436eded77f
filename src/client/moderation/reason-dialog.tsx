import { useId, useState } from "react";
import { staffLimits } from "../../shared/staff-limits.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

const labels = {
  author: "Reason (the author will see this)",
  person: "Reason (this person will see it)",
  moderators: "Reason (only moderators see this)",
  log: "Reason (for the log)",
};

export default function ReasonDialog({
  title,
  body,
  action,
  readBy,
  onAnswer,
  onClose,
}: {
  title: string;
  body: string;
  action: string;
  readBy: keyof typeof labels;
  onAnswer: (reason: string) => void;
  onClose: () => void;
}) {
  const form = useId();
  const [reason, setReason] = useState("");
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="danger">
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="staff-why"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(reason.trim());
        }}
      >
        <p>{body}</p>
        <TextArea
          label={labels[readBy]}
          value={reason}
          maxLength={staffLimits.reports.words}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
