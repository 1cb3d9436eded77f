import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import type { FollowStatus, Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import { useViewer } from "../users/viewer.ts";
import { changeCachedFollow } from "./cached.ts";
import { askToSignIn, tellFailure } from "./failure.ts";
import { switchKey, useStanding, wishes } from "./standing.ts";

interface Props {
  person: Pick<Person, "id" | "name">;
  status: FollowStatus;
  /** A private account is asked first. Whoever may read a blog without following it reads a public one. */
  asksFirst?: boolean;
  followersCount?: number | null;
  /** Where it is the first thing to do on the page. */
  prominent?: boolean;
}

const names = { follow: "Follow", requested: "Requested", following: "Following" };

/** Follow, Requested or Following. Nobody has one for themselves. */
export function FollowButton({
  person,
  status,
  asksFirst = false,
  followersCount = null,
  prominent = false,
}: Props) {
  const key = switchKey.follow(person.id);
  const standing = { on: status !== "follow", count: followersCount };
  const shown = useStanding(key, standing);
  const viewer = useViewer();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const follow = trpc.useUtils().client.social.follow;
  if (status === "self" || viewer?.id === person.id) return null;

  const want = (wanted: boolean, from = standing): void => {
    let now: FollowStatus = status;
    wishes
      .want(
        key,
        wanted,
        from,
        async (on) => {
          const answer = await follow.mutate({ userId: person.id, follow: on });
          now = answer.status;
          return { on: answer.status !== "follow", count: answer.followersCount };
        },
        ({ count }) => changeCachedFollow(queryClient, person.id, now, count),
      )
      .then(() => {
        if (!from.on || now !== "follow") return;
        const message =
          status === "requested"
            ? `Your request to ${person.name} is withdrawn.`
            : `You no longer follow ${person.name}.`;
        toast({ message, action: { label: "Undo", run: () => want(true, { on: false, count: null }) } });
      })
      .catch((error: unknown) => tellFailure(error, navigate, () => want(wanted)));
  };

  const wished = shown.on ? (asksFirst ? "requested" : "following") : "follow";
  const current = shown.open ? (shown.on === standing.on ? status : wished) : status;
  return (
    <Button
      size={prominent ? "m" : "s"}
      kind={prominent && current === "follow" ? "primary" : "plain"}
      className="follow-button"
      onClick={() =>
        viewer ? want(!shown.on) : askToSignIn(`Please sign in to follow ${person.name}`, navigate)
      }
    >
      {names[current]}
    </Button>
  );
}
