import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { useAct } from "../session/use-act.ts";

/** What whoever signs up is asked where moderators let people in. */
export function Question({ question }: { question: string }) {
  const { busy, act } = useAct(trpc.moderation.setQuestion.useMutation());
  const [text, setText] = useState(question);
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") void act({ question: text });
  };
  return (
    <form className="staff-why" onSubmit={keep}>
      <TextArea
        label="What they are asked"
        value={text}
        maxLength={staffLimits.applications.question}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="staff-acts">
        <Button type="submit" busy={busy} disabled={text.trim() === question}>
          Keep the question
        </Button>
      </div>
    </form>
  );
}

/** Mail domains and networks that nobody joins from. */
export function RefusedSenders({ refused }: { refused: string[] }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const refusal = trpc.moderation.refuseSender.useMutation({
    onSuccess: () => setText(""),
    onError: (error) => setProblem(unsureMessage(error, messages.wrong)),
  });
  const letIn = trpc.moderation.refuseSender.useMutation();
  const { act } = useAct(letIn);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (refusal.isPending) return;
    if (text.trim() === "") return setProblem("Please enter a mail domain, an address or a network.");
    refusal.mutate({ sender: text, refused: true });
  };
  return (
    <section aria-labelledby="staff-refused">
      <h2 id="staff-refused">Refused</h2>
      <form className="staff-search" noValidate onSubmit={add}>
        <TextField
          label="A mail domain, an address or a network that nobody joins from"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" busy={refusal.isPending}>
          Refuse
        </Button>
      </form>
      <p className="staff-note">Like example.org or 192.0.2.0/24. Those who have an account keep it.</p>
      {refused.length > 0 ? (
        <ul className="staff-senders">
          {refused.map((sender) => (
            <li key={sender} className="staff-row">
              <code>{sender}</code>
              <Button
                size="s"
                kind="quiet"
                aria-label={`Let ${sender} in again`}
                busy={letIn.isPending && letIn.variables.sender === sender}
                onClick={() =>
                  void act({ sender, refused: false }, () => letIn.mutateAsync({ sender, refused: true }))
                }
              >
                Let in again
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="staff-note">Nobody is refused for where they come from.</p>
      )}
    </section>
  );
}
