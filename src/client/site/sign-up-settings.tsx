import type { FormEvent } from "react";
import type { SignupSettings, Invitation } from "../../shared/administration.ts";
import type { SignUpMode } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { DateText } from "../ui/time.tsx";
import { Question, SignupBlocks } from "./sign-up-blocks.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { useMutationMessage } from "../session/use-mutation-message.ts";
import { useChoice } from "./use-choice.ts";

const modes: Record<SignUpMode, { name: string; text: string }> = {
  open: { name: "Anyone", text: "Anyone with a confirmed email address." },
  approval: {
    name: "With approval",
    text: "Moderators approve each account after reading the answer to your question. People with one of the links below don’t need approval.",
  },
  invitation: { name: "By invitation", text: "Only people with one of the links below." },
  closed: { name: "Nobody", text: "Sign-up is closed. Existing accounts are not affected." },
};

/** The settings of who can sign up: mode, invitations, blocks. */
export function SignupSettingsPage() {
  const query = trpc.administration.signupSettings.useQuery();
  return (
    <QueryResult query={query} noun="settings">
      {(data) => <Settings data={data} />}
    </QueryResult>
  );
}

function Settings({ data }: { data: SignupSettings }) {
  const { shown, choose, reset } = useChoice(data.mode);
  const { run } = useMutationMessage(trpc.administration.setSignUp.useMutation({ onError: reset }));
  return (
    <div className="sections gap-8 staff-settings">
      <fieldset className="stack gap-2 staff-modes">
        <legend>Who can sign up</legend>
        {(Object.keys(modes) as SignUpMode[]).map((mode) => (
          <div key={mode}>
            <label className="field-choice strong">
              <input
                type="radio"
                name="mode"
                checked={shown === mode}
                onChange={() => {
                  choose(mode);
                  void run({ mode });
                }}
              />
              {modes[mode].name}
            </label>
            <p className="note">{modes[mode].text}</p>
          </div>
        ))}
      </fieldset>
      {shown === "approval" && <Question key={data.question} question={data.question} />}
      <section aria-labelledby="staff-links">
        <h2 id="staff-links">Invitations</h2>
        <NewLink />
        {data.invitations.length > 0 ? (
          <ul className="list staff-list">
            {data.invitations.map((invitation) => (
              <Link key={invitation.code} invitation={invitation} />
            ))}
          </ul>
        ) : (
          <p className="note">No invitations yet.</p>
        )}
      </section>
      <SignupBlocks blocks={data.blocks} />
    </div>
  );
}

const placeCounts = [1, 5, 25, 100];
const times = { "7": "a week", "30": "a month", "": "forever" };

function NewLink() {
  const { busy, run } = useMutationMessage(trpc.administration.invite.useMutation());
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = Number(form.get("days")) || null;
    void run({ places: Number(form.get("places")), days });
  };
  return (
    <form className="row wrap gap-3 staff-search" onSubmit={make}>
      <div className="field">
        <label htmlFor="staff-places" className="field-label">
          Number of accounts
        </label>
        <select id="staff-places" name="places" className="field-box">
          {placeCounts.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="staff-days" className="field-label">
          Valid for
        </label>
        <select id="staff-days" name="days" className="field-box">
          {Object.entries(times).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <Button type="submit" busy={busy}>
        Create link
      </Button>
    </form>
  );
}

function Link({ invitation: { code, address, places, used, expiresAt } }: { invitation: Invitation }) {
  const { busy, run } = useMutationMessage(trpc.administration.withdraw.useMutation());
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: "Delete this invitation?",
      body: "Its link stops working. Accounts created with it stay.",
      action: "Delete invitation",
      danger: true,
    });
    if (isSure) await run({ code });
  };
  return (
    <li className="row wrap top between gap-2-4 staff-row" data-item>
      <div className="stack gap-1">
        <p className="row">
          <code>{address}</code>
          <CopyButton text={address} label="Copy the link" />
        </p>
        <p className="note">
          Used {used} of {places} {places === 1 ? "time" : "times"}
          {expiresAt && (
            <>
              {" · until "}
              <DateText at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <div className="row wrap">
        <Button size="s" kind="quiet" busy={busy} onClick={() => void remove()}>
          Delete
        </Button>
      </div>
    </li>
  );
}
