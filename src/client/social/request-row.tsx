import { useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { Button } from "../ui/button.tsx";
import { useKeptFocus } from "../ui/keep-focus.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { PersonRow } from "../users/person-row.tsx";
import { tellUpdateFailure } from "../users/update-failure.ts";
import { withRequest, withoutRequest } from "./requests.ts";

type Action = "accept" | "reject";

/** Somebody who asks to follow the viewer. Neither answer is asked about: a rejection can be undone. */
export function RequestRow({ request }: { request: FollowRequest }) {
  const { client, social } = trpc.useUtils();
  const navigate = useNavigate();
  const name = useId();
  const row = useRef<HTMLLIElement>(null);
  const [sent, setSent] = useState<Action | null>(null);
  const answered = useRef(false);
  // The answer and the stream both take the row away, in either order.
  useKeptFocus(row, answered);

  const leave = (): void => {
    social.requests.setData(
      undefined,
      (known) => known && { ...known, requests: withoutRequest(known.requests, request.id) },
    );
  };
  const answer = async (action: Action): Promise<void> => {
    answered.current = true;
    setSent(action);
    try {
      const { message } = await client.social.handleRequest.mutate({ requesterId: request.id, action });
      leave();
      if (action === "accept") toast({ kind: "success", message: message || messages.action });
      else
        toast({
          message: `Rejected ${request.name}’s request.`,
          action: { label: "Undo", run: () => void putBack() },
        });
    } catch (error) {
      answered.current = false;
      setSent(null);
      tellUpdateFailure(error, navigate, () => void answer(action), messages.wrong);
      // It was withdrawn, or answered in another tab.
      if (errorCode(error) === "NOT_FOUND") leave();
    }
  };
  const putBack = async (): Promise<void> => {
    try {
      await client.social.restoreRequest.mutate({ userId: request.id });
      social.requests.setData(
        undefined,
        (known) => known && { ...known, requests: withRequest(known.requests, request) },
      );
    } catch (error) {
      tellUpdateFailure(error, navigate, () => void putBack(), messages.wrong);
    }
  };
  const button = (action: Action, label: string) => (
    <Button
      size="s"
      kind={action === "accept" ? "primary" : "plain"}
      aria-describedby={name}
      busy={sent !== null}
      onClick={() => void answer(action)}
    >
      {label}
    </Button>
  );
  return (
    <PersonRow ref={row} person={request} nameId={name} note={<RelativeTime at={request.askedAt} />}>
      {button("accept", "Accept")}
      {button("reject", "Reject")}
    </PersonRow>
  );
}
