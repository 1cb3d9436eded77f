import { useQueryClient } from "@tanstack/react-query";
import type { BlogCard } from "../../shared/blogs.ts";
import { shorten } from "../../shared/document/shorten.ts";
import { trpc } from "../api/trpc.ts";
import { Icon } from "../ui/icon.tsx";
import { toast } from "../ui/toasts.tsx";
import { changeCachedBlog } from "./cached.ts";
import { switchKey } from "./standing.ts";
import { SwitchButton } from "./switch-button.tsx";
import { useSwitch } from "./use-switch.ts";

/** As much of a title as is said. */
const TITLE = 60;

/** The bookmark of a blog. What is taken off the list can be put back for a while. */
export function SaveButton({
  blog,
  counted = false,
}: {
  blog: Pick<BlogCard, "id" | "title" | "saved" | "savesCount">;
  counted?: boolean;
}) {
  const queryClient = useQueryClient();
  const save = trpc.useUtils().client.social.saveBlog;
  const { on, count, press } = useSwitch({
    key: switchKey.save(blog.id),
    standing: { on: blog.saved, count: blog.savesCount },
    send: async (wanted) => {
      const { saved, savesCount } = await save.mutate({ blogId: blog.id, saved: wanted });
      return { on: saved, count: savesCount };
    },
    store: (settled) =>
      changeCachedBlog(queryClient, blog.id, (known) => ({
        ...known,
        saved: settled.on,
        savesCount: settled.count ?? known.savesCount,
      })),
    signIn: "Please sign in to save this blog",
    onSettled: (from, settled, want) => {
      if (from.on && !settled.on)
        toast({
          message: `Removed “${shorten(blog.title, TITLE)}” from your saved blogs.`,
          action: { label: "Undo", run: () => want(true, settled) },
        });
    },
  });
  return (
    <SwitchButton name="Save" on={on} count={counted ? count : null} unit="save" kind="save" onClick={press}>
      <Icon name={on ? "bookmark-filled" : "bookmark"} />
    </SwitchButton>
  );
}
