import { useParams } from "react-router-dom";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { AuthFrame } from "../users/auth-frame.tsx";
import { AskFirst, LinkOutcome, LinkRefused } from "../users/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Undo sign-in changes" };
}

/** Where the link of a mail about signing in leads. */
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
        <LinkRefused error={error} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Wasn’t this you?">
      <AskFirst
        action="Undo"
        keep="It was me"
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
