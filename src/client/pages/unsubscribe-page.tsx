import { useState } from "react";
import type { FormEvent } from "react";
import { messages } from "../../shared/errors.ts";
import { errorCode, errorMessage, unsureMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useParams } from "../ui/location.ts";
import { AuthFrame } from "../users/auth-frame.tsx";

export function prefetch(): PageFacts {
  return { title: "No more mails" };
}

/**
 * Where the link leads that ends mails about notices: the page asks first, since what looks through mails opens their links. Without
 * a script the form is sent to where mail programs send theirs.
 */
export default function UnsubscribePage() {
  const { token = "" } = useParams();
  const { client } = trpc.useUtils();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<unknown>(null);

  const end = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      setSaid((await client.social.unsubscribe.mutate({ token })).message);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const isWrong = failure !== null && errorCode(failure) === "BAD_REQUEST";
  if (said !== "" || isWrong)
    return (
      <AuthFrame title={isWrong ? "That did not work" : "No more mails"}>
        <p className="auth-text" role={isWrong ? "alert" : "status"}>
          {isWrong ? errorMessage(failure, messages.wrong) : said}
        </p>
        <LinkButton kind="primary" href="/settings">
          Settings
        </LinkButton>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Get no more mails?">
      <p className="auth-text">
        You will get no more mails about comments, likes, followers and the like. On the site you are told as
        before.
      </p>
      {failure !== null && (
        <p className="auth-text" role="alert">
          {unsureMessage(failure, messages.wrong)}
        </p>
      )}
      <form method="post" onSubmit={(event) => void end(event)}>
        <Button type="submit" kind="primary" busy={busy}>
          No more mails
        </Button>
      </form>
    </AuthFrame>
  );
}
