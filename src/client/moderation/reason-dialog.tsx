import { useId, useState } from "react";
import { staffLimits } from "../../shared/staff-limits.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

/** Asks a moderator why, in words that the person concerned will read, unless the label says otherwise. */
export default function ReasonDialog({
  title,
  body,
  action,
  label = "Reason (the person will see this)",
  onAnswer,
  onClose,
}: {
  title: string;
  body: string;
  action: string;
  label?: string;
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
          label={label}
          value={reason}
          maxLength={staffLimits.reports.words}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
