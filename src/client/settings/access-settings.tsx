import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { showFailure } from "../session/failure.ts";
import { Button } from "../ui/button.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { toast } from "../ui/toasts.tsx";
import { SettingsRow } from "./settings-row.tsx";

const EmailDialog = onDemand(() => import("./email-dialog.tsx"));
const PasswordDialog = onDemand(() => import("./password-dialog.tsx"));

export function AccessSettings({ viewer }: { viewer: Viewer }) {
  const [asked, setAsked] = useState<"email" | "password" | null>(null);
  const close = (): void => setAsked(null);
  const props = { viewer, onClose: close, onFail: close };
  return (
    <section className="settings-part" aria-labelledby="settings-access">
      <h2 id="settings-access">Signing in</h2>
      <ul className="settings-rows">
        <SettingsRow
          label="Email address"
          action={
            <Button size="s" onClick={() => setAsked("email")}>
              Change<span className="visually-hidden"> email address</span>
            </Button>
          }
        >
          <bdi>{viewer.email}</bdi>
        </SettingsRow>
        <SettingsRow
          label="Password"
          action={
            viewer.hasPassword ? (
              <Button size="s" onClick={() => setAsked("password")}>
                Change<span className="visually-hidden"> password</span>
              </Button>
            ) : (
              <FirstPassword viewer={viewer} />
            )
          }
        >
          {viewer.hasPassword
            ? "If you change it, you’ll be signed out everywhere else."
            : "You don’t have one yet."}
        </SettingsRow>
      </ul>
      {asked === "email" && <EmailDialog {...props} />}
      {asked === "password" && <PasswordDialog {...props} />}
    </section>
  );
}

/** An account without a password gets the link for a forgotten one. */
function FirstPassword({ viewer: { email } }: { viewer: Viewer }) {
  const navigate = useNavigate();
  const mailing = trpc.users.forgotPassword.useMutation({
    onSuccess: () =>
      toast({ kind: "success", message: `We sent a link to ${email}. Open it to set a password.` }),
    onError: (error, asked) => showFailure(error, navigate, () => mailing.mutate(asked), messages.wrong),
  });
  return (
    <Button size="s" busy={mailing.isPending} onClick={() => mailing.mutate({ email })}>
      Set a password
    </Button>
  );
}
