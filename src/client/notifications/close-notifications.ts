import { useEffect } from "react";
import { notificationTag } from "../../shared/notification-text.ts";
import { trpc } from "../api/trpc.ts";
import type { CachedNotifications } from "./notifications.ts";

/** Closes the notifications on this device that were read on a page, here or elsewhere. */
export function useCloseRead(): void {
  const { data } = trpc.social.notifications.useQuery(undefined, { enabled: false });
  const cached: CachedNotifications | undefined = data;
  useEffect(() => {
    if (!cached) return;
    const { notifications, unread, isStale } = cached;
    // A stale list does not say what the newest is.
    const read = new Set(isStale ? [] : notifications.filter((one) => !one.unread).map(notificationTag));
    void closeShown((tag) => unread === 0 || read.has(tag)).catch(() => undefined);
  }, [cached]);
}

async function closeShown(isRead: (tag: string) => boolean): Promise<void> {
  const registration = await (navigator as Partial<Navigator>).serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? [])
    if (isRead(notification.tag)) notification.close();
}
