import type { BlogPage } from "../../shared/blogs.ts";
import { Button } from "../ui/button.tsx";
import { askToReport } from "../blocks/report.tsx";
import "./takedown-notice.css";

/** Shows authors that moderators took the blog down, why, and how to request a review. */
export default function TakedownNotice({
  blog: { id, title, coAuthors },
  reason,
}: {
  blog: BlogPage;
  reason: string;
}) {
  return (
    <aside className="takedown-notice" aria-label="Taken down">
      <p>
        <strong>Moderators took this blog down.</strong> Only {coAuthors ? "its authors" : "you"} can see it.
        You can edit it and request a review.
      </p>
      {reason && (
        <p dir="auto">
          Reason: <q>{reason}</q>
        </p>
      )}
      <Button size="s" onClick={() => askToReport({ kind: "blog", id, name: title, appeal: true })}>
        Request a review
      </Button>
    </aside>
  );
}
