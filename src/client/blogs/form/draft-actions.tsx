import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import type { UploadState } from "../../uploads/picture-upload.ts";
import type { BlogFields } from "../../writing/draft-fields.ts";
import { useOpenPreview } from "./open-preview.ts";
import type { DraftSession } from "../../writing/draft-session.ts";

const HistoryDialog = onDemand(() => import("./history/history-dialog.tsx"));

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
        <Menu label="More" className="blog-form-more" entries={actions}>
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
          onFail={() => setHistoryOpen(false)}
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
