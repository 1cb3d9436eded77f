import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import type { UploadState } from "../../uploads/picture-upload.ts";
import type { BlogFields } from "../draft-fields.ts";
import type { DraftSession } from "../draft-session.ts";
import { useNavigate } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { toast } from "../../ui/toasts.tsx";
import { unsentReason } from "./use-submit.ts";

const HistoryDialog = onDemand(() => import("../../history/history-dialog.tsx"));

interface Props {
  session: DraftSession;
  blogId: string;
  /** The blog was saved before. */
  hasHistory: boolean;
  formFields: () => BlogFields;
  formKey: string;
  /** The form is read-only. */
  isReading: boolean;
  coverUnderWay: UploadState | null;
  /** Drops a cover that is being uploaded. Returns a function that uploads it again. */
  onDropCover: () => () => void;
}

/** History and preview: two buttons, on a phone a menu. A restored version is only put into the form, not saved. */
export function DraftActions({ session, hasHistory, onDropCover, ...shown }: Props) {
  const isPhone = useMediaQuery("(max-width: 39.99rem)");
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const openPreview = useOpenPreview(session, shown.blogId);
  const actions = [
    ...(hasHistory ? [{ label: "History", run: () => setHistoryOpen(true) }] : []),
    { label: "Preview", run: () => void openPreview() },
  ];
  return (
    <>
      {isPhone ? (
        <Menu label="More" className="blog-form-more icon-button" entries={actions}>
          <span aria-hidden="true">•••</span>
        </Menu>
      ) : (
        actions.map(({ label, run }) => (
          <Button key={label} size="s" kind="quiet" onClick={run}>
            {label}
          </Button>
        ))
      )}
      {isHistoryOpen && (
        <HistoryDialog
          {...shown}
          onClose={() => setHistoryOpen(false)}
          onRestore={(version, fields) => {
            setHistoryOpen(false);
            // The version's own cover would be replaced when the upload ends.
            session.restoreVersion(version, fields, onDropCover());
          }}
        />
      )}
    </>
  );
}

/** Returns a function that opens a preview: one window for each blog, which follows the changes. */
function useOpenPreview(session: DraftSession, blogId: string): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    if (session.open?.isEmptyNew !== false)
      return toast({ message: "There’s nothing to preview yet.", kind: "error" });
    const address = `/edit/${blogId}/preview`;
    // At once: browsers block a window that opens long after the click.
    const preview = window.open("", `preview ${blogId}`);
    if (await session.sendAll().catch(() => false)) {
      if (!preview) await navigate(address);
      else if (pathOf(preview) !== address) preview.location.replace(address);
      return;
    }
    if (preview && pathOf(preview) === "blank") preview.close();
    const { sync } = session.snapshot();
    toast({ message: sync.name === "saved" ? messages.connection : unsentReason(sync), kind: "error" });
  };
}

/** Null if it shows another site. */
function pathOf(shown: Window): string | null {
  try {
    return shown.location.pathname;
  } catch {
    return null;
  }
}
