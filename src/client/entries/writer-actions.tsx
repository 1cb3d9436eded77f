import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { toast } from "../ui/toasts.tsx";

const SummaryDialog = onDemand(() => import("./summary-dialog.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
}

/** The summary of a live blog, and going on after its end, for its authors (its end: on-air-bar.tsx). */
export default function WriterActions({ blog: { id }, live }: Props) {
  const [hasSummary, setSummary] = useState(false);
  const choose = trpc.blogs.setLive.useMutation({
    onError: (error) => toast({ message: errorMessage(error, messages.connection), kind: "error" }),
  });
  return (
    <div className="entries-writer row wrap">
      <Button size="s" onClick={() => setSummary(true)}>
        {live.summary.length > 0 ? "Edit Summary" : "Add Summary"}
      </Button>
      {live.ended !== null && (
        <Button size="s" busy={choose.isPending} onClick={() => choose.mutate({ id, live: true })}>
          Go On Air Again
        </Button>
      )}
      {hasSummary && <SummaryDialog id={id} summary={live.summary} onClose={() => setSummary(false)} />}
    </div>
  );
}
