import type { BlogCard } from "../../shared/blogs.ts";
import { Icon } from "../ui/icon.tsx";
import { likeBlog } from "./blog-mutations.ts";
import { SwitchButton } from "../ui/switch-button.tsx";
import { useToggle } from "../session/use-toggle.ts";

export function LikeButton({ blog }: { blog: Pick<BlogCard, "id" | "liked" | "likesCount"> }) {
  const { id: blogId, liked: on, likesCount } = blog;
  const press = useToggle({
    mutation: likeBlog,
    input: { blogId, on },
    signIn: "Please sign in to like this blog",
  });
  return (
    <SwitchButton name="Like" on={on} count={likesCount} unit="like" kind="like" onClick={press}>
      <Icon name={on ? "heart-filled" : "heart"} />
    </SwitchButton>
  );
}
