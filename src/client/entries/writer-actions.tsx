import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { useLive } from "./use-live.ts";

const SummaryDialog = onDemand(() => import("./summary-dialog.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
}

/** What the authors of a live blog can do with all of it: its summary, its end, and going on after that. */
export default function WriterActions({ blog, live }: Props) {
  const [hasSummary, setSummary] = useState(false);
  const { isPending, end, goOn } = useLive(blog);
  return (
    <div className="entries-writer row wrap">
      <Button size="s" onClick={() => setSummary(true)}>
        {live.summary.length > 0 ? "Edit Summary" : "Add Summary"}
      </Button>
      {live.ended === null ? (
        <Button size="s" busy={isPending} onClick={() => void end()}>
          End…
        </Button>
      ) : (
        <Button size="s" busy={isPending} onClick={goOn}>
          Go On Air Again
        </Button>
      )}
      {hasSummary && <SummaryDialog id={blog.id} summary={live.summary} onClose={() => setSummary(false)} />}
    </div>
  );
}
