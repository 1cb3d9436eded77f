import { useState } from "react";
import { isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { LinkLoading, LinkUnanswered, LinkOutcome, LinkError, useMailLink } from "../sign-in/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Your email address" };
}

interface Done {
  title: string;
  message: string;
}

/** Target of emailed links that change an address, allow the change or revert it. */
export default function ChangeEmailPage() {
  const [outcome, setOutcome] = useState<Done | null>(null);
  const { mutateAsync } = trpc.users.followEmailLink.useMutation();
  const { failure, retry } = useMailLink(mutateAsync, setOutcome);

  if (outcome)
    return (
      <AuthFrame title={outcome.title}>
        <LinkOutcome>{outcome.message}</LinkOutcome>
      </AuthFrame>
    );
  if (failure === null)
    return (
      <AuthFrame title="One moment">
        <LinkLoading label="Checking the link" noScript="Changing your address needs JavaScript." />
      </AuthFrame>
    );
  return (
    <AuthFrame title="That didn’t work">
      {isUnanswered(failure) ? <LinkUnanswered retry={retry} /> : <LinkError error={failure} />}
    </AuthFrame>
  );
}
