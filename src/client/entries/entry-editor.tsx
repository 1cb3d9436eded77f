import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { ViewerEntry } from "../../shared/entries.ts";
import { trpc } from "../api/trpc.ts";
import { mutate } from "../live/live.ts";
import { useViewer } from "../session/viewer.ts";
import { serverTime } from "../ui/clock.ts";
import { Button } from "../ui/button.tsx";
import { LoadFailure } from "../ui/load-failure.tsx";
import { TextField } from "../ui/field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { storeEntryDraft } from "./entry-drafts.ts";
import { EntryForm } from "./entry-form.tsx";
import type { WrittenEntry } from "./entry-form.tsx";
import { editEntry } from "./entry-mutations.ts";

interface Props {
  entry: ViewerEntry;
  blog: BlogPage;
  onClose: () => void;
}

/** Edits an entry in its place, also the time that readers see. */
export default function EntryEditor({ entry, blog, onClose }: Props) {
  const viewer = useViewer();
  const { id, blogId } = entry;
  const { data, error, refetch } = trpc.blogs.entryForEdit.useQuery({ id }, { gcTime: 0, staleTime: 0 });
  const [initialTime] = useState(() => localTime(entry.at));
  const [time, setTime] = useState(initialTime);
  if (!viewer) return null;
  if (error) return <LoadFailure error={error} onRetry={refetch} />;
  if (!data)
    return (
      <>
        <Skeleton />
        <div>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </>
    );
  const place = { viewerId: viewer.id, blogId, at: `entry-${id}` };
  const save = (written: WrittenEntry): void => {
    const at = new Date(serverTime()).toISOString();
    const newAt = time === initialTime ? undefined : new Date(time).toISOString();
    void mutate(editEntry, {
      ...written,
      id,
      blogId,
      viewerId: viewer.id,
      at,
      before: entry,
      ...(newAt && { newAt }),
    }).then((answer) => answer && storeEntryDraft(place, null));
    onClose();
  };
  return (
    <EntryForm
      place={place}
      initial={{
        title: data.title,
        isKey: data.isKey,
        document: data.document as NodeJson,
        base: data.editedAt,
      }}
      takesFocus
      language={blog.language ?? ""}
      label="Edit entry"
      action="Save"
      onSend={save}
      onCancel={onClose}
    >
      <TextField
        label="Time"
        type="datetime-local"
        step={1}
        max={localTime(new Date(serverTime()).toISOString())}
        value={time}
        onChange={(event) => event.target.value !== "" && setTime(event.target.value)}
      />
    </EntryForm>
  );
}

/** Returns a time as a field for local times has it, to the second. */
function localTime(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 19);
}
