import { useState } from "react";
import type { RefObject } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";
import { tellUpdateFailure } from "./update-failure.ts";
import { useViewer } from "./viewer.ts";

/** Drops a follower, and says in `removed` that it is its doing. Asked first: only they themselves can undo it. */
export function RemoveFollower({ person, removed }: { person: Person; removed: RefObject<boolean> }) {
  const { client, social } = trpc.useUtils();
  const viewer = useViewer();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    removed.current = true;
    try {
      const { message } = await client.social.removeFollower.mutate({ userId: person.id });
      toast({ kind: "success", message });
      // The list asks again when the own stream tells of it; without a connection it does so now.
      await social.people.invalidate();
    } catch (error) {
      removed.current = false;
      tellUpdateFailure(error, navigate, () => void remove(), messages.wrong);
    } finally {
      setBusy(false);
    }
  };
  const ask = async (): Promise<void> => {
    const what = viewer?.private
      ? "They lose sight of your blogs at once, and have to ask again."
      : "They are not told, and may follow you again.";
    if (
      await confirm({
        title: `Remove ${person.name} from your followers?`,
        body: what,
        action: "Remove",
        danger: true,
      })
    )
      await remove();
  };
  return (
    <Button size="s" kind="quiet" busy={busy} onClick={() => void ask()}>
      Remove<span className="visually-hidden"> {person.name}</span>
    </Button>
  );
}
