import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { endSession } from "../session/session.ts";
import { useViewer } from "../session/viewer.ts";
import { confirm } from "../ui/confirm.tsx";
import { codeLoader } from "../ui/fetch-code.ts";
import { toast } from "../ui/toasts.tsx";
import type { UnsavedWork } from "./device-work.ts";

const loadWork = codeLoader(() => import("./device-work.ts"));

/**
 * Ends the session here and on the server, then goes to /signin (docs/specification.md, 2.10). What was written on this device and
 * not sent goes with it, after a question: the device may be shared.
 */
export function useSignOut(): () => Promise<void> {
  const signOut = trpc.users.signOut.useMutation();
  const viewer = useViewer();
  return async () => {
    try {
      // Where the code can't be had the next page of this browser deletes what there is.
      const work =
        viewer &&
        (await loadWork().then(
          (code) => code.unsavedWork(viewer.id),
          () => null,
        ));
      if (work && !(await confirm(questionOf(work)))) return;
      await endSession(() => signOut.mutateAsync());
    } catch (error) {
      toast({ kind: "error", message: errorMessage(error, messages.wrong) });
    }
  };
}

function questionOf({ blogs, waiting, drafts }: UnsavedWork) {
  const lines = [
    [blogs, "blog with changes that aren’t saved", "blogs with changes that aren’t saved"],
    [waiting, "comment or like that isn’t sent yet", "comments or likes that aren’t sent yet"],
    [drafts, "comment that you began", "comments that you began"],
  ] as const;
  return {
    title: "Log out and delete unsaved work?",
    body: (
      <>
        <p>On this device you still have:</p>
        <ul>
          {lines.map(
            ([count, one, several]) =>
              count > 0 && (
                <li key={one}>
                  {count} {count === 1 ? one : several}
                </li>
              ),
          )}
        </ul>
        <p>They’re deleted when you log out, so nobody else who uses this device can read them.</p>
      </>
    ),
    action: "Log Out and Delete",
    danger: true,
  };
}
