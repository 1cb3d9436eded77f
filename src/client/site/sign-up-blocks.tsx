import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";

/** The sign-up form's question where moderators approve accounts. */
export function Question({ question }: { question: string }) {
  const { busy, run } = useMutationMessage(trpc.administration.setQuestion.useMutation());
  const [text, setText] = useState(question);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") void run({ question: text });
  };
  return (
    <form className="stack gap-4" onSubmit={save}>
      <TextArea
        label="Question"
        value={text}
        maxLength={staffLimits.signupRequests.question}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row wrap">
        <Button type="submit" busy={busy} disabled={text.trim() === question}>
          Save question
        </Button>
      </div>
    </form>
  );
}

/** The email domains, IP addresses and networks with blocked sign-ups. */
export function SignupBlocks({ blocks }: { blocks: string[] }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const blocking = trpc.administration.setSignupBlock.useMutation({
    onSuccess: () => setText(""),
    onError: (error) => setProblem(unsureMessage(error, messages.wrong)),
  });
  const unblockMutation = trpc.administration.setSignupBlock.useMutation();
  const { run } = useMutationMessage(unblockMutation);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (blocking.isPending) return;
    if (text.trim() === "") return setProblem("Enter an email domain, IP address or network.");
    blocking.mutate({ value: text, blocked: true });
  };
  return (
    <section aria-labelledby="staff-blocks">
      <h2 id="staff-blocks">Blocked</h2>
      <form className="row wrap gap-3 staff-search" noValidate onSubmit={add}>
        <TextField
          label="Block sign-ups from an email domain, IP address or network"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={problem}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" busy={blocking.isPending}>
          Block
        </Button>
      </form>
      <p className="note">For example example.org or 192.0.2.0/24. Existing accounts are not affected.</p>
      {blocks.length > 0 ? (
        <ul className="stack gap-2 mt-3">
          {blocks.map((value) => (
            <li key={value} className="row between">
              <code>{value}</code>
              <Button
                size="s"
                kind="quiet"
                aria-label={`Unblock ${value}`}
                busy={unblockMutation.isPending && unblockMutation.variables.value === value}
                onClick={() =>
                  void run({ value, blocked: false }, () =>
                    unblockMutation.mutateAsync({ value, blocked: true }),
                  )
                }
              >
                Unblock
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="note">No blocked domains or networks.</p>
      )}
    </section>
  );
}
