import { useEffect, useEffectEvent } from "react";
import { trpc } from "../api/trpc.ts";
import type { NotificationRef } from "../../shared/notification-inputs.ts";
import type { CachedNotifications } from "./notifications.ts";
import { mutate, useLiveEvents } from "../live/live.ts";
import { readNotifications, seeNotifications } from "./notification-mutations.ts";

export const readNotification = ({ kind, target }: NotificationRef): void =>
  void mutate(readNotifications, { only: { kind, target } });

/** Marks the list as seen while it is visible: the bell then counts only newer notifications. */
export function useMarkSeen(cached: CachedNotifications | undefined): void {
  const newest = cached?.newest ?? null;
  const isNew = (cached?.unseen ?? 0) > 0 && cached?.isStale !== true;
  const markSeen = (): void => {
    if (newest && isNew && document.visibilityState === "visible") void mutate(seeNotifications, { newest });
  };
  const markSeenNow = useEffectEvent(markSeen);
  useEffect(() => markSeenNow(), [newest, isNew]);
  useVisibilityChange(markSeen);
}

function useVisibilityChange(handle: () => void): void {
  const onChange = useEffectEvent(handle);
  useEffect(() => {
    const listener = (): void => onChange();
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  }, []);
}

const eventKinds = {
  request: "follow.requested",
  follow: "follower.changed",
  "new-reports": "notification.created",
  "new-appeals": "notification.created",
  "new-sign-ups": "notification.created",
} as const;

/** Marks notifications as read whose content the page shows, also those that arrive meanwhile. */
export function useMarkReadWhileShown(kind: keyof typeof eventKinds, isShown = true): void {
  const { data } = trpc.social.notifications.useQuery(undefined, { enabled: false });
  const isUnread = data?.notifications.some((entry) => entry.kind === kind && entry.unread) ?? false;
  const markRead = (): void => {
    if (isShown && document.visibilityState === "visible") readNotification({ kind, target: "me" });
  };
  const markReadNow = useEffectEvent(markRead);
  useEffect(() => {
    if (isUnread) markReadNow();
  }, [isUnread]);
  useVisibilityChange(markRead);
  useLiveEvents((event) => {
    if (event.kind === eventKinds[kind]) markRead();
  });
}
