import { useState } from "react";
import { Link } from "react-router-dom";
import type { ReportedTarget, ReportOutcome } from "../../shared/moderation.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { shortReasons } from "../blocks/report-reasons.ts";
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
  const { kind, id, owner, text, beginning, address, reports, reportsCount } = target;
  const resolution = trpc.moderation.resolveReport.useMutation();
  const { run } = useMutationMessage(resolution);
  const restoration = useMutationMessage(trpc.moderation.restore.useMutation());
  const [dialog, setDialog] = useState<Exclude<ReportOutcome, "keep"> | null>(null);
  const isAppeal = reports.every(({ reason }) => reason === "appeal");
  const resolve = (outcome: ReportOutcome, reason = ""): void => void run({ kind, id, outcome, reason });
  const isResolving = (outcome: ReportOutcome): boolean =>
    resolution.isPending && resolution.variables.outcome === outcome;
  return (
    <li data-item>
      <div className="staff-what">
        <p className="staff-note">
          {kinds[kind]} by{" "}
          <Link to={routes.profile(owner.username)}>
            <bdi>{owner.name}</bdi>
          </Link>
        </p>
        {text !== "" && (
          <p className={kind === "blog" ? "staff-title" : "staff-text"} dir="auto">
            {text}
          </p>
        )}
        {beginning !== "" && (
          <p className="staff-text" dir="auto">
            {beginning}
          </p>
        )}
        {address ? (
          <Link to={address}>View</Link>
        ) : (
          !isAppeal && <p className="staff-note">No longer public</p>
        )}
      </div>
      <ul className="staff-reports">
        {reports.map(({ by, reason, body, at }) => (
          <li key={by.id}>
            <strong>{shortReasons[reason]}</strong>
            {body && (
              <>
                {" "}
                <q dir="auto">{body}</q>
              </>
            )}{" "}
            <span className="staff-note">
              <bdi>{by.name}</bdi>, <RelativeTime at={at} />
            </span>
          </li>
        ))}
        {reportsCount > reports.length && (
          <li className="staff-note">and {reportsCount - reports.length} more</li>
        )}
      </ul>
      <div className="staff-acts">
        {isAppeal ? (
          <Button
            size="s"
            kind="primary"
            busy={restoration.busy}
            onClick={() => void restoration.run({ blogId: id })}
          >
            Restore
          </Button>
        ) : (
          kind !== "profile" && (
            <Button size="s" kind="danger" busy={isResolving("hide")} onClick={() => setDialog("hide")}>
              {kind === "blog" ? "Take down" : "Delete"}
            </Button>
          )
        )}
        <Button size="s" busy={isResolving("keep")} onClick={() => resolve("keep")}>
          Dismiss
        </Button>
        <Button size="s" kind="quiet" busy={isResolving("suspend")} onClick={() => setDialog("suspend")}>
          Suspend the account
        </Button>
      </div>
      {dialog && (
        <ReasonDialog
          title={titleOf(dialog, target)}
          body={bodies[dialog === "suspend" ? "profile" : kind]}
          readBy={dialog === "suspend" ? "person" : kind === "comment" ? "log" : "author"}
          action={dialog === "suspend" ? "Suspend" : kind === "blog" ? "Take down" : "Delete"}
          onClose={() => setDialog(null)}
          onFail={() => setDialog(null)}
          onAnswer={(reason) => {
            setDialog(null);
            resolve(dialog, reason);
          }}
        />
      )}
    </li>
  );
}

const titleOf = (dialog: "hide" | "suspend", { kind, owner }: ReportedTarget): string =>
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
