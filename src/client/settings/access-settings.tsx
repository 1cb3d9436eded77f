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
import { SettingsSection } from "./settings-section.tsx";

const EmailDialog = onDemand(() => import("./email-dialog.tsx"));
const PasswordDialog = onDemand(() => import("./password-dialog.tsx"));

export function AccessSettings({ viewer }: { viewer: Viewer }) {
  const [dialog, setDialog] = useState<"email" | "password" | null>(null);
  const close = (): void => setDialog(null);
  const props = { viewer, onClose: close };
  return (
    <SettingsSection name="access">
      <ul className="list">
        <SettingsRow
          label="Email address"
          action={
            <Button size="s" onClick={() => setDialog("email")}>
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
              <Button size="s" onClick={() => setDialog("password")}>
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
      {dialog === "email" && <EmailDialog {...props} />}
      {dialog === "password" && <PasswordDialog {...props} />}
    </SettingsSection>
  );
}

/** An account without a password gets the link for a forgotten one. */
function FirstPassword({ viewer: { email } }: { viewer: Viewer }) {
  const navigate = useNavigate();
  const linkRequest = trpc.users.forgotPassword.useMutation({
    onSuccess: () =>
      toast({ kind: "success", message: `We sent a link to ${email}. Open it to set a password.` }),
    onError: (error, input) => showFailure(error, navigate, () => linkRequest.mutate(input), messages.wrong),
  });
  return (
    <Button size="s" busy={linkRequest.isPending} onClick={() => linkRequest.mutate({ email })}>
      Set a password
    </Button>
  );
}
