import type { PushMessage, PushState } from "../../shared/push.ts";
import type { GoTo } from "../../shared/worker.ts";
import { scope } from "./scope.ts";

/** Shows what came while nobody looked, or closes what has been read elsewhere. */
export async function pushed(message: PushMessage): Promise<void> {
  if (message.kind === "read") return close(({ tag }) => message.tags.includes(tag));
  const { tag, title, body, url } = message;
  await scope.registration.showNotification(title, {
    tag,
    body,
    icon: "/static/icons/192.png",
    data: { url },
  });
}

async function close(isDone: (notification: Notification) => boolean): Promise<void> {
  for (const notification of await scope.registration.getNotifications())
    if (isDone(notification)) notification.close();
}

/** Leads to what it tells of: in a page of the site that is open, or a new one. */
export async function clicked(notification: Notification): Promise<void> {
  notification.close();
  const { url } = notification.data as { url: string };
  const [open] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open) return void (await scope.clients.openWindow(url));
  // Browsers let us for a moment after the click alone.
  await open.focus().catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of ours, which has one origin
  open.postMessage({ kind: "go-to", url } satisfies GoTo);
}

/**
 * The browser's push service has given up a subscription. Another takes its place where the session that asked for it still
 * wants it: whoever signed in since has asked for nothing. Some browsers have made the new one already, and give no key.
 */
export async function renewed(): Promise<void> {
  const { pushManager } = scope.registration;
  const asked = await fetch("/trpc/push.state");
  if (!pushManager || !asked.ok) return;
  const { key, renewable } = ((await asked.json()) as { result: { data: PushState } }).result.data;
  if (!renewable) return;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/trpc/push.subscribe", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }),
  });
}

/** Whoever was told of something is gone: nothing of it stays in sight, and no more comes. */
export async function endPushes(): Promise<void> {
  await close(() => true);
  await (await scope.registration.pushManager?.getSubscription())?.unsubscribe();
}
