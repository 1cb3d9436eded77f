import { useQueryClient } from "@tanstack/react-query";
import type { BlogCard } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Icon } from "../ui/icon.tsx";
import { changeCachedBlog } from "./cached.ts";
import { switchKey } from "./standing.ts";
import { SwitchButton } from "./switch-button.tsx";
import { useSwitch } from "./use-switch.ts";

/** The heart under a blog. A guest is asked to sign in. */
export function LikeButton({ blog }: { blog: Pick<BlogCard, "id" | "liked" | "likesCount"> }) {
  const queryClient = useQueryClient();
  const like = trpc.useUtils().client.social.likeBlog;
  const { on, count, press } = useSwitch({
    key: switchKey.like(blog.id),
    standing: { on: blog.liked, count: blog.likesCount },
    send: async (wanted) => {
      const { liked, likesCount } = await like.mutate({ blogId: blog.id, liked: wanted });
      return { on: liked, count: likesCount };
    },
    store: (settled) =>
      changeCachedBlog(queryClient, blog.id, (known) => ({
        ...known,
        liked: settled.on,
        likesCount: settled.count ?? known.likesCount,
      })),
    signIn: messages.likeSignIn,
  });
  return (
    <SwitchButton name="Like" on={on} count={count} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} />
    </SwitchButton>
  );
}
