import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import type { BlogCard } from "../../shared/blogs.ts";
import { trpc } from "../api/trpc.ts";
import { Icon } from "../ui/icon.tsx";
import { toast } from "../ui/toasts.tsx";
import { useViewer } from "../users/viewer.ts";
import { changeCachedBlog } from "./cached.ts";
import { askToSignIn, tellFailure } from "./failure.ts";
import { switchKey, useStanding, wishes } from "./standing.ts";
import { SwitchButton } from "./switch-button.tsx";

/** The bookmark of a blog. What is taken off the list can be put back for a while. */
export function SaveButton({
  blog,
  counted = false,
}: {
  blog: Pick<BlogCard, "id" | "saved" | "savesCount">;
  counted?: boolean;
}) {
  const key = switchKey.save(blog.id);
  const standing = { on: blog.saved, count: blog.savesCount };
  const shown = useStanding(key, standing);
  const viewer = useViewer();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const save = trpc.useUtils().client.social.saveBlog;

  const want = (saved: boolean, from = standing): void => {
    let settled = from;
    wishes
      .want(
        key,
        saved,
        from,
        async (on) => {
          const answer = await save.mutate({ blogId: blog.id, saved: on });
          return { on: answer.saved, count: answer.savesCount };
        },
        ({ on, count }) => {
          settled = { on, count: count ?? settled.count };
          changeCachedBlog(queryClient, blog.id, (known) => ({
            ...known,
            saved: on,
            savesCount: count ?? known.savesCount,
          }));
        },
      )
      .then(() => {
        if (from.on && !settled.on)
          toast({
            message: "Removed from your saved blogs.",
            action: { label: "Undo", run: () => want(true, settled) },
          });
      })
      .catch((error: unknown) => tellFailure(error, navigate, () => want(saved)));
  };

  return (
    <SwitchButton
      name="Save"
      on={shown.on}
      count={counted ? shown.count : null}
      unit="save"
      kind="save"
      onClick={() => (viewer ? want(!shown.on) : askToSignIn("Please sign in to save this blog", navigate))}
    >
      <Icon name={shown.on ? "bookmark-filled" : "bookmark"} />
    </SwitchButton>
  );
}
