import { useNavigate } from "react-router-dom";
import type { BlogPage, Commenters } from "../../shared/blogs.ts";
import { trpc } from "../api/trpc.ts";
import { usePendingMutations } from "../live/live.ts";
import { showFailure } from "../session/failure.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toasts.tsx";

/** Returns whether a signed-in reader can comment. A follow counts once the server has answered it. */
export function useMayComment({ author, mine, follow, commentsFrom }: BlogPage): boolean {
  const key = `follow:${author.id}`;
  const isOnItsWay = usePendingMutations().some((one) => one.key === key && one.state !== "answered");
  return (
    mine ||
    commentsFrom === "everyone" ||
    commentsFrom === "approved" ||
    (commentsFrom === "followers" && follow === "following" && !isOnItsWay)
  );
}

const names: Record<Commenters, string> = {
  everyone: "Everyone can comment",
  approved: "Everyone, after your approval",
  followers: "Followers can comment",
  nobody: "Comments are off",
};

/** The author’s menu of who can comment. Existing comments stay. */
export function WhoComments({ blog }: { blog: BlogPage }) {
  const navigate = useNavigate();
  const choice = trpc.blogs.setCommenters.useMutation({
    onSuccess: ({ message }) => toast({ kind: "success", message }),
    onError: (error, chosen) => showFailure(error, navigate, () => choice.mutate(chosen)),
  });
  return (
    <Menu
      label={`Who can comment: ${names[blog.commentsFrom]}`}
      className="button button-quiet button-small"
      entries={(Object.keys(names) as Commenters[]).map((one) => ({
        label: one === "nobody" ? "Turn off comments" : names[one],
        checked: one === blog.commentsFrom,
        run: () => choice.mutate({ id: blog.id, commentsFrom: one }),
      }))}
    >
      {names[blog.commentsFrom]}
      <Icon name="chevron-down" size={16} />
    </Menu>
  );
}
