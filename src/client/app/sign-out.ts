import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { endSession } from "../session/session.ts";
import { useViewer } from "../session/viewer.ts";
import { codeLoader } from "../ui/fetch-code.ts";
import { toast } from "../ui/toasts.tsx";

const loadQuestion = codeLoader(() => import("./ask-to-delete-work.tsx"));

/**
 * Ends the session here and on the server, then goes to /signin (docs/specification.md, 2.10). Deletes unsent work after a
 * confirmation: the device may be shared.
 */
export function useSignOut(): () => Promise<void> {
  const signOut = trpc.users.signOut.useMutation();
  const viewer = useViewer();
  return async () => {
    try {
      // If the code cannot be loaded, this browser's next page deletes the work.
      const question = await loadQuestion().catch(() => null);
      if (question && viewer && !(await question.mayDeleteWork(viewer.id))) return;
      await endSession(() => signOut.mutateAsync());
    } catch (error) {
      toast({ kind: "error", message: errorMessage(error, messages.wrong) });
    }
  };
}
