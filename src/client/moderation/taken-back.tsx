import type { BlogPage } from "../../shared/blogs.ts";
import { Button } from "../ui/button.tsx";
import { askToReport } from "../users/report.tsx";
import "./taken-back.css";

/** Tells an author that moderators took the blog back, why, and how to ask them to look again. */
export default function TakenBack({
  blog: { id, title, coAuthors },
  reason,
}: {
  blog: BlogPage;
  reason: string;
}) {
  return (
    <aside className="taken-back" aria-label="Taken back">
      <p>
        <strong>The moderators took this blog back.</strong> It is a draft that{" "}
        {coAuthors ? "its authors" : "you"} alone can read. You can change it, and ask them to look again.
      </p>
      {reason && (
        <p dir="auto">
          They say: <q>{reason}</q>
        </p>
      )}
      <Button size="s" onClick={() => askToReport({ kind: "blog", id, name: title, appeal: true })}>
        Ask for another look
      </Button>
    </aside>
  );
}
