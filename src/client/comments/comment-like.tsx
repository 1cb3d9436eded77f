import { useNavigate } from "react-router-dom";
import type { SeenComment } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { askToSignIn, tellFailure } from "../social/failure.ts";
import { switchKey, useStanding, wishes } from "../social/standing.ts";
import { SwitchButton } from "../social/switch-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useViewer } from "../users/viewer.ts";
import { changeComments } from "./cache.ts";

/** The heart under a comment. */
export function CommentLike({ comment }: { comment: SeenComment }) {
  const key = switchKey.commentLike(comment.id);
  const standing = { on: comment.liked, count: comment.likesCount };
  const shown = useStanding(key, standing);
  const viewer = useViewer();
  const navigate = useNavigate();
  const cache = trpc.useUtils();

  const want = (liked: boolean): void => {
    wishes
      .want(
        key,
        liked,
        standing,
        async (on) => {
          const answer = await cache.client.comments.like.mutate({ id: comment.id, liked: on });
          return { on: answer.liked, count: answer.likesCount };
        },
        ({ on, count }) =>
          changeComments(cache, comment.blogId, (list) => ({
            ...list,
            comments: list.comments.map((known) =>
              known.id === comment.id
                ? { ...known, liked: on, likesCount: count ?? known.likesCount }
                : known,
            ),
          })),
      )
      .catch((error: unknown) => tellFailure(error, navigate, () => want(liked)));
  };

  return (
    <SwitchButton
      name="Like"
      on={shown.on}
      count={shown.count}
      unit="like"
      kind="like"
      onClick={() =>
        viewer ? want(!shown.on) : askToSignIn("Please sign in to like this comment", navigate)
      }
    >
      <Icon name={shown.on ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
