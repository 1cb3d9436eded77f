import { useState } from "react";
import { Link } from "../ui/link.tsx";
import type { ReportedTarget, ReportOutcome } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { reportReasons, shortReasons } from "./report-reasons.ts";
import { StaffList } from "./staff-list.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

const ReasonDialog = onDemand(() => import("./reason-dialog.tsx"));

/** The open reports. Reports resolved by another moderator disappear at once. */
export function ReportQueue({ page }: { page: number }) {
  const query = trpc.moderation.queue.useQuery({ page });
  return (
    <StaffList
      query={query}
      noun="reports"
      rows={({ targets }) => targets}
      empty={{ title: "No open reports", text: "New reports appear here right away." }}
      pages={{ action: "/admin", page }}
    >
      {(target) => <Reported key={target.id} target={target} />}
    </StaffList>
  );
}

const kinds = { blog: "Blog", comment: "Comment", profile: "Profile" };

function Reported({ target }: { target: ReportedTarget }) {
  const { kind, isAppeal, takedownReason, owner, text, beginning, address, reports, reportsCount } = target;
  return (
    <li className="stack" data-item>
      <div className="stack gap-1">
        <p className="note">
          {kinds[kind]} by{" "}
          <Link to={`/admin/people?q=${encodeURIComponent(`@${owner.username}`)}`}>
            <bdi>{owner.name}</bdi>
          </Link>
        </p>
        {text !== "" && (
          <p className={kind === "blog" ? "strong" : "soft as-typed line-clamp staff-text"} dir="auto">
            {text}
          </p>
        )}
        {takedownReason !== null && (
          <p className="danger">
            Taken down: <q dir="auto">{takedownReason}</q>
          </p>
        )}
        {beginning !== "" && (
          <p className="soft as-typed line-clamp staff-text" dir="auto">
            {beginning}
          </p>
        )}
        {address ? (
          <Link to={address}>View</Link>
        ) : (
          takedownReason === null && <p className="note">No longer public</p>
        )}
      </div>
      <ul className="stack gap-2 small quoted">
        {reports.map(({ by, reason, body, at }) => (
          <li key={by.id}>
            <strong>{shortReasons[reason]}</strong>
            {body && (
              <>
                {" "}
                <q className="soft" dir="auto">
                  {body}
                </q>
              </>
            )}{" "}
            <span className="note">
              <bdi>{by.name}</bdi>, <RelativeTime at={at} />
            </span>
          </li>
        ))}
        {reportsCount > reports.length && <li className="note">and {reportsCount - reports.length} more</li>}
      </ul>
      {isAppeal ? <AppealActions target={target} /> : <ReportActions target={target} />}
    </li>
  );
}

/** Answers the author's request to review a takedown, who reads the reason. */
function AppealActions({ target: { id: blogId } }: { target: ReportedTarget }) {
  const { busy, run } = useMutationMessage(trpc.moderation.answerAppeal.useMutation());
  const [outcome, setOutcome] = useState<"keep" | "restore" | null>(null);
  const close = (): void => setOutcome(null);
  return (
    <div className="row wrap">
      <Button size="s" kind="primary" busy={busy} onClick={() => setOutcome("restore")}>
        Restore
      </Button>
      <Button size="s" busy={busy} onClick={() => setOutcome("keep")}>
        Dismiss
      </Button>
      {outcome && (
        <ReasonDialog
          title={outcome === "restore" ? "Restore this blog?" : "Dismiss this request?"}
          body={
            outcome === "restore"
              ? "Everyone who could read it before can read it again."
              : "The blog stays taken down, and its author can’t ask again."
          }
          readBy="author"
          action={outcome === "restore" ? "Restore" : "Dismiss"}
          isDanger={outcome === "keep"}
          onClose={close}
          onAnswer={(reason) => void run({ blogId, outcome, reason })}
        />
      )}
    </div>
  );
}

function ReportActions({ target }: { target: ReportedTarget }) {
  const { kind, id, takedownReason, reports } = target;
  const resolution = trpc.moderation.resolveReport.useMutation();
  const { run } = useMutationMessage(resolution);
  const reopening = trpc.moderation.reopenReports.useMutation();
  const [dialog, setDialog] = useState<Exclude<ReportOutcome, "keep"> | null>(null);
  const isResolving = (outcome: ReportOutcome): boolean =>
    resolution.isPending && resolution.variables.outcome === outcome;
  return (
    <div className="row wrap">
      {kind !== "profile" && takedownReason === null && (
        <Button size="s" kind="danger" busy={isResolving("take-down")} onClick={() => setDialog("take-down")}>
          {kind === "blog" ? "Take down" : "Delete"}
        </Button>
      )}
      <Button
        size="s"
        busy={isResolving("keep")}
        onClick={() => void run({ kind, id, outcome: "keep" }, () => reopening.mutateAsync({ kind, id }))}
      >
        Dismiss
      </Button>
      <Button size="s" kind="quiet" busy={isResolving("suspend")} onClick={() => setDialog("suspend")}>
        Suspend the account
      </Button>
      {dialog && (
        <ReasonDialog
          title={titleOf(dialog, target)}
          body={bodies[dialog === "suspend" ? "profile" : kind]}
          readBy={dialog === "suspend" ? "suspended" : kind === "comment" ? "log" : "author"}
          initial={reasonOf(reports)}
          action={dialog === "suspend" ? "Suspend" : kind === "blog" ? "Take down" : "Delete"}
          onClose={() => setDialog(null)}
          onAnswer={(reason) => void run({ kind, id, outcome: dialog, reason })}
        />
      )}
    </div>
  );
}

/** Proposes the reasons that were chosen in the reports. Their details could reveal who wrote them. */
const reasonOf = (reports: ReportedTarget["reports"]): string =>
  [...new Set(reports.map(({ reason }) => reason))]
    .flatMap((reason) => (reason === "other" || reason === "appeal" ? [] : [reportReasons[reason]]))
    .join("; ");

const titleOf = (dialog: "take-down" | "suspend", { kind, owner }: ReportedTarget): string =>
  dialog === "suspend"
    ? `Suspend ${owner.name}?`
    : kind === "blog"
      ? "Take this blog down?"
      : "Delete this comment?";

const bodies = {
  blog: "It becomes a draft that the author can’t publish. You can restore it later.",
  comment: "The comment and its replies are deleted for good.",
  profile: "Nobody can see the account or its content, and it is signed out right away. You can undo this.",
};
