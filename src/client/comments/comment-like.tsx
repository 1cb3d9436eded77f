import type { SeenComment } from "../../shared/comments.ts";
import { trpc } from "../api/trpc.ts";
import { switchKey } from "../social/standing.ts";
import { SwitchButton } from "../social/switch-button.tsx";
import { useSwitch } from "../social/use-switch.ts";
import { Icon } from "../ui/icon.tsx";
import { changeComments } from "./cache.ts";

/** The heart under a comment. */
export function CommentLike({ comment }: { comment: SeenComment }) {
  const cache = trpc.useUtils();
  const { on, count, press } = useSwitch({
    key: switchKey.commentLike(comment.id),
    standing: { on: comment.liked, count: comment.likesCount },
    send: async (wanted) => {
      const answer = await cache.client.comments.like.mutate({ id: comment.id, liked: wanted });
      return { on: answer.liked, count: answer.likesCount };
    },
    store: (settled) =>
      changeComments(cache, comment.blogId, (list) => ({
        ...list,
        comments: list.comments.map((known) =>
          known.id === comment.id
            ? { ...known, liked: settled.on, likesCount: settled.count ?? known.likesCount }
            : known,
        ),
      })),
    signIn: "Please sign in to like this comment",
  });
  return (
    <SwitchButton name="Like" on={on} count={count} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} size={16} />
    </SwitchButton>
  );
}
