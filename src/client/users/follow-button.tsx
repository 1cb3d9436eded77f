import type { FollowStatus, Person } from "../../shared/users.ts";
import { Button } from "../ui/button.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";
import { useViewer } from "../session/viewer.ts";
import { useToggle } from "../session/use-toggle.ts";
import { follow } from "./user-mutations.ts";
import "./follow-button.css";

interface Props {
  person: Pick<Person, "id" | "name">;
  status: FollowStatus;
  /** A private account is asked first. Whoever may read a blog without following it reads a public one. */
  asksFirst?: boolean;
  /** Where it is the first thing to do on the page. */
  prominent?: boolean;
  /** What it says in place of its names, where more is to be said. */
  words?: Partial<Record<FollowStatus, string>>;
  /** Where there is another one for somebody: it says whom. */
  named?: boolean | undefined;
}

const names = { follow: "Follow", requested: "Requested", following: "Following" };

/** Follow, Requested or Following. Nobody has one for themselves. */
export function FollowButton({ person, status, asksFirst = false, prominent = false, words, named }: Props) {
  const viewer = useViewer();
  const press = useToggle({
    mutation: follow,
    input: { userId: person.id, on: status !== "follow", asksFirst },
    signIn: `Please sign in to follow ${person.name}`,
    onSettled: (answer, turn) => {
      if (answer.status !== "follow") return;
      const message =
        status === "requested"
          ? `You canceled your request to ${person.name}.`
          : `You no longer follow ${person.name}.`;
      toastWithUndo(message, () => turn(true));
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
      {words?.[status] ?? names[status]}
    </Button>
  );
}
