import { useState } from "react";
import { entryLimits } from "../../shared/entries.ts";
import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";

interface Props {
  id: string;
  summary: readonly string[];
  onClose: () => void;
}

/** Edits the points above the entries, a line each. */
export default function SummaryDialog({ id, summary, onClose }: Props) {
  const [text, setText] = useState(summary.join("\n"));
  const [error, setError] = useState<string | null>(null);
  const save = trpc.blogs.setSummary.useMutation({
    onSuccess: onClose,
    onError: (failure) => setError(errorMessage(failure, messages.connection)),
  });
  const submit = (): void => {
    const points = text
      .split("\n")
      .map((point) => point.replace(/^\s*[-*•]\s*/, "").trim())
      .filter((point) => point !== "");
    const problem = problemOf(points);
    setError(problem);
    if (problem === null) save.mutate({ id, summary: points });
  };
  return (
    <Dialog
      title="Summary"
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={save.isPending} onClick={submit}>
            Save
          </Button>
        </>
      }
    >
      <TextArea
        label="What happened so far, a line for each point"
        rows={6}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
        }}
      />
    </Dialog>
  );
}

function problemOf(points: readonly string[]): string | null {
  const { points: most, length } = entryLimits.summary;
  if (points.length > most) return `A summary can have up to ${most} points.`;
  const long = points.find((point) => [...point].length > length);
  return long ? `A point can have up to ${length} characters: “${long.slice(0, 40)}…”` : null;
}
