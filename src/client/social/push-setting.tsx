import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { beginWorker } from "../device/worker.ts";
import { tellFailure } from "../session/failure.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";

/** How this browser stands to being told while no page is open. */
type Stand = "unknown" | "unsupported" | "denied" | "off" | "on";

const said: Record<Exclude<Stand, "unknown">, string> = {
  unsupported:
    "This browser can’t show notifications of this site. On an iPhone or iPad, add the site to the home screen first.",
  denied:
    "Your browser does not let this site show notifications. Allow it in the browser’s settings for this site, then come back.",
  off: "This browser shows no notifications while no page of the site is open.",
  on: "This browser shows what is on under “Push”, unless you are looking at a page of the site.",
};

const PATIENCE = 2_000;

/** Push on this device: asked for by a click, and never before. */
export function PushSetting() {
  const { client } = trpc.useUtils();
  const navigate = useNavigate();
  const [stand, setStand] = useState<Stand>("unknown");
  const { mutateAsync: subscribe } = trpc.push.subscribe.useMutation();
  const { mutateAsync: unsubscribe } = trpc.push.unsubscribe.useMutation();

  const look = useCallback(async (): Promise<void> => {
    const registration = "serviceWorker" in navigator ? await beginWorker() : undefined;
    if (!registration || !("PushManager" in window) || !("Notification" in window))
      return setStand("unsupported");
    if (Notification.permission === "denied") return setStand("denied");
    // Where its push service can't be reached a browser may never answer.
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
    const subscription = await Promise.race([registration.pushManager.getSubscription(), late]);
    if (!subscription) return setStand("off");
    const { on, renewable } = await client.push.state.query();
    // A new password, for one, has ended it on the site, which this browser still has.
    if (!on && renewable) await subscribe(sentOf(subscription));
    setStand(on || renewable ? "on" : "off");
  }, [client, subscribe]);
  const isPushed = trpc.users.sessions.useQuery(undefined, {
    select: ({ sessions }) => sessions.some(({ current, push }) => current && push),
  }).data;
  useEffect(() => {
    const lookAgain = (): void => void look().catch(() => setStand("off"));
    lookAgain();
    // Somebody comes back from the browser's own settings.
    addEventListener("focus", lookAgain);
    return () => removeEventListener("focus", lookAgain);
  }, [look, isPushed]);

  const turning = useMutation({
    mutationFn: async (on: boolean) => {
      const registration = await beginWorker();
      if (on && (await Notification.requestPermission()) === "granted" && registration) {
        const { key } = await client.push.state.query();
        await subscribe(await subscriptionTo(registration, key));
      } else if (!on) {
        await unsubscribe();
        await (await registration?.pushManager.getSubscription())?.unsubscribe();
      }
      await look();
    },
    onError: (error, on) => {
      if (error instanceof DOMException)
        toast({
          kind: "error",
          message: "Your browser’s push service can’t be reached. Please try again later.",
        });
      else tellFailure(error, navigate, () => turning.mutate(on), messages.update);
    },
  });
  if (stand === "unknown") return null;
  return (
    <div className="push-setting">
      <p className="settings-text" role="status">
        {said[stand]}
      </p>
      {(stand === "off" || stand === "on") && (
        <Button size="s" busy={turning.isPending} onClick={() => turning.mutate(stand === "off")}>
          {stand === "off" ? "Turn on for this device" : "Turn off for this device"}
        </Button>
      )}
    </div>
  );
}

type Sent = { endpoint: string; keys: { p256dh: string; auth: string } };

/** What the push service of this browser gave for our key; one that was given for another key gives way. */
async function subscriptionTo({ pushManager }: ServiceWorkerRegistration, key: string): Promise<Sent> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    const before = await pushManager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe();
    return pushManager.subscribe(options);
  });
  return sentOf(subscription);
}

/** What the site is sent of a subscription. */
function sentOf(subscription: PushSubscription): Sent {
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh, auth } };
}
