import { useParams } from "react-router-dom";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { AuthFrame } from "../users/auth-frame.tsx";
import { AskFirst, LinkOutcome, LinkRefused } from "../users/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Undo changes to signing in" };
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
      <AuthFrame title="That did not work">
        <LinkRefused error={error} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Was this not you?">
      <AskFirst
        action="Undo"
        keep="It was me"
        noScript="Undoing this needs JavaScript."
        error={error}
        busy={isPending}
        onConfirm={() => mutate({ token })}
      >
        You can undo it. Everybody is signed out of your account, and passkeys, codes and other ways to sign
        in that were added lately are removed. Your password stops working: we send you a link to choose a new
        one.
      </AskFirst>
    </AuthFrame>
  );
}
