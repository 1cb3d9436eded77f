import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import type { UploadState } from "../../../uploads/picture-upload.ts";
import type { WritingSession } from "../writing-session.ts";
import type { BlogFields } from "../blog-fields.ts";

const HistoryDialog = onDemand(() => import("./history-dialog.tsx"));

interface Props {
  session: WritingSession;
  blogId: string;
  formFields: () => BlogFields;
  formKey: string;
  /** The form is read-only. */
  isReading: boolean;
  coverUnderWay: UploadState | null;
  /** Drops a cover that is being uploaded. Returns a function that uploads it again. */
  onDropCover: () => () => void;
}

/** Opens the earlier versions. A restored one is only put into the form, not saved. */
export function HistoryButton({ session, onDropCover, ...shown }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="s" kind="quiet" onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && (
        <HistoryDialog
          {...shown}
          onClose={() => setOpen(false)}
          onFail={() => setOpen(false)}
          onRestore={(revision, fields) => {
            setOpen(false);
            // The version's own cover would be replaced when the upload ends.
            session.restoreRevision(revision, fields, onDropCover());
          }}
        />
      )}
    </>
  );
}
