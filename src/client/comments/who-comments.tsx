import { useNavigate } from "react-router-dom";
import type { BlogPage, Commenters } from "../../shared/blogs.ts";
import { trpc } from "../api/trpc.ts";
import { useOwnChanges } from "../live/live.ts";
import { tellFailure } from "../session/failure.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toasts.tsx";

/** Whether its author has this reader comment; of those who are signed in. Who follows is let in once the server knows it. */
export function useMayComment({ author, mine, follow, commentsFrom }: BlogPage): boolean {
  const key = `follow:${author.id}`;
  const isOnItsWay = useOwnChanges().some((one) => one.key === key && one.state !== "answered");
  return (
    mine ||
    commentsFrom === "everyone" ||
    commentsFrom === "approved" ||
    (commentsFrom === "followers" && follow === "following" && !isOnItsWay)
  );
}

const names: Record<Commenters, string> = {
  everyone: "Everybody may comment",
  approved: "Everybody, once let in",
  followers: "Followers may comment",
  nobody: "Talk closed",
};

/** Its author decides who comments. What was said stays. */
export function WhoComments({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const choice = trpc.blogs.setCommenters.useMutation({
    onSuccess: ({ message }) => toast({ kind: "success", message }),
    onError: (error, chosen) => tellFailure(error, navigate, () => choice.mutate(chosen)),
  });
  return (
    <Menu
      label={`Who may comment: ${names[blog.commentsFrom]}`}
      className="button button-quiet button-small"
      entries={(Object.keys(names) as Commenters[]).map((one) => ({
        label: one === "nobody" ? "Close the talk" : names[one],
        checked: one === blog.commentsFrom,
        run: () => choice.mutate({ id: blog.id, commentsFrom: one }),
      }))}
    >
      {names[blog.commentsFrom]}
      <Icon name="chevron-down" size={16} />
    </Menu>
  );
}
