import { useEffect, useRef, useSyncExternalStore } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { PageProps } from "../app/page.ts";
import { useNavigation } from "../app/use-navigation.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import "./problem-page.css";

/** Where a page could not be made, or could not be had because there is no network: then it comes by itself once there is. */
export default function ErrorPage({ failure = messages.wrong }: PageProps) {
  const navigation = useNavigation();
  const isOnline = useSyncExternalStore(
    followNetwork,
    () => navigator.onLine,
    () => true,
  );
  const wasOffline = useRef(false);
  useEffect(() => {
    if (isOnline && wasOffline.current) void navigation?.reload();
    wasOffline.current = !isOnline;
  }, [isOnline, navigation]);
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
          ? "The page could not be loaded. It may work in a moment."
          : "You are offline. The page will be here as soon as the connection is back."}
      </p>
      <div className="problem-actions">
        <Button kind="primary" onClick={() => void navigation?.reload()}>
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
