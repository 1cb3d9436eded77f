import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useNavigation, useRevalidator } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { connectionStatus } from "../api/connection-status.ts";
import { pause, retryDelay } from "../api/retry.ts";
import type { Problem } from "./page.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import "./problem-page.css";

/** Shown for a page that failed. Where a retry may help, polls whether the site answers, and then loads the page. */
export default function ErrorPage({
  failure = messages.wrong,
  again,
  retry,
}: Problem & { retry?: () => void }) {
  const { state } = useNavigation();
  const { revalidate } = useRevalidator();
  // Not during a navigation, which it would cancel.
  const load = useEffectEvent(async () => {
    if (state === "idle") await revalidate();
  });
  const isOnline = useSyncExternalStore(
    followNetwork,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    if (again === undefined || !isOnline) return;
    let isStale = false;
    const tryAgain = async (attempt: number): Promise<void> => {
      await pause(Math.max(again * 1_000, retryDelay(attempt)));
      const answers = await connectionStatus.siteAnswers();
      if (isStale) return;
      if (answers) await load();
      void tryAgain(answers ? attempt + 1 : attempt);
    };
    void tryAgain(1);
    return () => void (isStale = true);
  }, [again, isOnline]);
  return (
    <div className="page stack gap-4 start problem">
      {!isOnline && (
        <p className="problem-sign">
          <Icon name="wifi-off" size={32} />
        </p>
      )}
      <h1>{failure}</h1>
      <p className="muted size-l problem-text">
        {isOnline
          ? "We couldn’t load this page. Try again in a moment."
          : "You’re offline. The page loads as soon as you’re back online."}
      </p>
      <div className="row wrap gap-3">
        <Button kind="primary" onClick={retry ?? (() => void revalidate())}>
          Retry
        </Button>
        <LinkButton to={routes.home()}>Go to the home page</LinkButton>
      </div>
    </div>
  );
}

function followNetwork(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
