import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage, isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import { useMailLink } from "../users/use-mail-link.ts";

export function loader(): PageFacts {
  return { title: "Your e-mail address" };
}

interface Done {
  title: string;
  message: string;
}

/** Where the links lead that change an address, allow it or take it back. */
export default function ChangeEmailPage() {
  const viewer = useViewer();
  const [done, setDone] = useState<Done | null>(null);
  const { mutateAsync } = trpc.users.followEmailLink.useMutation();
  const { failure, retry } = useMailLink(mutateAsync, setDone);

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
      <LinkButton kind="primary" to={viewer ? "/settings" : routes.signIn()}>
        {viewer ? "Settings" : "Sign In"}
      </LinkButton>
    </AuthFrame>
  );
}
