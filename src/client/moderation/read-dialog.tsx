import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { QueryResult } from "../ui/query-result.tsx";

/** A blog's text for moderators who cannot open its page: its author is limited, suspended or has blocked them. */
export default function ReadDialog({
  blogId,
  title,
  onClose,
}: {
  blogId: string;
  title: string;
  onClose: () => void;
}) {
  const query = trpc.moderation.readBlog.useQuery({ blogId });
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <QueryResult query={query} noun="the text">
        {({ text }) => (
          <div className="as-typed" dir="auto" role="region" aria-label="Its text">
            {text || <p className="note">This blog has no text.</p>}
          </div>
        )}
      </QueryResult>
    </Dialog>
  );
}
