import { useEffect, useState } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage, isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useParams } from "../ui/location.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";

export function prefetch(): PageFacts {
  return { title: "Your e-mail address", unlisted: true };
}

interface Done {
  title: string;
  message: string;
}

/** A link works once: however often React runs an effect or the session changes under the page, it is sent one time. */
const asked = new Map<string, Promise<Done>>();

/** Where the links lead that change an address, allow it or take it back. The script makes the call, as in verify-email-page.tsx. */
export default function ChangeEmailPage() {
  const { token = "" } = useParams();
  const { client } = trpc.useUtils();
  const viewer = useViewer();
  const [done, setDone] = useState<Done | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let left = false;
    const answer = asked.get(token) ?? client.users.followEmailLink.mutate({ token });
    asked.set(token, answer);
    answer.then(
      (said) => !left && setDone(said),
      (error: unknown) => {
        asked.delete(token);
        if (!left) setFailure(error);
      },
    );
    return () => {
      left = true;
    };
  }, [client, token, tries]);

  if (!done && failure === null)
    return (
      <AuthFrame title="One moment">
        <Loading label="Asking the site">
          <Skeleton />
          <Skeleton width="60%" />
        </Loading>
        <noscript>
          <p className="auth-note">Changing an address needs JavaScript.</p>
        </noscript>
      </AuthFrame>
    );
  if (failure !== null && isUnanswered(failure)) {
    const retry = (): void => {
      setFailure(null);
      setTries(tries + 1);
    };
    return (
      <AuthFrame title="That did not work">
        <p className="auth-text" role="alert">
          The server can’t be reached.
        </p>
        <Button onClick={retry}>Retry</Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={done?.title ?? "That did not work"}>
      <p className="auth-text" role={done ? "status" : "alert"}>
        {done?.message ?? errorMessage(failure, messages.wrong)}
      </p>
      <LinkButton kind="primary" href={viewer ? "/settings" : routes.signIn()}>
        {viewer ? "Settings" : "Sign In"}
      </LinkButton>
    </AuthFrame>
  );
}
