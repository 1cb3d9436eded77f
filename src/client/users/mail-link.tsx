import { useEffect, useEffectEvent, useState } from "react";
import type { ReactNode } from "react";
import { useParams } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { errorMessage, unsureMessage } from "../api/errors.ts";
import { useViewer } from "../session/viewer.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { useHydrated } from "../ui/hydrated.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

/*
 * What the pages behind the links of mails show in their AuthFrame: they ask first or act at once, and say how it ended.
 */

/** A link of a mail works once: however often React runs an effect or the session changes under the page, it is sent one time. */
const asked = new Map<string, Promise<unknown>>();

/**
 * Sends the token of the page's address. The script makes the call, so that a mail scanner that only fetches the link does
 * nothing (docs/specification.md, 2.22).
 */
export function useMailLink<Answer>(
  send: (asked: { token: string }) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): { failure: unknown; retry: () => void } {
  const { token = "" } = useParams();
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const ask = useEffectEvent(() => send({ token }));
  const succeed = useEffectEvent(onDone);

  useEffect(() => {
    let left = false;
    const answer = (asked.get(token) as Promise<Answer> | undefined) ?? ask();
    asked.set(token, answer);
    answer.then(
      (said) => !left && succeed(said),
      (error: unknown) => {
        asked.delete(token);
        if (!left) setFailure(error);
      },
    );
    return () => {
      left = true;
    };
  }, [token, tries]);

  const retry = (): void => {
    setFailure(null);
    setTries(tries + 1);
  };
  return { failure, retry };
}

interface Outcome {
  /** Where it leads on; else members to their settings and others to sign in. */
  to?: "home" | "settings";
}

/** Says how it ended, and leads on. */
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
      <p className="auth-text" role={problem ? "alert" : "status"}>
        {children}
      </p>
      <LinkButton kind="primary" to={path}>
        {label}
      </LinkButton>
    </>
  );
}

/** Says what the server said of a link that does not work. */
export const LinkRefused = ({ error, ...outcome }: Outcome & { error: unknown }) => (
  <LinkOutcome problem {...outcome}>
    {errorMessage(error, messages.wrong)}
  </LinkOutcome>
);

/** Shows that a link that acts at once is at work. */
export const LinkAtWork = ({ label, noScript }: { label: string; noScript: string }) => (
  <>
    <Loading label={label}>
      <Skeleton />
      <Skeleton width="60%" />
    </Loading>
    <noscript>
      <p className="auth-note">{noScript}</p>
    </noscript>
  </>
);

/** Says that no answer came to a link that acts at once. */
export const LinkLost = ({ retry }: { retry: () => void }) => (
  <>
    <p className="auth-text" role="alert">
      We can’t reach the server.
    </p>
    <Button onClick={retry}>Retry</Button>
  </>
);

/** Asks before the link does anything: some scanners of mails open links and run what is on the page. */
export function AskFirst({
  children,
  action,
  keep,
  noScript,
  error,
  busy,
  onConfirm,
}: {
  children: ReactNode;
  /** The button that does it. */
  action: string;
  /** The link that leaves everything as it is. */
  keep: string;
  noScript: string;
  error: unknown;
  busy: boolean;
  onConfirm: () => void;
}) {
  const hydrated = useHydrated();
  return (
    <>
      <p className="auth-text">{children}</p>
      <p className="auth-problem" role="alert">
        {error ? unsureMessage(error, messages.wrong) : null}
      </p>
      <Button
        kind="danger"
        className="auth-submit"
        busy={busy}
        disabled={!hydrated}
        data-waiting={!hydrated || undefined}
        onClick={onConfirm}
      >
        {action}
      </Button>
      <LinkButton to={routes.home()}>{keep}</LinkButton>
      <noscript>
        <p className="auth-note">{noScript}</p>
      </noscript>
    </>
  );
}
