import { useMutation } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { AuthFrame } from "../users/auth-frame.tsx";
import { endSession } from "../session/session.ts";
import { useViewer } from "../session/viewer.ts";

export function loader(): PageFacts {
  return { title: "Delete your account" };
}

/** Where the mail's link leads that deletes an account: the page asks once more, so that whoever only fetches it deletes nothing. */
export default function DeleteAccountPage() {
  const { token = "" } = useParams();
  const viewer = useViewer();
  const hydrated = useHydrated();
  const removal = trpc.users.removeByMail.useMutation();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => endSession(() => removal.mutateAsync({ token }), { to: null }),
  });
  if (data) {
    return (
      <AuthFrame title="Goodbye">
        <p className="auth-text" role="status">
          {data.message} Nobody can sign in to it any more.
        </p>
        <LinkButton kind="primary" to={routes.home()}>
          Home
        </LinkButton>
      </AuthFrame>
    );
  }
  if (errorCode(error) === "BAD_REQUEST") {
    return (
      <AuthFrame title="That did not work">
        <p className="auth-text" role="alert">
          {errorMessage(error, messages.wrong)}
        </p>
        {viewer ? (
          <LinkButton kind="primary" to="/settings">
            Settings
          </LinkButton>
        ) : (
          <LinkButton kind="primary" to={routes.signIn()}>
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
        {error && unsureMessage(error, messages.wrong)}
      </p>
      <Button
        kind="danger"
        className="auth-submit"
        busy={isPending}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
        onClick={() => mutate()}
      >
        Delete Account
      </Button>
      <LinkButton to={routes.home()}>Keep it</LinkButton>
      <noscript>
        <p className="auth-note">Deleting an account needs JavaScript. Reading does not.</p>
      </noscript>
    </AuthFrame>
  );
}
