import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import { allRead } from "./notices.ts";

/** Takes the mark from every notice, here at once and in the other tabs by their streams. */
export function ReadAll() {
  const { client, social } = trpc.useUtils();
  const readAll = (): void => {
    social.notices.setData(undefined, (known) => known && allRead(known));
    client.social.readNotices.mutate({}).catch((error: unknown) => {
      void social.notices.invalidate(undefined, { refetchType: "all" });
      toast({
        kind: "error",
        message: errorMessage(error, messages.wrong),
        action: { label: "Retry", run: readAll },
      });
    });
  };
  return (
    <Button kind="quiet" size="s" onClick={readAll}>
      Mark all read
    </Button>
  );
}
