import { useId, useRef } from "react";
import type { FollowRequest } from "../../shared/social.ts";
import { Button } from "../ui/button.tsx";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast, toastWithUndo } from "../ui/toasts.tsx";
import { PersonRow } from "../profiles/person-row.tsx";
import { answerRequest, restoreRequest } from "./notification-mutations.ts";
import { mutate } from "../live/live.ts";

type Action = "accept" | "reject";

/** A follow request. No confirmation: a rejection can be undone. */
export function RequestRow({ request }: { request: FollowRequest }) {
  const name = useId();
  const row = useRef<HTMLLIElement>(null);
  const isAnswered = useRef(false);
  useFocusAfterRemoval(row, isAnswered);

  const answer = async (action: Action): Promise<void> => {
    isAnswered.current = true;
    const result = await mutate(answerRequest, { request, action });
    if (!result) return;
    if (action === "accept") toast({ kind: "success", message: result.message || "Action successful" });
    else toastWithUndo(`Rejected ${request.name}’s request.`, () => void mutate(restoreRequest, request));
  };
  const button = (action: Action, label: string) => (
    <Button
      size="s"
      kind={action === "accept" ? "primary" : "plain"}
      aria-describedby={name}
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
