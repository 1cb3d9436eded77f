import { useState } from "react";
import { Link } from "../ui/link.tsx";
import type { StaffComment } from "../../shared/staff-content.ts";
import { trpc } from "../api/trpc.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { contentAddress, ContentList, type ContentFilter } from "./content-list.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));

/** The site's newest comments, reported or not. */
export function StaffComments({ filter }: { filter: ContentFilter }) {
  const result = trpc.moderation.comments.useQuery(filter);
  return (
    <ContentList
      action="/admin/comments"
      filter={filter}
      what="comments"
      result={result}
      rows={({ comments }) => comments}
    >
      {(comment) => <Row key={comment.id} comment={comment} />}
    </ContentList>
  );
}

function Row({ comment }: { comment: StaffComment }) {
  const { id, text, address, author, blog, at, mayAct } = comment;
  const { busy, run } = useMutationMessage(trpc.moderation.resolveReport.useMutation());
  const [isDialogOpen, setDialogOpen] = useState(false);
  const close = (): void => setDialogOpen(false);
  return (
    <li className="stack" data-item>
      <div className="stack gap-1">
        <p className="note">
          {author?.id === "" ? (
            <bdi>{author.name}</bdi>
          ) : author ? (
            <Link to={contentAddress("comments", author)}>
              <bdi>{author.name}</bdi>
            </Link>
          ) : (
            "Deleted account"
          )}
          {author?.id === "" ? ", a guest without an account" : author && ` @${author.username}`} ·{" "}
          <RelativeTime at={at} /> · on <bdi className="strong">{blog.title}</bdi> by{" "}
          <bdi>{blog.author.name}</bdi>
        </p>
        <p className="soft as-typed line-clamp staff-text" dir="auto">
          {text}
        </p>
      </div>
      <div className="row wrap">
        {address ? (
          <LinkButton size="s" to={address}>
            Open comments
          </LinkButton>
        ) : (
          <p className="note">You can’t open this page.</p>
        )}
        {mayAct && (
          <Button size="s" busy={busy} onClick={() => setDialogOpen(true)}>
            Delete
          </Button>
        )}
      </div>
      {isDialogOpen && (
        <ReasonDialog
          title="Delete this comment?"
          body="The comment and its replies are deleted for good."
          readBy="log"
          action="Delete"
          onClose={close}
          onAnswer={(reason) => void run({ kind: "comment", id, outcome: "take-down", reason })}
        />
      )}
    </li>
  );
}
