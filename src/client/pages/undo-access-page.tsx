import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { AuthFrame } from "../users/auth-frame.tsx";

export function loader(): PageFacts {
  return { title: "Undo changes to signing in" };
}

/**
 * Where the link of a mail about signing in leads. The page asks first: a sign-in is mailed often, and some scanners of mails open
 * links and run what is on the page.
 */
export default function UndoAccessPage() {
  const { token = "" } = useParams();
  const hydrated = useHydrated();
  const { mutate, isPending, data: done, error } = trpc.users.followEmailLink.useMutation();
  const refusal = errorCode(error) === "BAD_REQUEST" ? errorMessage(error, messages.wrong) : null;
  if (done || refusal !== null)
    return (
      <AuthFrame title={done?.title ?? "That did not work"}>
        <p className="auth-text" role={done ? "status" : "alert"}>
          {done?.message ?? refusal}
        </p>
        <LinkButton kind="primary" to={routes.signIn()}>
          Sign In
        </LinkButton>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Was this not you?">
      <p className="auth-text">
        You can undo it. Everybody is signed out of your account, and passkeys, codes and other ways to sign
        in that were added lately are removed. Your password stops working: we send you a link to choose a new
        one.
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
        onClick={() => mutate({ token })}
      >
        Undo
      </Button>
      <LinkButton to={routes.home()}>It was me</LinkButton>
      <noscript>
        <p className="auth-note">Undoing this needs JavaScript.</p>
      </noscript>
    </AuthFrame>
  );
}
