import { useEffect, useEffectEvent, useState } from "react";
import type { ReactNode } from "react";
import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage, unsureMessage } from "../api/errors.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, ScriptButton, LinkButton } from "../ui/button.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

/*
 * The content of the pages that emailed links open.
 */

/** By token: an emailed link works once, so it is sent once, however often effects run or the session changes. */
const sentTokens = new Map<string, Promise<unknown>>();

/**
 * Sends the token of the page's address. By script, so that a mail scanner that only fetches the link does nothing
 * (docs/specification.md, 2.22).
 */
export function useMailLink<Answer>(
  send: (input: { token: string }) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): { failure: unknown; retry: () => void } {
  const { token = "" } = useParams();
  const [failure, setFailure] = useState<unknown>(null);
  const [attempts, setAttempts] = useState(0);
  const sendToken = useEffectEvent(() => send({ token }));
  const succeed = useEffectEvent(onDone);

  useEffect(() => {
    let isStale = false;
    const answer = (sentTokens.get(token) as Promise<Answer> | undefined) ?? sendToken();
    sentTokens.set(token, answer);
    answer.then(
      (result) => !isStale && succeed(result),
      (error: unknown) => {
        sentTokens.delete(token);
        if (!isStale) setFailure(error);
      },
    );
    return () => {
      isStale = true;
    };
  }, [token, attempts]);

  const retry = (): void => {
    setFailure(null);
    setAttempts(attempts + 1);
  };
  return { failure, retry };
}

interface Outcome {
  /** The next page; by default settings for members, sign-in for guests. */
  to?: "home" | "settings";
}

export function LinkOutcome({
  problem = false,
  to,
  children,
}: Outcome & { problem?: boolean; children: ReactNode }) {
  const viewer = useViewer();
  const next = to ?? (viewer ? "settings" : "sign in");
  const [path, label] = {
    home: [routes.home(), "Home"] as const,
    settings: ["/settings", "Settings"] as const,
    "sign in": [routes.signIn(), "Sign In"] as const,
  }[next];
  return (
    <>
      <p className="lead" role={problem ? "alert" : "status"}>
        {children}
      </p>
      <LinkButton kind="primary" to={path}>
        {label}
      </LinkButton>
    </>
  );
}

/** The server's reason why a link does not work. */
export const LinkError = ({ error, ...outcome }: Outcome & { error: unknown }) => (
  <LinkOutcome problem {...outcome}>
    {errorMessage(error, messages.wrong)}
  </LinkOutcome>
);

export const LinkLoading = ({ label, noScript }: { label: string; noScript: string }) => (
  <>
    <Loading label={label}>
      <Skeleton />
      <Skeleton width="60%" />
    </Loading>
    <noscript>
      <p className="note">{noScript}</p>
    </noscript>
  </>
);

export const LinkUnanswered = ({ retry }: { retry: () => void }) => (
  <>
    <p className="lead" role="alert">
      We can’t reach the server.
    </p>
    <Button onClick={retry}>Retry</Button>
  </>
);

/** Asks before the link takes effect: some mail scanners open links and run scripts. */
export function AskFirst({
  children,
  action,
  cancelLabel,
  noScript,
  error,
  busy,
  onConfirm,
}: {
  children: ReactNode;
  action: string;
  /** The label of the link that changes nothing. */
  cancelLabel: string;
  noScript: string;
  error: unknown;
  busy: boolean;
  onConfirm: () => void;
}) {
  return (
    <>
      <p className="lead">{children}</p>
      <p className="alert" role="alert">
        {error ? unsureMessage(error, messages.wrong) : null}
      </p>
      <ScriptButton kind="danger" busy={busy} onClick={onConfirm}>
        {action}
      </ScriptButton>
      <LinkButton to={routes.home()}>{cancelLabel}</LinkButton>
      <noscript>
        <p className="note">{noScript}</p>
      </noscript>
    </>
  );
}
