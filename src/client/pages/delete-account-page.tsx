import { useMutation } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { endSession } from "../session/session.ts";
import { AuthFrame } from "../sign-in/auth-frame.tsx";
import { AskFirst, LinkOutcome, LinkError } from "../sign-in/mail-link.tsx";
import type { PageFacts } from "./page.ts";

export function loader(): PageFacts {
  return { title: "Delete your account" };
}

export default function DeleteAccountPage() {
  const { token = "" } = useParams();
  const removal = trpc.users.deleteByLink.useMutation();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => endSession(() => removal.mutateAsync({ token }), { to: null }),
  });
  if (data)
    return (
      <AuthFrame title="Goodbye">
        <LinkOutcome to="home">{data.message} Nobody can sign in to it any more.</LinkOutcome>
      </AuthFrame>
    );
  if (errorCode(error) === "BAD_REQUEST")
    return (
      <AuthFrame title="That didn’t work">
        <LinkError error={error} />
      </AuthFrame>
    );
  return (
    <AuthFrame title="Delete your account?">
      <AskFirst
        action="Delete Account"
        cancelLabel="Keep account"
        noScript="Deleting your account needs JavaScript."
        error={error}
        busy={isPending}
        onConfirm={mutate}
      >
        We’ll delete your blogs, drafts, likes, followers and comments, too. This can’t be undone.
      </AskFirst>
    </AuthFrame>
  );
}
