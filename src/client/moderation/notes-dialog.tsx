import { useId } from "react";
import type { FormEvent } from "react";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { StaffPerson } from "../../shared/moderation.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

export default function NotesDialog({ person, onClose }: { person: StaffPerson; onClose: () => void }) {
  const { id: userId, name } = person;
  const id = useId();
  const query = trpc.moderation.notes.useQuery({ userId });
  const addNote = trpc.moderation.addNote.useMutation();
  const removal = trpc.moderation.removeNote.useMutation();
  const { run } = useMutationMessage(removal);
  const { form, busy: sending, general, send, refuse, textOf, box } = useFormSubmit();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const body = textOf("body");
    if (refuse({ body: body.trim() === "" && "Write something first." })) return;
    send(async () => {
      await addNote.mutateAsync({ userId, body });
      form.current?.reset();
    });
  };
  return (
    <Dialog
      title={`Notes about ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={id} kind="primary" busy={sending}>
            Save note
          </Button>
        </>
      }
    >
      <div className="stack gap-4">
        <QueryResult query={query} noun="notes">
          {({ notes }) =>
            notes.length > 0 ? (
              <ul className="stack">
                {notes.map(({ id: noteId, author, body, at, own }) => (
                  <li key={noteId} className="as-typed quoted">
                    <p dir="auto">{body}</p>
                    <p className="note">
                      @{author}, <RelativeTime at={at} />
                      {own && (
                        <>
                          {" · "}
                          <button
                            type="button"
                            className="danger underline"
                            disabled={removal.isPending && removal.variables.noteId === noteId}
                            onClick={() => void run({ noteId }, () => addNote.mutateAsync({ userId, body }))}
                          >
                            Delete
                          </button>
                        </>
                      )}
                    </p>
                  </li>
                ))}
              </ul>
            ) : (
              <p className="note">There are no notes yet. Only moderators see them.</p>
            )
          }
        </QueryResult>
        <form id={id} ref={form} noValidate onSubmit={add}>
          <TextArea label="A new note" maxLength={staffLimits.reports.words} {...box("body")} />
          <p className="alert" role="alert">
            {general}
          </p>
        </form>
      </div>
    </Dialog>
  );
}
