import { useEffect, useRef, useState, type FormEvent } from "react";
import { importKinds, importNames, importUpload, type ImportKind } from "../../shared/imports.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { Button } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { SettingSwitch } from "../settings/setting-switch.tsx";
import { Cancelled, uploadFile, type RunningUpload } from "./upload-file.ts";

/** Chooses and uploads what to import. `isImporting`: another import is running. */
export function ImportForm({ isImporting, onStarted }: { isImporting: boolean; onStarted: () => void }) {
  const [kind, setKind] = useState<ImportKind>(importKinds[0]);
  const [file, setFile] = useState<File | null>(null);
  const [fetch, setFetch] = useState(true);
  const [restoreDeleted, setRestoreDeleted] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const upload = useRef<RunningUpload | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  useEffect(() => () => upload.current?.cancel(), []);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const error = refusal(file);
    setProblem(error);
    if (!file || error !== "") return field.current?.focus();
    setPercent(0);
    try {
      upload.current = uploadFile(file, { kind, again: restoreDeleted, fetch }, setPercent);
      await upload.current.done;
      setFile(null);
      if (field.current) field.current.value = "";
      onStarted();
    } catch (cause) {
      if (!(cause instanceof Cancelled)) setProblem(cause instanceof Error ? cause.message : String(cause));
    } finally {
      upload.current = null;
      setPercent(null);
    }
  };
  const isSending = percent !== null;
  return (
    <form className="stack gap-4" aria-labelledby="import-new" onSubmit={(event) => void send(event)}>
      <h2 id="import-new">Bring in your blogs</h2>
      <p className="soft">
        We keep dates, tags, pictures and old addresses. Private blogs and drafts become drafts here. Nobody
        is notified, and you can undo the import.
      </p>
      <fieldset className="row wrap import-kinds">
        <legend>From</legend>
        {importKinds.map((option) => (
          <label key={option} className="target gap-2">
            <input
              type="radio"
              name="kind"
              checked={option === kind}
              onChange={() => setKind(option)}
              disabled={isSending}
            />
            {importNames[option].name}
          </label>
        ))}
      </fieldset>
      <div className="stack gap-1 import-file">
        <label htmlFor="import-file" className="medium">
          File
        </label>
        <p className="note measure" id="import-hint">
          {firstLarge(importNames[kind].file)}. At most {formatBytes(importUpload)}.
        </p>
        <input
          ref={field}
          id="import-file"
          type="file"
          className="small"
          aria-describedby="import-hint import-problem"
          aria-invalid={problem !== "" || undefined}
          disabled={isSending}
          onChange={(event) => {
            setFile(event.target.files?.[0] ?? null);
            setProblem("");
          }}
        />
        <p className="danger" id="import-problem" role="alert">
          {problem}
        </p>
      </div>
      <SettingSwitch label="Fetch pictures from the old site" checked={fetch} onChange={setFetch}>
        {fetch
          ? "We’ll download pictures that the file links to but doesn’t contain."
          : "Pictures that the file doesn’t contain become links."}
      </SettingSwitch>
      <SettingSwitch
        label="Restore blogs I deleted here"
        checked={restoreDeleted}
        onChange={setRestoreDeleted}
      >
        {restoreDeleted
          ? "Blogs that you imported before and deleted come back."
          : "Blogs that you imported before and deleted stay deleted."}
      </SettingSwitch>
      {isSending ? (
        <div className="row gap-3 import-progress">
          <progress className="grow" max={100} value={percent} aria-label="Upload" />
          <span className="tabular" role="status">
            {percent < 100 ? `Sending: ${percent} %` : "Looking at it…"}
          </span>
          <Button size="s" onClick={() => upload.current?.cancel()}>
            Cancel
          </Button>
        </div>
      ) : (
        <Button
          kind="primary"
          type="submit"
          className="self-start"
          disabled={!hydrated}
          busy={isImporting}
          title={isImporting ? "Another import is in progress." : undefined}
        >
          Start Import
        </Button>
      )}
    </form>
  );
}

function refusal(file: File | null): string {
  if (!file) return "Please choose a file.";
  if (file.size === 0) return "That file is empty.";
  return file.size > importUpload
    ? `The file can be at most ${formatBytes(importUpload)}. Administrators can import larger files on the command line.`
    : "";
}

const firstLarge = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
