import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { exportPath, type ExportState } from "../../shared/exports.ts";
import { messages } from "../../shared/errors.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { showFailure } from "../session/failure.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { DateText } from "../ui/time.tsx";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import "../settings/settings.css";

const AskPassword = onDemand(() => import("../sign-in/ask-password-dialog.tsx"));

/** Milliseconds between fetches while an export runs, and otherwise: another tab or device may start one. */
const runningIntervalMs = 1_000;
const idleIntervalMs = 15_000;

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.exports.state.fetch();
  return { title: "Export" };
}

export default function ExportPage() {
  const viewer = useViewer();
  return viewer && <Export viewer={viewer} />;
}

function Export({ viewer }: { viewer: Viewer }) {
  const navigate = useNavigate();
  const query = trpc.exports.state.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) => (data?.state === "making" ? runningIntervalMs : idleIntervalMs),
    refetchOnWindowFocus: "always",
  });
  const [isDialogOpen, setDialogOpen] = useState(false);
  const onSettled = () => query.refetch();
  // The password dialog shows its own errors.
  const beginWithPassword = trpc.exports.begin.useMutation({ onSettled });
  const beginWithout = trpc.exports.begin.useMutation({
    onError: (error) => showFailure(error, navigate, () => beginWithout.mutate({}), messages.update),
    onSettled,
  });
  const removal = trpc.exports.remove.useMutation({
    onError: (error) => showFailure(error, navigate, () => removal.mutate(), messages.update),
    onSettled,
  });
  const begin = (): void => (viewer.hasPassword ? setDialogOpen(true) : beginWithout.mutate({}));
  return (
    <div className="page sections settings">
      <PageHead title="Export" />
      <section className="stack export-part" aria-labelledby="export-title">
        <h2 id="export-title">Everything that’s yours, in one file</h2>
        <p className="soft">
          A ZIP with your blogs as pages, as Markdown and as JSON, and your pictures, comments, likes, saves,
          follows, notifications and settings. You can read it without this site, and import it into another
          one.
        </p>
        <QueryResult query={query} noun="export" isInline>
          {(state) => (
            <ExportStatus
              state={state}
              busy={beginWithout.isPending || removal.isPending}
              onBegin={begin}
              onRemove={() => removal.mutate()}
            />
          )}
        </QueryResult>
      </section>
      {isDialogOpen && (
        <AskPassword
          viewer={viewer}
          title="Export your data"
          action="Create file"
          onClose={() => setDialogOpen(false)}
          onPassword={async (password) => {
            await beginWithPassword.mutateAsync({ password });
            setDialogOpen(false);
          }}
        >
          <p>Keep this file safe: it has everything you wrote here, including drafts.</p>
        </AskPassword>
      )}
    </div>
  );
}

interface ExportStatusProps {
  state: ExportState;
  busy: boolean;
  onBegin: () => void;
  onRemove: () => void;
}

function ExportStatus({ state, busy, onBegin, onRemove }: ExportStatusProps) {
  const make = (label: string, kind?: "primary") => (
    <Button {...(kind ? { kind } : {})} busy={busy} onClick={onBegin}>
      {label}
    </Button>
  );
  switch (state.state) {
    case "none":
      return <div className="row wrap gap-3 mt-4">{make("Export", "primary")}</div>;
    case "making":
      return (
        <div role="status" className="export-making">
          <p>We’re creating your file. You can leave this page; it’ll be here when you come back.</p>
          <progress aria-label="Export" {...(state.of > 0 ? { value: state.done, max: state.of } : {})} />
          <p className="note tabular">
            {state.of > 0 ? `${Math.floor((100 * state.done) / state.of)} %` : "Starting soon."}
          </p>
        </div>
      );
    case "failed":
      return (
        <>
          <p role="alert" className="danger">
            {state.problem}
          </p>
          <div className="row wrap gap-3 mt-4">{make("Try again", "primary")}</div>
        </>
      );
    case "ready":
      return (
        <>
          <p role="status">
            Your file is ready: {formatBytes(state.bytes)}, made on <DateText at={state.madeAt} />. It is kept
            until <DateText at={state.goneAt} />.
          </p>
          <div className="row wrap gap-3 mt-4">
            <LinkButton kind="primary" reloadDocument to={exportPath} download>
              Download
            </LinkButton>
            {make("Create a new file")}
            <Button kind="quiet" busy={busy} onClick={onRemove}>
              Delete the file
            </Button>
          </div>
        </>
      );
  }
}
