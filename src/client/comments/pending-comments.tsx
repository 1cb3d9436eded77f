import type { BlogPage } from "../../shared/blogs.ts";
import type { Comment, CommentList } from "../../shared/comments.ts";
import { limits } from "../../shared/limits.ts";
import { mutate } from "../live/live.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { approveComment, rejectComment } from "./comment-mutations.ts";
import { CommentText } from "./comment-text.tsx";

interface Props {
  blog: BlogPage;
  pending: Comment[];
  list: CommentList;
}

/** The pending comments: all for the blog's author, their own for others. */
export default function PendingComments({ blog, pending, list }: Props) {
  const refuse = async (comment: Comment): Promise<void> => {
    const isConfirmed = await confirm({
      title: "Delete this comment?",
      body: "No one else has seen it. This can’t be undone.",
      action: "Delete",
      danger: true,
    });
    if (isConfirmed) void mutate(rejectComment, comment);
  };
  const answered = ({ parentId }: Comment): string | undefined =>
    list.comments.find(({ id }) => id === parentId)?.author?.name;
  const title =
    pending.length === 1 ? "1 comment needs your approval" : `${pending.length} comments need your approval`;
  return (
    <section className="pending-comments panel stack" aria-labelledby="pending-title">
      <h3 id="pending-title" className="field-label muted">
        {blog.mine
          ? pending.length < limits.pendingComments.shown
            ? title
            : `The first ${limits.pendingComments.shown} comments that need your approval`
          : "Waiting for the author’s approval"}
      </h3>
      <ol className="stack gap-4">
        {pending.map((comment) => (
          <li key={comment.id} data-item>
            <article aria-label={`Pending comment by ${comment.author?.name}`}>
              <header className="row">
                {comment.author && <Avatar person={comment.author} size={28} />}
                <span className="byline said-by wrap baseline">
                  <bdi className="ink strong">{comment.author?.name}</bdi>
                  {comment.parentId && (
                    <span className="muted">to {answered(comment) ?? "an earlier comment"}</span>
                  )}
                  <span className="muted">
                    <RelativeTime at={comment.createdAt} />
                  </span>
                </span>
              </header>
              <CommentText comment={comment} />
              <div className="pending-actions row">
                {blog.mine && (
                  <Button size="s" kind="primary" onClick={() => void mutate(approveComment, comment)}>
                    Approve
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
