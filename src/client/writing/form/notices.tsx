import type { ReactNode } from "react";
import { interruptedMessage } from "../../uploads/picture-upload.ts";
import { routes } from "../../../shared/routes.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { notSentTexts, signedOut } from "./save-failure.ts";
import type { Removal, Snapshot } from "../draft.ts";
import type { DraftSession } from "../draft-session.ts";
import { EmptyState } from "../../ui/empty.tsx";

function NoticeBar({
  children,
  actions,
  role = "status",
}: {
  children: ReactNode;
  actions?: ReactNode;
  role?: "status" | "alert";
}) {
  return (
    <div className="blog-form-notice text-column notice" role={role}>
      <p>{children}</p>
      {actions && <div className="row gap-1 to-end">{actions}</div>}
    </div>
  );
}

/** Leads to a new draft of what could not be saved. */
const KeptLink = ({ slug }: { slug: string | null }) => (
  <LinkButton size="s" to={slug === null ? "/my-blogs" : routes.edit(slug)}>
    {slug === null ? "My blogs" : "Open the draft"}
  </LinkButton>
);

const undoTexts = {
  discarded: "Discarded your unsaved changes.",
  "taken-up": "This is an earlier version. Readers don’t see it yet.",
};

interface Props {
  session: DraftSession;
  state: Pick<Snapshot, "notice" | "removed" | "sync" | "deviceState">;
  /** Readers see something else. */
  isChanged: boolean;
  /** The form is read-only. */
  isReading: boolean;
  onSignIn: () => void;
  isDiscarding: boolean;
  onDiscard: () => void;
  onAnother: () => void;
}

export function FormNotices({ session, state, isChanged, isReading, onSignIn, ...discarding }: Props) {
  const { notice, removed, sync } = state;
  // This device stores what the server lacks.
  const isStored = state.deviceState !== "failed";
  const discard = !isReading && (
    <Button size="s" busy={discarding.isDiscarding} onClick={discarding.onDiscard}>
      Discard
    </Button>
  );
  const close = (
    <button
      type="button"
      className="icon-button"
      aria-label="Close"
      onClick={() => session.show({ notice: null })}
    >
      <Icon name="close" size={18} />
    </button>
  );
  return (
    <>
      {notice?.kind === "restored" && (
        <NoticeBar
          actions={
            <>
              {notice.isNew && (
                <Button size="s" onClick={discarding.onAnother}>
                  Start another
                </Button>
              )}
              {discard}
              {close}
            </>
          }
        >
          Restored your unsaved changes.
          {notice.lost.map((name) => ` ${interruptedMessage(name)}`)}
        </NoticeBar>
      )}
      {notice && notice.kind in noticeTexts && (
        <NoticeBar>{noticeTexts[notice.kind as keyof typeof noticeTexts]}</NoticeBar>
      )}
      {notice?.kind === "kept" && (
        <NoticeBar
          actions={
            <>
              <KeptLink slug={notice.slug} />
              {close}
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
              {close}
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
      {sync.name === "signed-out" && (
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
      {isReading && (
        <NoticeBar>
          {session.open?.isSaved === false
            ? notSentTexts.full
            : "Eight people are already writing here. You can read along, and write once one leaves."}
        </NoticeBar>
      )}
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
  const isKept = typeof kept === "object";
  return (
    <NoticeBar role="alert" actions={<KeptLink slug={isKept ? kept.slug : null} />}>
      You are not an author of this blog any more{mayBeDeleted && ", or it was deleted"}: nobody gets what you
      write here. {isKept ? "What wasn’t saved is kept as a new draft." : keptTexts[kept]}
    </NoticeBar>
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
