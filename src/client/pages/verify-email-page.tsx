import { useEffect, useState } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorCode, errorMessage, isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useNavigate, useParams } from "../ui/location.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toasts.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import { ResendVerification } from "../users/resend.tsx";
import { useViewer } from "../session/viewer.ts";

export function prefetch(): PageFacts {
  return { title: "Confirm your e-mail", unlisted: true };
}

/** A token works once: however often React runs an effect, it is sent one time. */
const asked = new Map<string, Promise<{ message: string }>>();

/** The script makes the call, so that a mail scanner that only fetches the link confirms nothing (docs/specification.md, 2.22). */
export default function VerifyEmailPage() {
  const { token = "" } = useParams();
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  const viewer = useViewer();
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let left = false;
    const answer = asked.get(token) ?? client.users.verifyEmail.mutate({ token });
    asked.set(token, answer);
    answer.then(
      ({ message }) => {
        if (left) return;
        toast({ kind: "success", message });
        void navigate(routes.signIn(), { replace: true });
      },
      (error: unknown) => {
        asked.delete(token);
        if (!left) setFailure(error);
      },
    );
    return () => {
      left = true;
    };
  }, [client, navigate, token, tries]);

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
  // Only who has confirmed it can be signed in: the link was opened once more.
  if (viewer && errorCode(failure) === "BAD_REQUEST") {
    return (
      <AuthFrame title="Your address is confirmed">
        <p className="auth-text">This link has done its work.</p>
        <LinkButton kind="primary" href={routes.home()}>
          Home
        </LinkButton>
      </AuthFrame>
    );
  }
  const retry = (): void => {
    setFailure(null);
    setTries(tries + 1);
  };
  return (
    <AuthFrame title="That did not work">
      <p className="auth-text" role="alert">
        {isUnanswered(failure) ? "The server can’t be reached." : errorMessage(failure, messages.wrong)}
      </p>
      {isUnanswered(failure) ? <Button onClick={retry}>Retry</Button> : <ResendVerification />}
    </AuthFrame>
  );
}
