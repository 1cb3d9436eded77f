import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { registerServiceWorker } from "../storage/register-service-worker.ts";
import { showFailure } from "../session/failure.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";

/** The state of push notifications in this browser. */
type PushState = "unknown" | "unsupported" | "denied" | "off" | "on";

const stateTexts: Record<Exclude<PushState, "unknown">, string> = {
  unsupported:
    "This browser doesn’t support push notifications. On an iPhone or iPad, add this site to your home screen first.",
  denied: "Notifications are blocked for this site. Allow them in your browser’s settings, then come back.",
  off: "Push notifications are off on this device.",
  on: "Push notifications are on for this device. You won’t get them while you’re on the site.",
};

const TIMEOUT_MS = 2_000;

/** Turns push on this device on and off. Asks for permission only after a click. */
export function PushSetting() {
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  const [state, setState] = useState<PushState>("unknown");
  const { mutateAsync: subscribe } = trpc.push.subscribe.useMutation();
  const { mutateAsync: unsubscribe } = trpc.push.unsubscribe.useMutation();

  const updateState = useCallback(async (): Promise<void> => {
    const registration = "serviceWorker" in navigator ? await registerServiceWorker() : undefined;
    if (!registration || !("PushManager" in window) || !("Notification" in window))
      return setState("unsupported");
    if (Notification.permission === "denied") return setState("denied");
    // Without its push service a browser may never answer.
    const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));
    const subscription = await Promise.race([registration.pushManager.getSubscription(), timeout]);
    if (!subscription) return setState("off");
    const { on, renewable } = await client.push.state.query();
    // The site ended the subscription, for example after a password change, but the browser still has it.
    if (!on && renewable) await subscribe(subscriptionInput(subscription));
    setState(on || renewable ? "on" : "off");
  }, [client, subscribe]);
  const isPushed = trpc.users.sessions.useQuery(undefined, {
    select: ({ sessions }) => sessions.some(({ current, push }) => current && push),
  }).data;
  useEffect(() => {
    const refresh = (): void => void updateState().catch(() => setState("off"));
    refresh();
    // The person may return from the browser's settings.
    addEventListener("focus", refresh);
    return () => removeEventListener("focus", refresh);
  }, [updateState, isPushed]);

  const toggle = useMutation({
    mutationFn: async (on: boolean) => {
      const registration = await registerServiceWorker();
      if (on && (await Notification.requestPermission()) === "granted" && registration) {
        const { key } = await client.push.state.query();
        await subscribe(await subscriptionTo(registration, key));
      } else if (!on) {
        await unsubscribe();
        await (await registration?.pushManager.getSubscription())?.unsubscribe();
      }
      await updateState();
    },
    onError: (error, on) => {
      if (error instanceof DOMException)
        toast({
          kind: "error",
          message: "Your browser’s push service can’t be reached. Please try again later.",
        });
      else showFailure(error, navigate, () => toggle.mutate(on), messages.update);
    },
  });
  if (state === "unknown") return null;
  return (
    <div className="row wrap between push-setting">
      <p className="soft" role="status">
        {stateTexts[state]}
      </p>
      {(state === "off" || state === "on") && (
        <Button size="s" busy={toggle.isPending} onClick={() => toggle.mutate(state === "off")}>
          {state === "off" ? "Turn on for this device" : "Turn off for this device"}
        </Button>
      )}
    </div>
  );
}

type SubscriptionInput = { endpoint: string; keys: { p256dh: string; auth: string } };

/** Subscribes with the site's key. Replaces a subscription made with another key. */
async function subscriptionTo(
  { pushManager }: ServiceWorkerRegistration,
  key: string,
): Promise<SubscriptionInput> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    const before = await pushManager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe();
    return pushManager.subscribe(options);
  });
  return subscriptionInput(subscription);
}

function subscriptionInput(subscription: PushSubscription): SubscriptionInput {
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh, auth } };
}
