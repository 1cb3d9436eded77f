import type { RefObject } from "react";
import type { Person } from "../../shared/users.ts";
import { removeFollower } from "./profile-mutations.ts";
import { mutate } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";
import { useViewer } from "../session/viewer.ts";

/** Removes a follower after a question, since only they can undo it, and sets `removed`. */
export function RemoveFollower({ person, removed }: { person: Person; removed: RefObject<boolean> }) {
  const viewer = useViewer();
  const remove = async (): Promise<void> => {
    removed.current = true;
    const answer = await mutate(removeFollower, { id: person.id });
    if (answer) toast({ kind: "success", message: answer.message });
  };
  const confirmRemoval = async (): Promise<void> => {
    const body = viewer?.private
      ? "They can no longer see your blogs, and have to ask again."
      : "We won’t tell them, and they can follow you again.";
    if (
      await confirm({
        title: `Remove ${person.name} from your followers?`,
        body,
        action: "Remove",
        danger: true,
      })
    )
      await remove();
  };
  return (
    <Button size="s" kind="quiet" onClick={() => void confirmRemoval()}>
      Remove<span className="visually-hidden"> {person.name}</span>
    </Button>
  );
}
