import { useState } from "react";
import type { ReactNode } from "react";
import { limits } from "../../shared/limits.ts";
import type { AccessFacts, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { SettingsRow } from "./settings-row.tsx";
import "./kept-access.ts";

const AppDialog = onDemand(() => import("./app-dialog.tsx"));
const PasskeyDialog = onDemand(() => import("./passkey-dialog.tsx"));
const AskPasswordDialog = onDemand(() => import("./ask-password-dialog.tsx"));
const RecoveryCodes = onDemand(() => import("./recovery-codes.tsx"));

/** What the password is asked for first: what to say, and what to do with it. */
interface Question {
  title: string;
  action: string;
  danger?: boolean;
  body: string;
  act: (password: string) => Promise<{ message?: string; codes?: string[] | null }>;
}

/** What is asked for beside the password, or in its place. */
export function SecondSteps({ viewer }: { viewer: Viewer }) {
  const asked = trpc.users.access.useQuery();
  return (
    <section className="settings-part" aria-labelledby="settings-steps">
      <h2 id="settings-steps">Two steps and passkeys</h2>
      <Loaded isInline asked={asked} what="how you sign in">
        {(facts) =>
          viewer.hasPassword ? (
            <Steps viewer={viewer} facts={facts} />
          ) : (
            <p className="settings-text">Set a password first: it is the first of the two steps.</p>
          )
        }
      </Loaded>
    </section>
  );
}

function Steps({ viewer, facts }: { viewer: Viewer; facts: AccessFacts }) {
  const { users } = trpc.useUtils();
  const turnAppOff = trpc.users.turnAppOff.useMutation();
  const renewCodes = trpc.users.renewCodes.useMutation();
  const removePasskey = trpc.users.removePasskey.useMutation();
  const setPasskeyStep = trpc.users.setPasskeyStep.useMutation();
  const [open, setOpen] = useState<"app" | "passkey" | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { app, passkeyStep, codesLeft, passkeys } = facts;
  const own = { viewer, onClose: () => setOpen(null), onFail: () => setOpen(null) };

  const answer = async (password: string): Promise<{ message?: string | undefined }> => {
    const { message, codes: made } = await question!.act(password);
    await users.access.invalidate();
    setQuestion(null);
    if (made) setCodes(made);
    return { message };
  };
  const ask = (label: ReactNode, asked: Question) => (
    <Button size="s" onClick={() => setQuestion(asked)}>
      {label}
    </Button>
  );
  return (
    <>
      <ul className="settings-rows">
        <SettingsRow
          label="Authenticator app"
          action={
            app ? (
              ask("Turn off", {
                title: "Turn the authenticator app off?",
                action: "Turn off",
                danger: true,
                body: "Your password alone signs in then, unless a passkey is asked for after it.",
                act: (password) => turnAppOff.mutateAsync({ password }),
              })
            ) : (
              <Button size="s" onClick={() => setOpen("app")}>
                Set up<span className="visually-hidden"> an authenticator app</span>
              </Button>
            )
          }
        >
          {app
            ? "On. After your password, its code is asked for."
            : "Off. With it, a stolen password is not enough."}
        </SettingsRow>
        {(app || passkeyStep) && (
          <SettingsRow
            label="Recovery codes"
            action={ask("Make new ones", {
              title: "Make new recovery codes?",
              action: "Make new ones",
              body: "Those that you have kept so far work no more.",
              act: (password) => renewCodes.mutateAsync({ password }),
            })}
          >
            {codesLeft} of {limits.recoveryCodes} left
          </SettingsRow>
        )}
        {passkeys.map((key) => (
          <SettingsRow
            key={key.id}
            label={key.name}
            action={ask(
              <>
                Remove<span className="visually-hidden"> passkey {key.name}</span>
              </>,
              {
                title: `Remove “${key.name}”?`,
                action: "Remove",
                danger: true,
                body: "It signs you in no more. Remove it from the device, too.",
                act: (password) => removePasskey.mutateAsync({ id: key.id, password }),
              },
            )}
          >
            Passkey · added <RelativeTime at={key.createdAt} /> ·{" "}
            {key.usedAt ? (
              <>
                last used <RelativeTime at={key.usedAt} />
              </>
            ) : (
              "never used"
            )}
          </SettingsRow>
        ))}
        <SettingsRow
          label="Passkeys"
          action={
            <Button size="s" onClick={() => setOpen("passkey")}>
              Add<span className="visually-hidden"> a passkey</span>
            </Button>
          }
        >
          A passkey of your device signs you in without a password.
        </SettingsRow>
      </ul>
      {passkeys.length > 0 && (
        <SettingSwitch
          label="Ask for a passkey after the password"
          checked={passkeyStep}
          onChange={(on) =>
            setQuestion({
              title: on ? "Ask for a passkey after the password?" : "Let the password be enough?",
              action: on ? "Turn on" : "Turn off",
              danger: !on,
              body: on
                ? "Whoever has your password needs one of your passkeys or recovery codes as well."
                : "Whoever has your password gets in with it, unless an authenticator app is set up.",
              act: (password) => setPasskeyStep.mutateAsync({ on, password }),
            })
          }
        >
          With this on, your password alone signs nobody in.
        </SettingSwitch>
      )}
      {open === "app" && <AppDialog {...own} />}
      {open === "passkey" && <PasskeyDialog {...own} />}
      {question && (
        <AskPasswordDialog
          viewer={viewer}
          {...question}
          onPassword={answer}
          onClose={() => setQuestion(null)}
          onFail={() => setQuestion(null)}
        >
          <p>{question.body}</p>
        </AskPasswordDialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} onFail={() => setCodes(null)} />}
    </>
  );
}
