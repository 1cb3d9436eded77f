import type { MouseEvent } from "react";
import { useId } from "react";
import type { BlogPage } from "../../../shared/blogs.ts";
import { routes } from "../../../shared/routes.ts";
import { loadComments } from "../../comments/lazy-section.tsx";
import { LikeButton } from "../../social/like-button.tsx";
import { SaveButton } from "../../social/save-button.tsx";
import { Icon } from "../../ui/icon.tsx";

/** Fetches the comments' code as soon as their button is pointed at; where that fails, the click says so. */
const prepare = (): void => void loadComments().catch(() => {});

/** Like, Comments and Save, at hand while one reads. */
export function ArticleBar({
  blog,
  commentsCount,
  onComments,
}: {
  blog: BlogPage;
  commentsCount: number;
  onComments: () => void;
}) {
  const id = useId();
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    onComments();
  };
  return (
    <div className="article-bar" role="group" aria-label="About this blog">
      <LikeButton blog={blog} />
      {/* A form, so that it opens the comments without a script too. */}
      <form action={`${routes.blog(blog.slug)}#comments`}>
        <button
          type="submit"
          name="comments"
          value="open"
          className="switch"
          aria-label="Comments"
          aria-describedby={commentsCount > 0 ? id : undefined}
          onClick={open}
          onPointerEnter={prepare}
          onFocus={prepare}
        >
          <Icon name="comment" />
          {commentsCount > 0 && (
            <span id={id} className="switch-count tabular">
              {commentsCount.toLocaleString("en")}
              <span className="visually-hidden"> {commentsCount === 1 ? "comment" : "comments"}</span>
            </span>
          )}
        </button>
      </form>
      <SaveButton blog={blog} counted />
    </div>
  );
}
