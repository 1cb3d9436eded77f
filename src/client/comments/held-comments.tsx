import type { BlogPage } from "../../shared/blogs.ts";
import type { Comment, CommentList } from "../../shared/comments.ts";
import { limits } from "../../shared/limits.ts";
import { doAct } from "../live/live.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { letCommentIn, refuseComment } from "./acts.ts";
import { CommentText } from "./comment-text.tsx";
import "./held-comments.css";

interface Props {
  blog: BlogPage;
  held: Comment[];
  list: CommentList;
}

/** Comments that wait until the author of the blog lets them in: to them all of them, to others what they wrote. */
export default function HeldComments({ blog, held, list }: Props) {
  const refuse = async (comment: Comment): Promise<void> => {
    const yes = await confirm({
      title: "Delete this comment?",
      body: "Nobody else has seen it. This can’t be undone.",
      action: "Delete",
      danger: true,
    });
    if (yes) void doAct(refuseComment, comment);
  };
  const answered = ({ parentId }: Comment): string | undefined =>
    list.comments.find(({ id }) => id === parentId)?.author?.name;
  const title = held.length === 1 ? "1 comment waits for you" : `${held.length} comments wait for you`;
  return (
    <section className="held" aria-labelledby="held-title">
      <h3 id="held-title" className="held-title">
        {blog.mine
          ? held.length < limits.held.shown
            ? title
            : `The first ${limits.held.shown} comments that wait for you`
          : "Waiting to be let in"}
      </h3>
      <ol className="held-list">
        {held.map((comment) => (
          <li key={comment.id} data-item>
            <article aria-label={`Waiting comment by ${comment.author?.name}`}>
              <header className="comment-head">
                {comment.author && <Avatar person={comment.author} size={28} />}
                <span className="comment-byline">
                  <bdi className="comment-author">{comment.author?.name}</bdi>
                  {comment.parentId && (
                    <span className="comment-when">to {answered(comment) ?? "an earlier comment"}</span>
                  )}
                  <span className="comment-when">
                    <RelativeTime at={comment.createdAt} />
                  </span>
                </span>
              </header>
              <CommentText comment={comment} />
              <div className="held-actions">
                {blog.mine && (
                  <Button size="s" kind="primary" onClick={() => void doAct(letCommentIn, comment)}>
                    Let in
                  </Button>
                )}
                <Button size="s" kind="quiet" onClick={() => void refuse(comment)}>
                  Delete
                </Button>
              </div>
            </article>
          </li>
        ))}
      </ol>
    </section>
  );
}
