import { useNavigate } from "react-router-dom";
import { messages } from "../../../shared/errors.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { saidOf } from "./sending.ts";
import type { WritingSession } from "./writing-session.ts";

/** Opens what is being written as its readers will see it, beside the form: one window for each blog, which follows what is written. */
export function PreviewButton({ session, blogId }: { session: WritingSession; blogId: string }) {
  const navigate = useNavigate();
  const open = async (): Promise<void> => {
    if (session.isNothing) return toast({ message: "There’s nothing to preview yet.", kind: "error" });
    const address = `/edit/${blogId}/preview`;
    // At once: browsers open no window for what comes long after the click.
    const preview = window.open("", `preview ${blogId}`);
    if (await session.settle().catch(() => false)) {
      if (!preview) await navigate(address);
      else if (pathOf(preview) !== address) preview.location.replace(address);
      return;
    }
    if (preview && pathOf(preview) === "blank") preview.close();
    const { sync } = session.snapshot();
    toast({ message: sync.name === "saved" ? messages.connection : saidOf(sync), kind: "error" });
  };
  return (
    <Button size="s" kind="quiet" onClick={() => void open()}>
      Preview
    </Button>
  );
}

/** Null where another site is shown by now. */
function pathOf(shown: Window): string | null {
  try {
    return shown.location.pathname;
  } catch {
    return null;
  }
}
