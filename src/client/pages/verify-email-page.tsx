import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toasts.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import type { Confirmed } from "../users/check-your-mail.tsx";
import { ResendVerification } from "../users/resend.tsx";
import { useMailLink } from "../users/use-mail-link.ts";
import { useViewer } from "../session/viewer.ts";

export function loader(): PageFacts {
  return { title: "Confirm your e-mail" };
}

export default function VerifyEmailPage() {
  const navigate = useNavigate();
  const viewer = useViewer();
  const [waiting, setWaiting] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  const { mutateAsync } = trpc.users.verifyEmail.useMutation();
  const { failure, retry } = useMailLink(mutateAsync, ({ message, waits, email }) => {
    if (email === null) return setDone(true);
    if (waits) return setWaiting(message);
    toast({ kind: "success", message });
    void navigate(routes.signIn(), { replace: true, state: { email } satisfies Confirmed });
  });

  if (waiting !== null)
    return (
      <AuthFrame title="Almost there">
        <p className="auth-text" role="status">
          {waiting}
        </p>
        <LinkButton to={routes.home()}>Home</LinkButton>
      </AuthFrame>
    );
  // The link was opened once more, by whom it confirmed.
  if (isDone) {
    return (
      <AuthFrame title="Your address is confirmed">
        <p className="auth-text">This link has done its work.</p>
        <LinkButton kind="primary" to={routes.home()}>
          Home
        </LinkButton>
      </AuthFrame>
    );
  }
  if (failure === null) {
    return (
      <AuthFrame title="Confirming your address">
        <Loading label="Confirming your address">
          <Skeleton />
          <Skeleton width="60%" />
        </Loading>
        <noscript>
          <p className="auth-note">Confirming an address needs JavaScript.</p>
        </noscript>
      </AuthFrame>
    );
  }
  // Only who has confirmed their address can be signed in: a new link is of no use to them.
  if (viewer && errorCode(failure) === "BAD_REQUEST") {
    return (
      <AuthFrame title="That did not work">
        <p className="auth-text" role="alert">
          This link is none, or its time is over. Your own address is confirmed.
        </p>
        <LinkButton kind="primary" to={routes.home()}>
          Home
        </LinkButton>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="That did not work">
      <p className="auth-text" role="alert">
        {isUnanswered(failure) ? "The server can’t be reached." : errorMessage(failure, messages.wrong)}
      </p>
      {isUnanswered(failure) ? <Button onClick={retry}>Retry</Button> : <ResendVerification />}
    </AuthFrame>
  );
}
