import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { LiveState } from "../../shared/entries.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { useLive } from "./use-live.ts";

const EmbedDialog = onDemand(() => import("./embed-dialog.tsx"));
const SummaryDialog = onDemand(() => import("./summary-dialog.tsx"));

interface Props {
  blog: BlogPage;
  live: LiveState;
}

/**
 * The buttons of a live blog's authors: its summary, its end, and reopening it; for its owner also whether other sites may show
 * it.
 */
export default function WriterActions({ blog, live }: Props) {
  const [hasSummary, setSummary] = useState(false);
  const [hasEmbed, setEmbed] = useState(false);
  const { isPending, end, reopen } = useLive(blog);
  return (
    <div className="entries-writer row wrap">
      <Button size="s" onClick={() => setSummary(true)}>
        {live.summary.length > 0 ? "Edit Summary" : "Add Summary"}
      </Button>
      {blog.mine && (
        <Button size="s" onClick={() => setEmbed(true)}>
          Embed…
        </Button>
      )}
      {live.ended === null ? (
        <Button size="s" busy={isPending} onClick={() => void end()}>
          End…
        </Button>
      ) : (
        <Button size="s" busy={isPending} onClick={reopen}>
          Reopen
        </Button>
      )}
      {hasEmbed && <EmbedDialog blog={blog} live={live} onClose={() => setEmbed(false)} />}
      {hasSummary && <SummaryDialog id={blog.id} summary={live.summary} onClose={() => setSummary(false)} />}
    </div>
  );
}
