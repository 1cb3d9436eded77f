import { Link } from "react-router-dom";
import type { StaffHeld } from "../../shared/finding.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useAct } from "../session/use-act.ts";

/** Comments that wait with a link of somebody of whom none stood yet, where there are any. It is live, as the queue is. */
export function WaitingComments() {
  const { data } = trpc.moderation.held.useQuery();
  if (!data || data.comments.length === 0) return null;
  return (
    <section aria-labelledby="staff-held">
      <h2 id="staff-held" className="staff-head">
        Waiting comments
      </h2>
      <p className="staff-note">
        Each has a link, and when it was written no other with a link of the same person had been let in. The
        author of the blog may let it in, and so may you.
        {data.hasMore && " More are waiting behind these."}
      </p>
      <ul className="staff-list">
        {data.comments.map((comment) => (
          <Row key={comment.id} comment={comment} />
        ))}
      </ul>
    </section>
  );
}

function Row({ comment }: { comment: StaffHeld }) {
  const { id: commentId, text, address, author, blog, at } = comment;
  const letIn = useAct(trpc.moderation.letInHeld.useMutation());
  const refusal = useAct(trpc.moderation.refuseHeld.useMutation());
  const refuse = async (): Promise<void> => {
    const isSure = await confirm({
      title: "Delete this comment?",
      body: "Nobody else has seen it. This can’t be undone.",
      action: "Delete",
      danger: true,
    });
    if (isSure) await refusal.act({ commentId });
  };
  return (
    <li data-item>
      <div className="staff-what">
        <p className="staff-note">
          <Link to={routes.profile(author.username)}>
            <bdi>{author.name}</bdi>
          </Link>{" "}
          @{author.username} · <RelativeTime at={at} /> · below{" "}
          {address ? (
            <Link to={address} className="staff-below">
              <bdi>{blog.title}</bdi>
            </Link>
          ) : (
            <bdi className="staff-below">{blog.title}</bdi>
          )}{" "}
          of <bdi>{blog.author.name}</bdi>
        </p>
        <p className="staff-text" dir="auto">
          {text}
        </p>
      </div>
      <div className="staff-acts">
        <Button size="s" kind="primary" busy={letIn.busy} onClick={() => void letIn.act({ commentId })}>
          Let in
        </Button>
        <Button size="s" busy={refusal.busy} onClick={() => void refuse()}>
          Delete
        </Button>
      </div>
    </li>
  );
}
