import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import type { UnderWay } from "../../../uploads/sending.ts";
import type { WritingSession } from "../writing-session.ts";
import type { BlogFields } from "../values.ts";

const HistoryDialog = onDemand(() => import("./history-dialog.tsx"));

interface Props {
  session: WritingSession;
  blogId: string;
  held: () => BlogFields;
  heldKey: string;
  coverUnderWay: UnderWay | null;
}

/** Opens what the blog said before; what is taken up of it stands in the form, and is not saved by that. */
export function HistoryButton({ session, ...shown }: Props) {
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
          onRestore={(revision, said) => {
            setOpen(false);
            session.takeUpRevision(revision, said);
          }}
        />
      )}
    </>
  );
}
