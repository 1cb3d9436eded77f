import type { ViewerComment } from "../../shared/comments.ts";
import { useToggle } from "../session/use-toggle.ts";
import { Icon } from "../ui/icon.tsx";
import { SwitchButton } from "../ui/switch-button.tsx";
import { likeComment } from "./comment-mutations.ts";

export function CommentLike({ comment: { id, blogId, liked: on, likesCount } }: { comment: ViewerComment }) {
  const press = useToggle({
    mutation: likeComment,
    input: { id, blogId, on },
    signIn: "Please sign in to like this comment",
  });
  return (
    <SwitchButton name="Like" on={on} count={likesCount} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
