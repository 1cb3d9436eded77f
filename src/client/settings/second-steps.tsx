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
import { SettingsSection } from "./settings-section.tsx";
import "./access-queries.ts";

const AppDialog = onDemand(() => import("./authenticator-dialog.tsx"));
const PasskeyDialog = onDemand(() => import("./passkey-dialog.tsx"));
const AskPasswordDialog = onDemand(() => import("../sign-in/ask-password-dialog.tsx"));
const RecoveryCodes = onDemand(() => import("./recovery-codes.tsx"));

/** An action that needs the password. */
interface PasswordAction {
  title: string;
  action: string;
  danger?: boolean;
  body: string;
  run: (password: string) => Promise<{ message?: string; codes?: string[] | null }>;
}

export function SecondSteps({ viewer }: { viewer: Viewer }) {
  const query = trpc.users.access.useQuery();
  return (
    <SettingsSection name="steps">
      <QueryResult isInline query={query} noun="how you sign in">
        {(methods) =>
          viewer.hasPassword ? (
            <Steps viewer={viewer} methods={methods} />
          ) : (
            <p className="soft">Set a password first.</p>
          )
        }
      </QueryResult>
    </SettingsSection>
  );
}

function Steps({ viewer, methods }: { viewer: Viewer; methods: SignInMethods }) {
  const { users } = trpc.useUtils();
  const turnAppOff = trpc.users.turnAppOff.useMutation();
  const renewCodes = trpc.users.renewCodes.useMutation();
  const removePasskey = trpc.users.removePasskey.useMutation();
  const setPasskeyStep = trpc.users.setPasskeyStep.useMutation();
  const [openDialog, setOpenDialog] = useState<"app" | "passkey" | null>(null);
  const [question, setQuestion] = useState<PasswordAction | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { app, passkeyStep, codesLeft, passkeys } = methods;
  const dialogProps = { viewer, onClose: () => setOpenDialog(null) };

  const answer = async (password: string): Promise<{ message?: string | undefined }> => {
    const { message, codes: newCodes } = await question!.run(password);
    await users.access.invalidate();
    setQuestion(null);
    if (newCodes) setCodes(newCodes);
    return { message };
  };
  const actionButton = (label: ReactNode, action: PasswordAction) => (
    <Button size="s" onClick={() => setQuestion(action)}>
      {label}
    </Button>
  );
  return (
    <>
      <ul className="list">
        <SettingsRow
          label="Authenticator app"
          action={
            app ? (
              actionButton("Turn off", {
                title: "Turn the authenticator app off?",
                action: "Turn off",
                danger: true,
                body: "You’ll sign in with your password only, unless you also ask for a passkey.",
                run: (password) => turnAppOff.mutateAsync({ password }),
              })
            ) : (
              <Button size="s" onClick={() => setOpenDialog("app")}>
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
            action={actionButton("Create new codes", {
              title: "Create new recovery codes?",
              action: "Create new codes",
              body: "Your old codes stop working.",
              run: (password) => renewCodes.mutateAsync({ password }),
            })}
          >
            {codesLeft} of {limits.recoveryCodes} left
          </SettingsRow>
        )}
        {passkeys.map((key) => (
          <SettingsRow
            key={key.id}
            label={key.name}
            action={actionButton(
              <>
                Remove<span className="visually-hidden"> passkey {key.name}</span>
              </>,
              {
                title: `Remove “${key.name}”?`,
                action: "Remove",
                danger: true,
                body: "You can no longer sign in with it. Remove it from the device, too.",
                run: (password) => removePasskey.mutateAsync({ id: key.id, password }),
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
            <Button size="s" onClick={() => setOpenDialog("passkey")}>
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
              run: (password) => setPasskeyStep.mutateAsync({ on, password }),
            })
          }
        >
          With this on, your password alone isn’t enough to sign in.
        </SettingSwitch>
      )}
      {openDialog === "app" && <AppDialog {...dialogProps} />}
      {openDialog === "passkey" && <PasskeyDialog {...dialogProps} />}
      {question && (
        <AskPasswordDialog
          viewer={viewer}
          {...question}
          onPassword={answer}
          onClose={() => setQuestion(null)}
        >
          <p>{question.body}</p>
        </AskPasswordDialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}
