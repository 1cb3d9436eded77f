import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { useParams } from "../ui/location.ts";
import { AuthFrame } from "../users/auth-frame.tsx";
import { endSession } from "../session/session.ts";
import { useViewer } from "../session/viewer.ts";

export function prefetch(): PageFacts {
  return { title: "Delete your account" };
}

/** Where the mail's link leads that deletes an account: the page asks once more, so that whoever only fetches it deletes nothing. */
export default function DeleteAccountPage() {
  const { token = "" } = useParams();
  const { client } = trpc.useUtils();
  const viewer = useViewer();
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [gone, setGone] = useState("");
  const [failure, setFailure] = useState<unknown>(null);

  const remove = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const { message } = await endSession(() => client.users.removeByMail.mutate({ token }), { to: null });
      setGone(message);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  if (gone !== "") {
    return (
      <AuthFrame title="Goodbye">
        <p className="auth-text" role="status">
          {gone} Nobody can sign in to it any more.
        </p>
        <LinkButton kind="primary" href={routes.home()}>
          Home
        </LinkButton>
      </AuthFrame>
    );
  }
  if (failure !== null && errorCode(failure) === "BAD_REQUEST") {
    return (
      <AuthFrame title="That did not work">
        <p className="auth-text" role="alert">
          {errorMessage(failure, messages.wrong)}
        </p>
        {viewer ? (
          <LinkButton kind="primary" href="/settings">
            Settings
          </LinkButton>
        ) : (
          <LinkButton kind="primary" href={routes.signIn()}>
            Sign In
          </LinkButton>
        )}
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Delete your account?">
      <p className="auth-text">
        Your blogs, drafts, likes, followers and comments go with it. This can’t be undone.
      </p>
      <p className="auth-problem" role="alert">
        {failure === null ? "" : unsureMessage(failure, messages.wrong)}
      </p>
      <Button
        kind="danger"
        className="auth-submit"
        busy={busy}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
        onClick={() => void remove()}
      >
        Delete Account
      </Button>
      <LinkButton href={routes.home()}>Keep it</LinkButton>
      <noscript>
        <p className="auth-note">Deleting an account needs JavaScript. Reading does not.</p>
      </noscript>
    </AuthFrame>
  );
}
