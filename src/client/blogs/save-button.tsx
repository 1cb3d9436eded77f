import type { BlogCard } from "../../shared/blogs.ts";
import { shorten } from "../../shared/document/shorten.ts";
import { Icon } from "../ui/icon.tsx";
import { toastWithUndo } from "../ui/toasts.tsx";
import { saveBlog } from "./blog-mutations.ts";
import { SwitchButton } from "../ui/switch-button.tsx";
import { useToggle } from "../session/use-toggle.ts";

/** The most characters of a title in a message. */
const MAX_TITLE = 60;

/** The save button; a removal can be undone for a while. */
export function SaveButton({
  blog,
  counted = false,
}: {
  blog: Pick<BlogCard, "id" | "title" | "saved" | "savesCount">;
  counted?: boolean;
}) {
  const { id: blogId, saved: on, savesCount } = blog;
  const press = useToggle({
    mutation: saveBlog,
    input: { blogId, on },
    signIn: "Please sign in to save this blog",
    onSettled: ({ saved }, setSaved) => {
      if (!saved)
        toastWithUndo(`Removed “${shorten(blog.title, MAX_TITLE)}” from your saved blogs.`, () =>
          setSaved(true),
        );
    },
  });
  return (
    <SwitchButton
      name="Save"
      on={on}
      count={counted ? savesCount : null}
      unit="save"
      kind="save"
      onClick={press}
    >
      <Icon name={on ? "bookmark-filled" : "bookmark"} />
    </SwitchButton>
  );
}
