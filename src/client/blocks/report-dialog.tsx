import { staffLimits } from "../../shared/staff-limits.ts";
import { trpc } from "../api/trpc.ts";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { FormDialog } from "../auth/form-dialog.tsx";
import { reportReasons } from "./report-reasons.ts";
import type { Reportable } from "./report.tsx";
import { useFormSubmit } from "../auth/use-form-submit.ts";
import "./report-dialog.css";

type Reason = keyof typeof reportReasons | "appeal";

/** Reports to the moderators. The input stays until it has arrived. */
export default function ReportDialog({ what, onClose }: { what: Reportable; onClose: () => void }) {
  const reporting = trpc.moderation.report.useMutation();
  const sending = useFormSubmit();
  const { send, refuse, textOf, box } = sending;

  const report = (): void => {
    const [reason, body] = [what.appeal ? "appeal" : textOf("reason"), textOf("body").trim()];
    const isWrong = refuse({
      "": reason === "" && "Please choose a reason.",
      body: what.appeal && body === "" && "Please say why it should be restored.",
    });
    if (isWrong) return;
    send(async () => {
      const { kind, id } = what;
      const { message } = await reporting.mutateAsync({
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
      title={what.appeal ? "Request a review" : titles[what.kind]}
      action={what.appeal ? "Send request" : "Report"}
      sending={sending}
      onClose={onClose}
      onSubmit={report}
    >
      <p>
        {what.appeal ? (
          <>
            Moderators took down “<bdi>{what.name}</bdi>”. Tell them why it should be restored.
          </>
        ) : (
          <>
            Moderators will review your report. <bdi>{what.name}</bdi> won’t learn who sent it.
          </>
        )}
      </p>
      {!what.appeal && (
        <fieldset className="report-reasons">
          <legend>Reason</legend>
          {Object.entries(reportReasons).map(([reason, text]) => (
            <label key={reason}>
              <input type="radio" name="reason" value={reason} onInput={box("reason").onInput} />
              {text}
            </label>
          ))}
        </fieldset>
      )}
      <TextArea
        label={what.appeal ? "Why" : "Details for the moderators (optional)"}
        maxLength={staffLimits.reports.words}
        {...box("body")}
        required={what.appeal === true}
      />
    </FormDialog>
  );
}

const titles = { blog: "Report this blog", comment: "Report this comment", profile: "Report this person" };
