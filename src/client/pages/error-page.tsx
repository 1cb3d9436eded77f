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

/**
 * Where a page could not be made, or could not be had because there is no network or no server: then it comes by itself once
 * there is. So that it comes soon, it is asked often whether the site answers, and the page only where it does.
 */
export default function ErrorPage({
  failure = messages.wrong,
  again,
  retry,
}: Problem & { retry?: () => void }) {
  const { state } = useNavigation();
  const { revalidate } = useRevalidator();
  // Wherever the reader is on the way to, they get there.
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
    let isLeft = false;
    const tryAgain = async (attempt: number): Promise<void> => {
      await pause(Math.max(again * 1_000, retryDelay(attempt)));
      const answers = await connectionStatus.siteAnswers();
      if (isLeft) return;
      if (answers) await load();
      void tryAgain(answers ? attempt + 1 : attempt);
    };
    void tryAgain(1);
    return () => void (isLeft = true);
  }, [again, isOnline]);
  return (
    <div className="page problem">
      {!isOnline && (
        <p className="problem-sign">
          <Icon name="wifi-off" size={32} />
        </p>
      )}
      <h1>{failure}</h1>
      <p className="problem-text">
        {isOnline
          ? "We couldn’t load this page. Try again in a moment."
          : "You’re offline. The page loads as soon as you’re back online."}
      </p>
      <div className="problem-actions">
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
