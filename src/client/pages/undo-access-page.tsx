import { useParams } from "react-router-dom";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { AskFirst, LinkOutcome, LinkError } from "../sign-in/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Undo sign-in changes" };
}

/** Target of the links in emails about sign-in changes. */
export default function UndoAccessPage() {
  const { token = "" } = useParams();
  const { mutate, isPending, data, error } = trpc.users.followEmailLink.useMutation();
  if (data)
    return (
      <AuthFrame title={data.title}>
        <LinkOutcome>{data.message}</LinkOutcome>
      </AuthFrame>
    );
  if (errorCode(error) === "BAD_REQUEST")
    return (
      <AuthFrame title="That didn’t work">
        <LinkError error={error} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Wasn’t this you?">
      <AskFirst
        action="Undo"
        cancelLabel="It was me"
        noScript="Undoing this needs JavaScript."
        error={error}
        busy={isPending}
        onConfirm={() => mutate({ token })}
      >
        Undo it, and we’ll sign everyone out of your account and remove passkeys, codes and other sign-in
        methods added recently. Your password stops working, and we’ll send you a link to choose a new one.
      </AskFirst>
    </AuthFrame>
  );
}
