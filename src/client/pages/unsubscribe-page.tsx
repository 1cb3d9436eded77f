import type { FormEvent } from "react";
import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { errorCode, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button } from "../ui/button.tsx";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { LinkOutcome, LinkError } from "../sign-in/mail-link.tsx";

export function loader(): PageFacts {
  return { title: "Unsubscribe" };
}

/**
 * Target of the emailed link that ends notification emails. It asks first, since email scanners open links. Without scripts the
 * form is sent to the one-click endpoint of mail programs.
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
      <AuthFrame title="Unsubscribe">
        <LinkOutcome to="settings">{data.message}</LinkOutcome>
      </AuthFrame>
    );
  if (errorCode(error) === "BAD_REQUEST")
    return (
      <AuthFrame title="That didn’t work">
        <LinkError error={error} to="settings" />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Unsubscribe from emails?">
      <p className="lead">
        You’ll no longer get emails about comments, likes and followers. You’ll still get notifications on the
        site.
      </p>
      {error && (
        <p className="lead" role="alert">
          {unsureMessage(error, messages.wrong)}
        </p>
      )}
      <form method="post" onSubmit={end}>
        <Button type="submit" kind="primary" busy={isPending}>
          Unsubscribe
        </Button>
      </form>
    </AuthFrame>
  );
}
