import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { codeLoader } from "../ui/fetch-code.ts";
import { useHydrated } from "../ui/hydrated.ts";
import { Icon } from "../ui/icon.tsx";
import "./auth.css";

const loadPasskeys = codeLoader(() => import("./passkey-browser.ts"));

/** What a sign-in answers with. */
export interface SignedIn {
  viewer: Viewer;
  message: string;
  cursor: string;
}

/** Signs in with a passkey of this device, and nothing else. Its code comes with the click. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (answer: SignedIn) => Promise<void> }) {
  const { client } = trpc.useUtils();
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");

  const signIn = async (): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const { askPasskey } = await loadPasskeys();
      const { options } = await client.users.passkeyOptions.mutate();
      const asked = await askPasskey(options);
      if (!asked.answer) setProblem(asked.problem);
      else await onSignedIn(await client.users.signInWithPasskey.mutate({ response: asked.answer }));
    } catch (error) {
      setProblem(unsureMessage(error, messages.wrong));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        className="auth-submit"
        busy={busy}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
        onClick={() => void signIn()}
      >
        <Icon name="lock" /> Use a passkey
      </Button>
      <p className="auth-problem" role="alert">
        {problem}
      </p>
    </>
  );
}
