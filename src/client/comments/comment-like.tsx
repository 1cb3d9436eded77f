import type { SeenComment } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { ownChanges } from "../live/live.ts";
import { askToSignIn } from "../session/failure.ts";
import { useNavigate } from "../ui/location.ts";
import { SwitchButton } from "../ui/switch-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useViewer } from "../session/viewer.ts";
import { commentActs } from "./acts.ts";

/** The heart under a comment. */
export function CommentLike({ comment: { id, blogId, liked, likesCount } }: { comment: SeenComment }) {
  const { client } = trpc.useUtils();
  const viewer = useViewer();
  const navigate = useNavigate();
  const press = (): void => {
    if (!viewer) return askToSignIn("Please sign in to like this comment", navigate);
    void ownChanges().do(commentActs({ client, navigate }).like, { id, blogId, liked: !liked });
  };
  return (
    <SwitchButton name="Like" on={liked} count={likesCount} unit="like" kind="like" onClick={press}>
      <Icon name={liked ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
