import { staffLimits } from "../../shared/staff-limits.ts";
import { trpc } from "../api/trpc.ts";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "../sign-in/form-dialog.tsx";
import { reportReasons } from "./report-reasons.ts";
import type { Reportable } from "./report.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";

type Reason = keyof typeof reportReasons | "appeal";

/** Reports to the moderators. The input stays until it has arrived. */
export default function ReportDialog({ target, onClose }: { target: Reportable; onClose: () => void }) {
  const reportMutation = trpc.moderation.report.useMutation();
  const sending = useFormSubmit();
  const { send, refuse, textOf, box } = sending;

  const report = (): void => {
    const [reason, body] = [target.appeal ? "appeal" : textOf("reason"), textOf("body").trim()];
    const isWrong = refuse({
      "": reason === "" && "Please choose a reason.",
      body: target.appeal && body === "" && "Please say why it should be restored.",
    });
    if (isWrong) return;
    send(async () => {
      const { kind, id } = target;
      const { message } = await reportMutation.mutateAsync({
        kind,
        id,
        reason: reason as Reason,
        body,
      });
      onClose();
      toast({ kind: "success", message });
    });
  };
  return (
    <FormDialog
      title={target.appeal ? "Ask for a review" : titles[target.kind]}
      action={target.appeal ? "Send request" : "Report"}
      sending={sending}
      onClose={onClose}
      onSubmit={report}
    >
      <p>
        {target.appeal ? (
          <>
            Moderators took down “<bdi>{target.name}</bdi>”. Tell them why it should be restored.
          </>
        ) : (
          <>
            Moderators will review your report. <bdi>{target.name}</bdi> won’t learn who sent it.
          </>
        )}
      </p>
      {!target.appeal && (
        <fieldset className="stack gap-1">
          <legend className="strong">Reason</legend>
          {Object.entries(reportReasons).map(([reason, text]) => (
            <label key={reason} className="field-choice">
              <input type="radio" name="reason" value={reason} onInput={box("reason").onInput} />
              {text}
            </label>
          ))}
        </fieldset>
      )}
      <TextArea
        label={target.appeal ? "Why" : "Details for the moderators (optional)"}
        maxLength={staffLimits.reports.words}
        {...box("body")}
        required={target.appeal === true}
      />
    </FormDialog>
  );
}

const titles = { blog: "Report this blog", comment: "Report this comment", profile: "Report this person" };
