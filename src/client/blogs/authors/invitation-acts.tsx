import { useEffect, useRef, useState } from "react";
import type { InvitationAnswer } from "../../../shared/authors.ts";
import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import { tellFailure } from "../../session/failure.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useNavigate } from "../../ui/location.ts";
import { toast } from "../../ui/toasts.tsx";
import "./authors.css";

interface Props {
  /** The blog's. */
  id: string;
  /** Of what says what one is invited to. */
  describedBy?: string;
  /** The text is opened from here. */
  onFollow?: (() => void) | undefined;
}

/** Accept and Decline; who accepts goes on into the text. */
export function InvitationActs({ id, describedBy, onFollow }: Props) {
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<boolean>();
  const [answer, setAnswer] = useState<InvitationAnswer | null>(null);
  const link = useRef<HTMLAnchorElement>(null);
  // What was pressed is gone.
  useEffect(() => {
    if (answer?.slug) link.current?.focus();
  }, [answer]);

  const give = async (accept: boolean): Promise<void> => {
    setBusy(accept);
    try {
      const given = await client.blogs.answerInvitation.mutate({ id, accept });
      setAnswer(given);
      const { slug, message } = given;
      const open = () => {
        onFollow?.();
        void navigate(routes.edit(slug ?? ""));
      };
      toast({ kind: "success", message, ...(slug ? { action: { label: "Open the text", run: open } } : {}) });
    } catch (error) {
      tellFailure(error, navigate, () => void give(accept));
    }
    setBusy(undefined);
  };
  if (answer)
    return (
      <div className="invitation-acts">
        <span>{answer.message}</span>
        {answer.slug && (
          <LinkButton ref={link} size="s" href={routes.edit(answer.slug)} onClick={onFollow}>
            Open the text
          </LinkButton>
        )}
      </div>
    );
  return (
    <div className="invitation-acts">
      <Button
        size="s"
        kind="primary"
        busy={busy === true}
        aria-describedby={describedBy}
        onClick={() => void give(true)}
      >
        Accept
      </Button>
      <Button size="s" busy={busy === false} aria-describedby={describedBy} onClick={() => void give(false)}>
        Decline
      </Button>
    </div>
  );
}
