import { Link } from "../ui/link.tsx";
import type { StaffPendingComment } from "../../shared/staff-content.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

/** Comments pending because they are their author's first with a link; nothing where there are none. Live. */
export function PendingCommentList() {
  const { data } = trpc.moderation.pendingComments.useQuery();
  if (!data || data.comments.length === 0) return null;
  return (
    <section aria-labelledby="staff-pending">
      <h2 id="staff-pending" className="title-xl staff-head">
        Pending comments
      </h2>
      <p className="note">
        Each is its writer’s first comment with a link. You or the author of the blog can approve it.
        {data.hasMore && " There are more after these."}
      </p>
      <ul className="list staff-list">
        {data.comments.map((comment) => (
          <Row key={comment.id} comment={comment} />
        ))}
      </ul>
    </section>
  );
}

function Row({ comment }: { comment: StaffPendingComment }) {
  const { id: commentId, text, address, author, blog, at } = comment;
  const approval = useMutationMessage(trpc.moderation.approveComment.useMutation());
  const refusal = useMutationMessage(trpc.moderation.rejectComment.useMutation());
  const refuse = async (): Promise<void> => {
    const isSure = await confirm({
      title: "Delete this comment?",
      body: "No one else has seen it. This can’t be undone.",
      action: "Delete",
      danger: true,
    });
    if (isSure) await refusal.run({ commentId });
  };
  return (
    <li className="stack" data-item>
      <div className="stack gap-1">
        <p className="note">
          <Link to={routes.profile(author.username)}>
            <bdi>{author.name}</bdi>
          </Link>{" "}
          @{author.username} · <RelativeTime at={at} /> · below{" "}
          {address ? (
            <Link to={address} className="strong">
              <bdi>{blog.title}</bdi>
            </Link>
          ) : (
            <bdi className="strong">{blog.title}</bdi>
          )}{" "}
          of <bdi>{blog.author.name}</bdi>
        </p>
        <p className="soft as-typed line-clamp staff-text" dir="auto">
          {text}
        </p>
      </div>
      <div className="row wrap">
        <Button size="s" kind="primary" busy={approval.busy} onClick={() => void approval.run({ commentId })}>
          Approve
        </Button>
        <Button size="s" busy={refusal.busy} onClick={() => void refuse()}>
          Delete
        </Button>
      </div>
    </li>
  );
}
