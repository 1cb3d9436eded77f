import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { serverTime } from "../ui/clock.ts";
import { confirm } from "../ui/confirm.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { toast } from "../ui/toasts.tsx";
import { countText, durationText } from "./entries-head.tsx";

const SummaryDialog = onDemand(() => import("./summary-dialog.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
  total: number;
}

/** What the authors of a live blog can do with all of it: its summary, its end, and going on after that. */
export default function WriterActions({ blog: { id, title }, live, total }: Props) {
  const [hasSummary, setSummary] = useState(false);
  const isOnAir = live.ended === null;
  const choose = trpc.blogs.setLive.useMutation({
    onError: (error) => toast({ message: errorMessage(error, messages.connection), kind: "error" }),
  });
  const end = async (): Promise<void> => {
    const facts = `${durationText(live, serverTime())} · ${countText(total)}`;
    const isConfirmed = await confirm({
      title: `End “${title}”?`,
      body:
        total === 0
          ? "It has no entries yet, so it becomes an ordinary blog. You can start it again."
          : `Readers will see “Ended · ${facts}”, and the entries from the first to the last. You can go on later.`,
      action: "End",
    });
    if (isConfirmed) choose.mutate({ id, live: false });
  };
  return (
    <div className="entries-writer row wrap">
      <Button size="s" onClick={() => setSummary(true)}>
        {live.summary.length > 0 ? "Edit Summary" : "Add Summary"}
      </Button>
      {isOnAir ? (
        <Button size="s" busy={choose.isPending} onClick={() => void end()}>
          End Live Blog…
        </Button>
      ) : (
        <Button size="s" busy={choose.isPending} onClick={() => choose.mutate({ id, live: true })}>
          Go On Air Again
        </Button>
      )}
      {hasSummary && <SummaryDialog id={id} summary={live.summary} onClose={() => setSummary(false)} />}
    </div>
  );
}
