import type { FollowStatus, Person } from "../../shared/users.ts";
import { Button } from "../ui/button.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";
import { useViewer } from "../session/viewer.ts";
import { useToggle } from "../session/use-toggle.ts";
import { follow } from "./profile-mutations.ts";

interface Props {
  person: Pick<Person, "id" | "name">;
  status: FollowStatus;
  /** The account approves followers. Not set for a blog, which non-followers can only read of a public account. */
  asksFirst?: boolean;
  /** It is the page's main action. */
  prominent?: boolean;
  /** Labels in place of the default ones. */
  labels?: Partial<Record<FollowStatus, string>>;
  /** Adds the person's name to the label, to tell several buttons apart. */
  named?: boolean | undefined;
}

const names = { follow: "Follow", requested: "Requested", following: "Following" };

/** Follow, Requested or Following; nothing for the viewer's own account. */
export function FollowButton({ person, status, asksFirst = false, prominent = false, labels, named }: Props) {
  const viewer = useViewer();
  const press = useToggle({
    mutation: follow,
    input: { userId: person.id, on: status !== "follow", asksFirst },
    signIn: `Please sign in to follow ${person.name}`,
    onSettled: (answer, set) => {
      if (answer.status !== "follow") return;
      const message =
        status === "requested"
          ? `You canceled your request to ${person.name}.`
          : `You no longer follow ${person.name}.`;
      toastWithUndo(message, () => set(true));
    },
  });
  if (status === "self" || viewer?.id === person.id) return null;
  return (
    <Button
      size={prominent ? "m" : "s"}
      kind={prominent && status === "follow" ? "primary" : "plain"}
      className="follow-button"
      aria-label={named ? `${names[status]} ${person.name}` : undefined}
      onClick={press}
    >
      {labels?.[status] ?? names[status]}
    </Button>
  );
}
