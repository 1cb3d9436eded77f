import type { MouseEvent } from "react";
import { Form } from "react-router-dom";
import type { BlogPage, BlogCard } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { SaveButton } from "../save-button.tsx";
import { SwitchName, SwitchButton } from "../../ui/switch-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { withCode } from "../../ui/on-demand.tsx";
import { likeBlog } from "../blog-mutations.ts";
import { useToggle } from "../../session/use-toggle.ts";

const sharing = () => import("./end/share.ts");

/** The Like, Comments, Save and Share buttons of an article. */
export function ArticleBar({
  blog,
  commentsCount,
  onComments,
  onCommentsNear,
}: {
  blog: BlogPage;
  commentsCount: number;
  onComments: () => void;
  onCommentsNear: () => void;
}) {
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    onComments();
  };
  return (
    <div className="article-bar row" role="group" aria-label="About this blog">
      <LikeButton blog={blog} />
      {/* A form, to work without JavaScript. */}
      <Form action={`${routes.blog(blog.slug)}#comments`}>
        <button
          type="submit"
          name="comments"
          value="open"
          className="action switch"
          onClick={open}
          onPointerEnter={onCommentsNear}
          onFocus={onCommentsNear}
        >
          <Icon name="comment" />
          <SwitchName name="Comments" count={commentsCount} unit="comment" />
        </button>
      </Form>
      <SaveButton blog={blog} counted />
      <button
        type="button"
        className="action switch"
        aria-label="Share"
        onClick={() => withCode(sharing, (code) => void code.share(blog))}
      >
        <Icon name="share" />
      </button>
    </div>
  );
}

function LikeButton({ blog }: { blog: Pick<BlogCard, "id" | "liked" | "likesCount"> }) {
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
