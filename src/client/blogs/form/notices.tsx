import type { ReactNode } from "react";
import { interrupted } from "../../uploads/sending.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import type { Unfinished } from "../../../shared/writing.ts";
import { notWritten, signedOut } from "./save-failure.ts";
import type { FormNotice, Removal } from "./work.ts";
import { Removed } from "./removed.tsx";

function Strip({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <div className="blog-form-notice" role="status">
      <p>{children}</p>
      <div className="blog-form-notice-actions">{actions}</div>
    </div>
  );
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="blog-form-close" aria-label="Close" onClick={onClick}>
      <Icon name="close" size={18} />
    </button>
  );
}

const saidOfUndo = {
  discarded: "Discarded your unsaved changes.",
  "taken-up": "This is an earlier version. Readers don’t see it yet.",
};

interface Props {
  notice: FormNotice;
  /** Readers see something else than what stands here. */
  isChanged: boolean;
  /** What stands on the server can't be brought together with what stands here. */
  isApart: boolean;
  /** Nothing goes to the server before they sign in again. */
  isSignedOut: boolean;
  removed: Removal | null;
  /** This device has what the server has not. */
  isKept: boolean;
  others: readonly Unfinished[];
  onSignIn: () => void;
  onCompare: () => void;
  onDiscard: () => void;
  onAnother: () => void;
  onClose: () => void;
  onTakeUp: (id: string) => void;
}

/** What the writer should know before going on: what came back, and what else waits to be finished. */
export function FormNotices({
  notice,
  isChanged,
  isApart,
  isSignedOut,
  isKept,
  removed,
  others,
  onSignIn,
  onCompare,
  onDiscard,
  onAnother,
  onClose,
  onTakeUp,
}: Props) {
  return (
    <>
      {notice?.kind === "restored" && (
        <Strip
          actions={
            <>
              {notice.isNew && (
                <Button size="s" onClick={onAnother}>
                  Start another
                </Button>
              )}
              <Button size="s" onClick={onDiscard}>
                Discard
              </Button>
              <CloseButton onClick={onClose} />
            </>
          }
        >
          Restored your unsaved changes.
          {notice.lost.map((name) => ` ${interrupted(name)}`)}
        </Strip>
      )}
      {notice && notice.kind in saidOf && (
        <Strip actions={null}>{saidOf[notice.kind as keyof typeof saidOf]}</Strip>
      )}
      {notice && "undo" in notice && (
        <Strip
          actions={
            <>
              <Button size="s" onClick={notice.undo}>
                Undo
              </Button>
              <CloseButton onClick={onClose} />
            </>
          }
        >
          {saidOfUndo[notice.kind]}
        </Strip>
      )}
      {isChanged && !notice && (
        <Strip
          actions={
            <Button size="s" onClick={onDiscard}>
              Discard
            </Button>
          }
        >
          Unpublished changes: readers see the blog as it was published last.
        </Strip>
      )}
      {isSignedOut && (
        <Strip
          actions={
            // Leaving would lose what is kept nowhere.
            isKept && (
              <Button size="s" onClick={onSignIn}>
                Sign in
              </Button>
            )
          }
        >
          {isKept
            ? signedOut
            : "You are signed out, and what you wrote is not kept on this device. Sign in in another tab, and stay here."}
        </Strip>
      )}
      {removed && <Removed removal={removed} isKept={isKept} />}
      {isApart && (
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
            {others.length === 1 ? "Another unfinished blog" : `${others.length} more unfinished blogs`}
          </summary>
          <ul className="blog-form-other-list">
            {others.map(({ id, title, changedAt }) => (
              <li key={id}>
                <span>
                  <bdi>{title.trim() || "Untitled"}</bdi> <RelativeTime at={changedAt} />
                </span>
                <Button size="s" onClick={() => onTakeUp(id)}>
                  Open
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const saidOf = {
  deleted: "This blog was deleted on another device. Save to keep your text as a new draft.",
  ...notWritten,
};
