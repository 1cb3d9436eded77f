import { useState } from "react";
import { isUnanswered } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { AuthFrame } from "../users/auth-frame.tsx";
import { LinkAtWork, LinkLost, LinkOutcome, LinkRefused, useMailLink } from "../users/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Your email address" };
}

interface Done {
  title: string;
  message: string;
}

/** Where the links lead that change an address, allow it or take it back. */
export default function ChangeEmailPage() {
  const [done, setDone] = useState<Done | null>(null);
  const { mutateAsync } = trpc.users.followEmailLink.useMutation();
  const { failure, retry } = useMailLink(mutateAsync, setDone);

  if (done)
    return (
      <AuthFrame title={done.title}>
        <LinkOutcome>{done.message}</LinkOutcome>
      </AuthFrame>
    );
  if (failure === null)
    return (
      <AuthFrame title="One moment">
        <LinkAtWork label="Checking the link" noScript="Changing your address needs JavaScript." />
      </AuthFrame>
    );
  return (
    <AuthFrame title="That didn’t work">
      {isUnanswered(failure) ? <LinkLost retry={retry} /> : <LinkRefused error={failure} />}
    </AuthFrame>
  );
}
