import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { RelativeTime } from "../ui/time.tsx";
import type { Entry, Notice, Work } from "./blog-form-session.ts";

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
  /** The blog was saved from somewhere else while it was open here. */
  changedElsewhere: boolean;
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
          {notice.outdated &&
            " The blog was saved elsewhere since then: updating it here replaces that version."}
        </Strip>
      )}
      {notice?.kind === "discarded" && (
        <Strip
          actions={
            <Button size="s" onClick={() => onUndo(notice.aside)}>
              Undo
            </Button>
          }
        >
          Discarded what you had not saved.
        </Strip>
      )}
      {changedElsewhere && (
        <Strip actions={null}>
          This blog was just saved from somewhere else. Updating it here replaces that version.
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
