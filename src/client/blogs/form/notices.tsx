import type { ReactNode } from "react";
import { interrupted } from "../../uploads/sending.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import type { Entry, Notice, Work } from "./work.ts";

function Strip({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <div className="blog-form-notice" role="status">
      <p>{children}</p>
      <div className="blog-form-notice-actions">{actions}</div>
    </div>
  );
}

interface Props {
  notice: Notice;
  /** The blog was saved from somewhere else since this was begun. */
  changedElsewhere: boolean;
  onCompare: () => void;
  others: readonly Entry[];
  onDiscard: () => void;
  onUndo: (aside: Work) => void;
  onClose: () => void;
  onTakeUp: (entry: Entry) => void;
  onDrop: (entry: Entry) => void;
}

/** What the writer should know before going on: what came back, and what else waits on this device. */
export function FormNotices({
  notice,
  changedElsewhere,
  onCompare,
  others,
  onDiscard,
  onUndo,
  onClose,
  onTakeUp,
  onDrop,
}: Props) {
  return (
    <>
      {notice?.kind === "restored" && (
        <Strip
          actions={
            <>
              <Button size="s" onClick={onDiscard}>
                Discard
              </Button>
              <button type="button" className="blog-form-close" aria-label="Close" onClick={onClose}>
                <Icon name="close" size={18} />
              </button>
            </>
          }
        >
          Restored what you had not saved.
          {notice.lost.map((name) => ` ${interrupted(name)}`)}
        </Strip>
      )}
      {notice?.kind === "deleted" && (
        <Strip actions={null}>
          This blog was deleted elsewhere. What stands here is not lost: saving makes a new draft of it.
        </Strip>
      )}
      {(notice?.kind === "discarded" || notice?.kind === "settled") && (
        <Strip
          actions={
            <Button size="s" onClick={() => onUndo(notice.aside)}>
              Undo
            </Button>
          }
        >
          {notice.kind === "discarded"
            ? "Discarded what you had not saved."
            : "This is what you chose, and not saved yet where it differs."}
        </Strip>
      )}
      {changedElsewhere && (
        <Strip
          actions={
            <Button size="s" onClick={onCompare}>
              Compare
            </Button>
          }
        >
          This blog was changed elsewhere. What you wrote here is kept.
        </Strip>
      )}
      {others.length > 0 && (
        <details className="blog-form-others">
          <summary>
            {others.length === 1
              ? "Another unsaved blog is on this device"
              : `${others.length} more unsaved blogs are on this device`}
          </summary>
          <ul className="blog-form-other-list">
            {others.map((entry) => (
              <li key={entry.blogId}>
                <span>
                  {entry.fields.title.trim() || "Without a title"},{" "}
                  <RelativeTime at={new Date(entry.changedAt).toISOString()} />
                </span>
                <Button size="s" onClick={() => onTakeUp(entry)}>
                  Open
                </Button>
                <Button size="s" kind="quiet" onClick={() => onDrop(entry)}>
                  Delete
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
