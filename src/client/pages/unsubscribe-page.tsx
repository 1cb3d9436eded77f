import type { FormEvent } from "react";
import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { errorCode, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button } from "../ui/button.tsx";
import { AuthFrame } from "../users/auth-frame.tsx";
import { LinkOutcome, LinkRefused } from "../users/mail-link.tsx";

export function loader(): PageFacts {
  return { title: "No more mails" };
}

/**
 * Where the link leads that ends mails about notifications: the page asks first, since what looks through mails opens their links. Without
 * a script the form is sent to where mail programs send theirs.
 */
export default function UnsubscribePage() {
  const { token = "" } = useParams();
  const { mutate, isPending, data, error } = trpc.social.unsubscribe.useMutation();

  const end = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ token });
  };
  if (data)
    return (
      <AuthFrame title="No more mails">
        <LinkOutcome to="settings">{data.message}</LinkOutcome>
      </AuthFrame>
    );
  if (errorCode(error) === "BAD_REQUEST")
    return (
      <AuthFrame title="That did not work">
        <LinkRefused error={error} to="settings" />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Get no more mails?">
      <p className="auth-text">
        You will get no more mails about comments, likes, followers and the like. On the site you are told as
        before.
      </p>
      {error && (
        <p className="auth-text" role="alert">
          {unsureMessage(error, messages.wrong)}
        </p>
      )}
      <form method="post" onSubmit={end}>
        <Button type="submit" kind="primary" busy={isPending}>
          No more mails
        </Button>
      </form>
    </AuthFrame>
  );
}
