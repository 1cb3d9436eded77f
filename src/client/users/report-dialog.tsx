import { useId, useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { reportReasons } from "./report-reasons.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import type { Reportable } from "./report.tsx";
import "./report-dialog.css";

type Chosen = keyof typeof reportReasons;

/** Asks why, and tells the moderators. What was written stays until it has arrived. */
export default function ReportDialog({ what, onClose }: { what: Reportable; onClose: () => void }) {
  const form = useId();
  const { client } = trpc.useUtils();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    if (!what.appeal && chosen === null) return setProblem("Please choose what is wrong with it.");
    if (what.appeal && words.trim() === "") return setProblem("Please say why it should be read again.");
    setSending(true);
    try {
      const { kind, id } = what;
      const reason = what.appeal ? "appeal" : (chosen ?? "other");
      const { message } = await client.moderation.report.mutate({ kind, id, reason, words: words.trim() });
      onClose();
      toast({ kind: "success", message });
    } catch (error) {
      setSending(false);
      setProblem(unsureMessage(error, messages.wrong));
    }
  };
  return (
    <Dialog
      title={what.appeal ? "Ask for another look" : titles[what.kind]}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" busy={sending}>
            {what.appeal ? "Ask" : "Report"}
          </Button>
        </>
      }
    >
      <form id={form} className="report" noValidate onSubmit={(event) => void send(event)}>
        <p>
          {what.appeal ? (
            <>
              The moderators took back “<bdi>{what.name}</bdi>”. Tell them why it should be read again.
            </>
          ) : (
            <>
              The moderators will look at it. <bdi>{what.name}</bdi> is not told who reported it.
            </>
          )}
        </p>
        {!what.appeal && (
          <fieldset className="report-reasons">
            <legend>What is wrong with it?</legend>
            {Object.entries(reportReasons).map(([reason, text]) => (
              <label key={reason}>
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  checked={chosen === reason}
                  onChange={() => {
                    setChosen(reason as Chosen);
                    setProblem(null);
                  }}
                />
                {text}
              </label>
            ))}
          </fieldset>
        )}
        <TextArea
          label={what.appeal ? "Why" : "Anything the moderators should know (optional)"}
          value={words}
          maxLength={staffLimits.reports.words}
          error={problem}
          onChange={(event) => {
            setWords(event.target.value);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}

const titles = { blog: "Report this blog", comment: "Report this comment", profile: "Report this person" };
