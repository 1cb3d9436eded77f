import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { showFailure } from "../session/failure.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import "./authors.css";

interface Props {
  /** The blog's id. */
  id: string;
  describedBy?: string;
  /** Called when the text is opened from here. */
  onFollow?: (() => void) | undefined;
}

/** The Accept and Decline buttons; after accepting, a link to the text. */
export function InvitationActions({ id, describedBy, onFollow }: Props) {
  const navigate = useNavigate();
  const answering = trpc.blogs.answerInvitation.useMutation({
    onSuccess: ({ slug, message }) => {
      const open = () => {
        onFollow?.();
        void navigate(routes.edit(slug ?? ""));
      };
      toast({ kind: "success", message, ...(slug ? { action: { label: "Open the text", run: open } } : {}) });
    },
    onError: (error, input) => showFailure(error, navigate, () => answering.mutate(input)),
  });
  const answer = answering.data;
  const link = useRef<HTMLAnchorElement>(null);
  // The pressed button is gone.
  useEffect(() => {
    if (answer?.slug) link.current?.focus();
  }, [answer]);

  if (answer)
    return (
      <div className="row wrap small">
        <span>{answer.message}</span>
        {answer.slug && (
          <LinkButton ref={link} size="s" to={routes.edit(answer.slug)} onClick={onFollow}>
            Open the text
          </LinkButton>
        )}
      </div>
    );
  return (
    <div className="row wrap small">
      {[true, false].map((accept) => (
        <Button
          key={String(accept)}
          size="s"
          {...(accept && { kind: "primary" })}
          busy={answering.isPending && answering.variables.accept === accept}
          aria-describedby={describedBy}
          onClick={() => answering.mutate({ id, accept })}
        >
          {accept ? "Accept" : "Decline"}
        </Button>
      ))}
    </div>
  );
}
