import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import type { BlogCard } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Icon } from "../ui/icon.tsx";
import { useViewer } from "../users/viewer.ts";
import { changeCachedBlog } from "./cached.ts";
import { askToSignIn, tellFailure } from "./failure.ts";
import { switchKey, useStanding, wishes } from "./standing.ts";
import { SwitchButton } from "./switch-button.tsx";

/** The heart under a blog. A guest is asked to sign in. */
export function LikeButton({ blog }: { blog: Pick<BlogCard, "id" | "liked" | "likesCount"> }) {
  const key = switchKey.like(blog.id);
  const standing = { on: blog.liked, count: blog.likesCount };
  const shown = useStanding(key, standing);
  const viewer = useViewer();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const like = trpc.useUtils().client.social.likeBlog;

  const want = (liked: boolean): void => {
    wishes
      .want(
        key,
        liked,
        standing,
        async (on) => {
          const answer = await like.mutate({ blogId: blog.id, liked: on });
          return { on: answer.liked, count: answer.likesCount };
        },
        ({ on, count }) =>
          changeCachedBlog(queryClient, blog.id, (known) => ({
            ...known,
            liked: on,
            likesCount: count ?? known.likesCount,
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
      onClick={() => (viewer ? want(!shown.on) : askToSignIn(messages.likeSignIn, navigate))}
    >
      <Icon name={shown.on ? "heart-filled" : "heart"} />
    </SwitchButton>
  );
}
