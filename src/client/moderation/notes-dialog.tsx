import { useId, useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import type { StaffPerson } from "../../shared/moderation.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { Loaded } from "./loaded.tsx";
import { useAct } from "./use-act.ts";

/** What moderators told each other about somebody, and room for more. */
export default function NotesDialog({ person, onClose }: { person: StaffPerson; onClose: () => void }) {
  const { id: userId, name } = person;
  const form = useId();
  const { client } = trpc.useUtils();
  const asked = trpc.moderation.notes.useQuery({ userId });
  const { busy, act } = useAct();
  const [words, setWords] = useState("");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    if (words.trim() === "") return setProblem("Please write something.");
    setSending(true);
    try {
      await client.moderation.addNote.mutate({ userId, words });
      setWords("");
    } catch (error) {
      setProblem(unsureMessage(error, messages.wrong));
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog
      title={`Notes about ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={form} kind="primary" busy={sending}>
            Keep the note
          </Button>
        </>
      }
    >
      <div className="staff-why">
        <Loaded asked={asked} what="notes">
          {({ notes }) =>
            notes.length > 0 ? (
              <ul className="staff-notes">
                {notes.map(({ id, author, words: said, at, own }) => (
                  <li key={id}>
                    <p dir="auto">{said}</p>
                    <p className="staff-note">
                      @{author}, <RelativeTime at={at} />
                      {own && (
                        <>
                          {" · "}
                          <button
                            type="button"
                            className="staff-drop"
                            disabled={busy === id}
                            onClick={() =>
                              void act(
                                id,
                                () => client.moderation.removeNote.mutate({ noteId: id }),
                                () => client.moderation.addNote.mutate({ userId, words: said }),
                              )
                            }
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
              <p className="staff-note">There are no notes yet. Only moderators see them.</p>
            )
          }
        </Loaded>
        <form id={form} noValidate onSubmit={(event) => void add(event)}>
          <TextArea
            label="A new note"
            value={words}
            maxLength={staffLimits.reports.words}
            error={problem}
            onChange={(event) => {
              setWords(event.target.value);
              setProblem(null);
            }}
          />
        </form>
      </div>
    </Dialog>
  );
}
