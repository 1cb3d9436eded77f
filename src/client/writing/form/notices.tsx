import type { ReactNode } from "react";
import { interruptedMessage } from "../../uploads/picture-upload.ts";
import { routes } from "../../../shared/routes.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { notSentTexts, signedOut } from "./save-failure.ts";
import type { FormNotice, Removal } from "../draft.ts";
import { EmptyState } from "../../ui/empty.tsx";

function NoticeBar({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <div className="blog-form-notice text-column notice" role="status">
      <p>{children}</p>
      <div className="row gap-1 to-end">{actions}</div>
    </div>
  );
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label="Close" onClick={onClick}>
      <Icon name="close" size={18} />
    </button>
  );
}

const undoTexts = {
  discarded: "Discarded your unsaved changes.",
  "taken-up": "This is an earlier version. Readers don’t see it yet.",
};

interface Props {
  notice: FormNotice;
  /** Readers see something else. */
  isChanged: boolean;
  /** Nothing is sent before they sign in again. */
  isSignedOut: boolean;
  removed: Removal | null;
  /** This device stores what the server lacks. */
  isStored: boolean;
  /** The form is read-only. */
  isReading: boolean;
  onSignIn: () => void;
  isDiscarding: boolean;
  onDiscard: () => void;
  onAnother: () => void;
  onClose: () => void;
}

export function FormNotices({
  notice,
  isChanged,
  isSignedOut,
  isStored,
  removed,
  isReading,
  onSignIn,
  isDiscarding,
  onDiscard,
  onAnother,
  onClose,
}: Props) {
  const discard = !isReading && (
    <Button size="s" busy={isDiscarding} onClick={onDiscard}>
      Discard
    </Button>
  );
  return (
    <>
      {notice?.kind === "restored" && (
        <NoticeBar
          actions={
            <>
              {notice.isNew && (
                <Button size="s" onClick={onAnother}>
                  Start another
                </Button>
              )}
              {discard}
              <CloseButton onClick={onClose} />
            </>
          }
        >
          Restored your unsaved changes.
          {notice.lost.map((name) => ` ${interruptedMessage(name)}`)}
        </NoticeBar>
      )}
      {notice && notice.kind in noticeTexts && (
        <NoticeBar actions={null}>{noticeTexts[notice.kind as keyof typeof noticeTexts]}</NoticeBar>
      )}
      {notice?.kind === "kept" && (
        <NoticeBar
          actions={
            <>
              <LinkButton size="s" to={notice.slug === null ? "/my-blogs" : routes.edit(notice.slug)}>
                {notice.slug === null ? "My blogs" : "Open the draft"}
              </LinkButton>
              <CloseButton onClick={onClose} />
            </>
          }
        >
          Your changes couldn’t be merged with the blog as it is now. They’re kept as a new draft.
        </NoticeBar>
      )}
      {notice && "undo" in notice && (
        <NoticeBar
          actions={
            <>
              <Button size="s" onClick={notice.undo}>
                Undo
              </Button>
              <CloseButton onClick={onClose} />
            </>
          }
        >
          {undoTexts[notice.kind]}
        </NoticeBar>
      )}
      {isChanged && !notice && (
        <NoticeBar actions={discard}>
          Unpublished changes: readers see the blog as it was published last.
        </NoticeBar>
      )}
      {isSignedOut && (
        <NoticeBar
          actions={
            // Leaving would lose what is not stored.
            isStored && (
              <Button size="s" onClick={onSignIn}>
                Sign in
              </Button>
            )
          }
        >
          {isStored
            ? signedOut
            : "You are signed out, and what you wrote is not kept on this device. Sign in in another tab, and stay here."}
        </NoticeBar>
      )}
      {removed && <RemovedNotice removal={removed} />}
    </>
  );
}

const noticeTexts = {
  deleted: "This blog was deleted on another device. Save to keep your text as a new draft.",
  ...notSentTexts,
};

const keptTexts = {
  nothing: "Everything you wrote before that was saved.",
  soon: "What wasn’t saved is being kept.",
  nowhere: "What wasn’t saved is kept nowhere else: copy it from here.",
};

/** Informs a removed co-author, whose unsaved changes are in a new draft. */
function RemovedNotice({ removal: { kept, mayBeDeleted } }: { removal: Removal }) {
  const slug = typeof kept === "object" ? kept.slug : null;
  return (
    <div className="blog-form-notice text-column notice" role="alert">
      <p>
        You are not an author of this blog any more{mayBeDeleted && ", or it was deleted"}: nobody gets what
        you write here.{" "}
        {typeof kept === "object" ? "What wasn’t saved is kept as a new draft." : keptTexts[kept]}
      </p>
      <div className="row gap-1 to-end">
        <LinkButton size="s" to={slug === null ? "/my-blogs" : routes.edit(slug)}>
          {slug === null ? "My blogs" : "Open the draft"}
        </LinkButton>
      </div>
    </div>
  );
}

/** Shown in place of the editor to members who may not publish. */
export function PublishingLimited() {
  return (
    <EmptyState
      title="Publishing is limited to approved writers on this site"
      action={<LinkButton to={routes.home()}>Find something to read</LinkButton>}
    >
      You can read, comment and like. Your existing blogs stay, and you can delete them.
    </EmptyState>
  );
}
