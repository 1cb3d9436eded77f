import type { PushMessage, PushState } from "../../shared/push.ts";
import type { GoToMessage } from "../../shared/service-worker.ts";
import { scope } from "./scope.ts";

/** Shows a notification, and closes those that were read meanwhile. Each push must show one, or the browser ends pushes. */
export async function onPush({ tag, title, body, url, read }: PushMessage): Promise<void> {
  // First: asked for all notifications, Chromium drops one that it has not displayed yet.
  await close((notification) => read.includes(notification.tag)).catch(() => undefined);
  await scope.registration.showNotification(title, {
    tag,
    body,
    icon: "/static/icons/192.png",
    data: { url },
  });
}

async function close(isRead: (notification: Notification) => boolean): Promise<void> {
  for (const notification of await scope.registration.getNotifications())
    if (isRead(notification)) notification.close();
}

/** Opens the notification's address, in an open page of the site or a new one. */
export async function onNotificationClick(notification: Notification): Promise<void> {
  notification.close();
  const { url } = notification.data as { url: string };
  const [openClient] = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!openClient) return void (await scope.clients.openWindow(url));
  // Browsers allow this only for a moment after the click.
  await openClient.focus().catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of ours, which has one origin
  openClient.postMessage({ kind: "go-to", url } satisfies GoToMessage);
}

/**
 * Replaces a push subscription that the browser's push service has ended, if the session that made it still wants pushes: a person
 * who has signed in since has not asked for them. Some browsers have made a new one already but name no key: it is fetched.
 */
export async function onSubscriptionChange(): Promise<void> {
  const { pushManager } = scope.registration;
  const response = await fetch("/trpc/push.state");
  if (!pushManager || !response.ok) return;
  const { key, renewable } = ((await response.json()) as { result: { data: PushState } }).result.data;
  if (!renewable) return;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/trpc/push.subscribe", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }),
  });
}

/** Closes all notifications and ends the subscription, after the person has signed out. */
export async function endPushes(): Promise<void> {
  await close(() => true);
  await (await scope.registration.pushManager?.getSubscription())?.unsubscribe();
}
