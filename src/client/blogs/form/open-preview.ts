import { useNavigate } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { toast } from "../../ui/toasts.tsx";
import { unsentReason } from "./use-submit.ts";
import type { DraftSession } from "../../writing/draft-session.ts";

/** Returns a function that opens a preview: one window for each blog, which follows the changes. */
export function useOpenPreview(session: DraftSession, blogId: string): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    if (session.isEmptyNew) return toast({ message: "There’s nothing to preview yet.", kind: "error" });
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
