import { countText } from "../../shared/count-text.ts";
import { useState } from "react";
import { importNames, type ImportReport, type ImportRun } from "../../shared/imports.ts";
import { trpc } from "../api/trpc.ts";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** The imports, newest first, with the newest report open. */
export function ImportList({ runs }: { runs: ImportRun[] }) {
  return (
    <section className="stack" aria-labelledby="import-earlier">
      <h2 id="import-earlier">Your imports</h2>
      {runs.length === 0 ? (
        <p className="soft">You haven’t imported anything yet.</p>
      ) : (
        <ul className="list">
          {runs.map((run, index) => (
            <Run key={run.id} run={run} isNewest={index === 0} />
          ))}
        </ul>
      )}
    </section>
  );
}

const isUnderWay = ({ state }: ImportRun) => /^(?:waiting|running|stopping|undoing)$/.test(state);

const stateTexts: Record<ImportRun["state"], string> = {
  waiting: "Waiting",
  running: "In progress",
  stopping: "Stops",
  done: "Done",
  failed: "Stopped",
  cancelled: "Stopped",
  undoing: "Undoing",
  undone: "Undone",
};

function Run({ run, isNewest }: { run: ImportRun; isNewest: boolean }) {
  const stop = useMutationMessage(trpc.imports.stop.useMutation());
  const undo = useMutationMessage(trpc.imports.undo.useMutation());
  const [isOpen, setOpen] = useState(isNewest);
  const kind = run.kind in importNames ? importNames[run.kind as keyof typeof importNames].name : run.kind;

  const askToUndo = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: "Undo this import?",
      body: `${run.blogs === 1 ? "The blog" : `The ${run.blogs} blogs`} it imported will be deleted, with comments and likes. Blogs that you edited or others commented on stay.`,
      action: "Undo Import",
      danger: true,
    });
    if (isConfirmed) await undo.run({ id: run.id });
  };
  const percent = run.count > 0 ? Math.min(100, Math.floor((100 * run.done) / run.count)) : null;
  return (
    <li className="stack gap-2 hairline-top import-run">
      <div className="row wrap gap-2-4 top between">
        <div>
          <p className="medium">{run.name}</p>
          <p className="note">
            {kind} · <RelativeTime at={run.createdAt} /> · {stateTexts[run.state]}
            {run.blogs > 0 && ` · ${run.blogs} ${run.blogs === 1 ? "blog" : "blogs"} here`}
          </p>
        </div>
        <div className="row wrap">
          {/^(?:waiting|running)$/.test(run.state) && (
            <Button size="s" busy={stop.busy} onClick={() => void stop.run({ id: run.id })}>
              Stop<span className="visually-hidden"> importing {run.name}</span>
            </Button>
          )}
          {/^(?:done|failed|cancelled)$/.test(run.state) && run.blogs > 0 && (
            <Button size="s" busy={undo.busy} onClick={() => void askToUndo()}>
              Undo<span className="visually-hidden"> the import of {run.name}</span>
            </Button>
          )}
        </div>
      </div>
      {isUnderWay(run) && (
        <div className="row gap-3 import-progress">
          <progress
            className="grow"
            {...(percent === null ? {} : { max: 100, value: percent })}
            aria-label={stateTexts[run.state]}
          />
          <span className="tabular">{run.count > 0 ? `${run.done} of ${run.count}` : "…"}</span>
        </div>
      )}
      {run.problem && (
        <p className="danger" role="alert">
          {run.problem}
        </p>
      )}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="small soft">Report</summary>
        {isOpen && <Report id={run.id} />}
      </details>
    </li>
  );
}

function Report({ id }: { id: string }) {
  const query = trpc.imports.report.useQuery({ id });
  return (
    <QueryResult isInline query={query} noun="the report">
      {({ report }) =>
        report ? <Lines id={id} report={report} /> : <p className="soft">Nothing to report yet.</p>
      }
    </QueryResult>
  );
}

function Lines({ id, report }: { id: string; report: ImportReport }) {
  const { imported, changed, before, pictures, comments = 0, drafts, leftOut, kept, problems, more } = report;
  return (
    <div className="stack gap-2 small import-report">
      <p>
        Imported {countText(imported, "blog")} with {countText(pictures, "picture")}
        {comments > 0 && ` and ${countText(comments, "comment")}`}.
        {changed > 0 && ` Updated ${countText(changed, "blog")} from the source.`}
        {before > 0 && ` ${countText(before, "blog")} imported before, unchanged.`}
      </p>
      <List
        title="Not imported, or changed"
        lines={problems.map(({ file, problem }) => ({ file, reason: problem }))}
      />
      <List title="Drafts, only visible to you" lines={drafts} />
      <List title="Unchanged, since you edited them here" lines={kept} />
      <List title="Skipped, since they aren’t posts" lines={leftOut} />
      {more > 0 && (
        <p>
          {countText(more, "more line")} not shown.{" "}
          <a href={`/settings/import/${id}.txt`} download>
            Download the whole report
          </a>
        </p>
      )}
    </div>
  );
}

function List({ title, lines }: { title: string; lines: { file: string; reason: string }[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3 className="title-s">
        {title} <span className="tabular">({lines.length})</span>
      </h3>
      <ul className="stack gap-1 soft">
        {lines.map(({ file, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a report only grows at its end
          <li key={index}>
            <b className="ink medium">{file}</b> {reason}
          </li>
        ))}
      </ul>
    </>
  );
}
