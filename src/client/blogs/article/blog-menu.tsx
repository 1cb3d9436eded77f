import type { BlogPage } from "../../../shared/blogs.ts";
import { Menu } from "../../ui/menu.tsx";
import PersonMenu from "../../profiles/person-menu.tsx";
import { useSubscription } from "./subscription.ts";

export default function BlogMenu({ blog }: { blog: BlogPage }) {
  const subscription = useSubscription(blog);
  if (blog.mine)
    return (
      subscription.length > 0 && (
        <Menu label="More about this blog" className="icon-button" entries={subscription}>
          <span aria-hidden="true">•••</span>
        </Menu>
      )
    );
  return (
    <PersonMenu person={blog.author} of={{ kind: "blog", id: blog.id }} also={[...subscription, "line"]} />
  );
}
