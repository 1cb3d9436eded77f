import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import type { Viewer } from "../../shared/users.ts";
import { unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { ScriptButton } from "../ui/button.tsx";
import { codeLoader } from "../ui/fetch-code.ts";
import { Icon } from "../ui/icon.tsx";

const loadPasskeys = codeLoader(() => import("./passkey-browser.ts"));

export interface SignedIn {
  viewer: Viewer;
  message: string;
  cursor: string;
}

/** Signs in with a passkey alone. Its code is loaded on click. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (answer: SignedIn) => Promise<void> }) {
  const optionsRequest = trpc.users.passkeyOptions.useMutation();
  const passkeySignIn = trpc.users.signInWithPasskey.useMutation();
  const [problem, setProblem] = useState("");
  const signIn = useMutation({
    mutationFn: async () => {
      setProblem("");
      const { requestPasskey } = await loadPasskeys();
      const { options } = await optionsRequest.mutateAsync();
      const result = await requestPasskey(options);
      if (!result.answer) setProblem(result.problem);
      else await onSignedIn(await passkeySignIn.mutateAsync({ response: result.answer }));
    },
    onError: (error) => setProblem(unsureMessage(error, messages.wrong)),
  });
  return (
    <>
      <ScriptButton busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <Icon name="lock" /> Use a passkey
      </ScriptButton>
      <p className="alert" role="alert">
        {problem}
      </p>
    </>
  );
}
