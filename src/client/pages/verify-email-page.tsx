import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { toast } from "../ui/toasts.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import type { ConfirmedState } from "../sign-in/check-your-mail.tsx";
import { ResendVerification } from "../sign-in/resend.tsx";
import { LinkLoading, LinkUnanswered, LinkOutcome, useMailLink } from "../sign-in/mail-link.tsx";
import { useViewer } from "../session/viewer.ts";

export function loader(): PageFacts {
  return { title: "Confirm your email" };
}

export default function VerifyEmailPage() {
  const navigate = useNavigate();
  const [waitingMessage, setWaitingMessage] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  const { mutateAsync } = trpc.users.verifyEmail.useMutation();
  const { failure, retry } = useMailLink(mutateAsync, ({ message, waits, email }) => {
    if (email === null) return setDone(true);
    if (waits) return setWaitingMessage(message);
    toast({ kind: "success", message });
    void navigate(routes.signIn(), { replace: true, state: { email } satisfies ConfirmedState });
  });

  if (waitingMessage !== null)
    return (
      <AuthFrame title="Almost there">
        <LinkOutcome to="home">{waitingMessage}</LinkOutcome>
      </AuthFrame>
    );
  if (isDone)
    return (
      <AuthFrame title="Your address is confirmed">
        <LinkOutcome to="home">This link was already used.</LinkOutcome>
      </AuthFrame>
    );
  if (failure === null)
    return (
      <AuthFrame title="Confirming your address">
        <LinkLoading label="Confirming your address" noScript="Confirming an address needs JavaScript." />
      </AuthFrame>
    );
  return (
    <AuthFrame title="That didn’t work">
      <Failure failure={failure} retry={retry} />
    </AuthFrame>
  );
}

function Failure({ failure, retry }: { failure: unknown; retry: () => void }) {
  const viewer = useViewer();
  if (isUnanswered(failure)) return <LinkUnanswered retry={retry} />;
  // A signed-in viewer has a confirmed address and needs no new link.
  if (viewer && errorCode(failure) === "BAD_REQUEST")
    return (
      <LinkOutcome problem to="home">
        This link is incomplete or expired. Your own address is confirmed.
      </LinkOutcome>
    );
  return (
    <>
      <p className="lead" role="alert">
        {errorMessage(failure, messages.wrong)}
      </p>
      <ResendVerification />
    </>
  );
}
