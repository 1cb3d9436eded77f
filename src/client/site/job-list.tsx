import type { StaffJob } from "../../shared/administration.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { StaffList } from "../moderation/staff-list.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

/** Milliseconds between fetches: jobs have no live events. */
const refetchIntervalMs = 5_000;

/** The server's jobs: queued, running and failed, with the reason. */
export function JobList({ page }: { page: number }) {
  const query = trpc.administration.jobs.useQuery({ page }, { refetchInterval: refetchIntervalMs });
  return (
    <StaffList
      query={query}
      noun="jobs"
      rows={({ jobs }) => jobs}
      empty={{
        title: "No queued or failed jobs",
        text: "Emails, backups and other background jobs are listed here until they’re done.",
      }}
      pages={{ action: "/admin/jobs", page }}
    >
      {(job) => <Row key={job.id} job={job} />}
    </StaffList>
  );
}

/** Other jobs are shown by their internal name. */
const names: Readonly<Record<string, string | undefined>> = {
  mail: "Email",
  "notification-email": "Notification email",
  "notify-subscribers": "Notifying subscribers of a comment",
  backup: "Backup",
  "index-blog": "Indexing a long text",
  "delete-blog": "Deleting a blog",
  "delete-account": "Deleting an account",
  publish: "Publishing a scheduled draft",
};

const states: Record<StaffJob["state"], string> = {
  failed: "Failed",
  running: "Running",
  waiting: "Waiting",
  unknown: "Waiting for a newer version",
};

function Row({ job: { id, name, state, attempts, askedAt, dueAt, error, canRetry } }: { job: StaffJob }) {
  const retry = useMutationMessage(trpc.administration.retryJob.useMutation());
  const removal = useMutationMessage(trpc.administration.discardJob.useMutation());
  const discard = async (): Promise<void> => {
    const isSure = await confirm({
      title: "Delete this job?",
      body: "It won’t run again.",
      action: "Delete job",
      danger: true,
    });
    if (isSure) await removal.run({ id });
  };
  return (
    <li className="stack" data-item>
      <div className="row wrap top between gap-2-4 staff-row">
        <div className="stack gap-1">
          <p className="strong">{names[name] ?? name.replace(/^tidy\./, "Cleaning up: ")}</p>
          <p className={state === "failed" ? "danger" : "note"}>
            {states[state]}
            {attempts > 0 && ` after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`}
            {" · queued "}
            <RelativeTime at={askedAt} />
            {state === "waiting" && attempts > 0 && (
              <>
                {" · due "}
                <RelativeTime at={dueAt} />
              </>
            )}
          </p>
          {error && <p className="soft as-typed line-clamp staff-text">{error}</p>}
        </div>
        {state === "failed" && (
          <div className="row wrap">
            {canRetry && (
              <Button size="s" busy={retry.busy} onClick={() => void retry.run({ id })}>
                Try again
              </Button>
            )}
            <Button size="s" kind="quiet" busy={removal.busy} onClick={() => void discard()}>
              Delete
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}
