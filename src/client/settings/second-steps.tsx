import { useState } from "react";
import type { ReactNode } from "react";
import { limits } from "../../shared/limits.ts";
import type { SignInMethods, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SettingsRow } from "./settings-row.tsx";
import "./access-queries.ts";

const AppDialog = onDemand(() => import("./authenticator-dialog.tsx"));
const PasskeyDialog = onDemand(() => import("./passkey-dialog.tsx"));
const AskPasswordDialog = onDemand(() => import("../auth/ask-password-dialog.tsx"));
const RecoveryCodes = onDemand(() => import("./recovery-codes.tsx"));

/** An action that needs the password. */
interface PasswordAction {
  title: string;
  action: string;
  danger?: boolean;
  body: string;
  act: (password: string) => Promise<{ message?: string; codes?: string[] | null }>;
}

export function SecondSteps({ viewer }: { viewer: Viewer }) {
  const asked = trpc.users.access.useQuery();
  return (
    <section className="settings-part" aria-labelledby="settings-steps">
      <h2 id="settings-steps">Two-factor authentication and passkeys</h2>
      <QueryResult isInline asked={asked} what="how you sign in">
        {(facts) =>
          viewer.hasPassword ? (
            <Steps viewer={viewer} facts={facts} />
          ) : (
            <p className="settings-text">Set a password first.</p>
          )
        }
      </QueryResult>
    </section>
  );
}

function Steps({ viewer, facts }: { viewer: Viewer; facts: SignInMethods }) {
  const { users } = trpc.useUtils();
  const turnAppOff = trpc.users.turnAppOff.useMutation();
  const renewCodes = trpc.users.renewCodes.useMutation();
  const removePasskey = trpc.users.removePasskey.useMutation();
  const setPasskeyStep = trpc.users.setPasskeyStep.useMutation();
  const [open, setOpen] = useState<"app" | "passkey" | null>(null);
  const [question, setQuestion] = useState<PasswordAction | null>(null);
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
  const ask = (label: ReactNode, asked: PasswordAction) => (
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
                body: "You’ll sign in with your password only, unless you also ask for a passkey.",
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
            ? "On. You enter its code after your password."
            : "Off. Adds a code from your phone at sign-in."}
        </SettingsRow>
        {(app || passkeyStep) && (
          <SettingsRow
            label="Recovery codes"
            action={ask("Create new codes", {
              title: "Create new recovery codes?",
              action: "Create new codes",
              body: "Your old codes stop working.",
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
                body: "You can no longer sign in with it. Remove it from the device, too.",
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
          Sign in with your fingerprint, face or PIN.
        </SettingsRow>
      </ul>
      {passkeys.length > 0 && (
        <SettingSwitch
          label="Ask for a passkey after the password"
          checked={passkeyStep}
          onChange={(on) =>
            setQuestion({
              title: on ? "Ask for a passkey after the password?" : "Stop asking for a passkey?",
              action: on ? "Turn on" : "Turn off",
              danger: !on,
              body: on
                ? "After your password, you’ll also need a passkey or a recovery code."
                : "Your password alone will be enough, unless you’ve set up an authenticator app.",
              act: (password) => setPasskeyStep.mutateAsync({ on, password }),
            })
          }
        >
          With this on, your password alone isn’t enough to sign in.
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
