import encodeQR from "qr";
import { useEffect, useRef, useState } from "react";
import type { AuthenticatorSetup, Viewer } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { TextField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import AskPasswordDialog from "../sign-in/ask-password-dialog.tsx";
import RecoveryCodes from "./recovery-codes.tsx";
import { FormDialog } from "../sign-in/form-dialog.tsx";
import { useFormSubmit } from "../sign-in/use-form-submit.ts";
import "./settings.css";

interface Props {
  viewer: Viewer;
  onClose: () => void;
}

/** Sets up an authenticator app: password, first code, recovery codes. */
export default function AppDialog({ viewer, onClose }: Props) {
  const beginApp = trpc.users.beginApp.useMutation();
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (setup) return <FirstCode setup={setup} onClose={onClose} onCodes={setCodes} />;
  return (
    <AskPasswordDialog
      viewer={viewer}
      title="Set up an authenticator app"
      action="Continue"
      onClose={onClose}
      onPassword={async (password) => setSetup(await beginApp.mutateAsync({ password }))}
    >
      <p>After your password, you’ll also enter a code from an app on your phone.</p>
    </AskPasswordDialog>
  );
}

function FirstCode({
  setup,
  onClose,
  onCodes,
}: {
  setup: AuthenticatorSetup;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const first = useRef<HTMLInputElement>(null);
  const confirmApp = trpc.users.confirmApp.useMutation();
  const sending = useFormSubmit();
  const { send, refuse, textOf, box } = sending;
  // The previous dialog, which had the focus, is gone.
  useEffect(() => first.current?.focus(), []);

  const confirm = (): void => {
    const code = textOf("code");
    if (refuse({ code: code.trim() === "" && "Enter the code from the app." })) return;
    send(async () => {
      const { message, codes } = await confirmApp.mutateAsync({ code });
      onCodes(codes);
      toast({ kind: "success", message });
    });
  };
  return (
    <FormDialog
      title="Set up an authenticator app"
      action="Turn on"
      sending={sending}
      first={first}
      onClose={onClose}
      onSubmit={confirm}
    >
      <p>Scan this with the app, or type in the key. Then enter the code from the app.</p>
      <QrCode text={setup.uri} />
      <p className="ink app-key">
        <span className="visually-hidden">The key: </span>
        {setup.secret.match(/.{1,4}/g)?.join(" ")}
      </p>
      <TextField
        ref={first}
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        {...box("code")}
      />
    </FormDialog>
  );
}

/** Black on white in any theme, as cameras need. */
function QrCode({ text }: { text: string }) {
  const rows = encodeQR(text, "raw", { ecc: "medium" });
  const dots = rows.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label="QR code for the app"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  );
}
