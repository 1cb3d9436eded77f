import { useEffect, useEffectEvent } from "react";
import { trpc } from "../api/trpc.ts";
import type { NotificationRef } from "../../shared/social.ts";
import { mutate, useLiveEvents } from "../live/live.ts";
import { readNotifications, seeNotifications } from "./notification-mutations.ts";
import type { CachedNotifications } from "./notifications.ts";

export const readNotification = ({ kind, target }: NotificationRef): void =>
  void mutate(readNotifications, { only: { kind, target } });

/** Marks the list as seen while it is visible: the bell then counts only newer notifications. */
export function useMarkSeen(known: CachedNotifications | undefined): void {
  const newest = known?.newest ?? null;
  const isNew = (known?.unseen ?? 0) > 0 && known?.isStale !== true;
  const see = useEffectEvent(() => {
    if (newest && isNew && document.visibilityState === "visible") void mutate(seeNotifications, { newest });
  });
  useEffect(() => see(), [newest, isNew]);
  useEffect(() => {
    const seen = (): void => see();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
}

const eventKinds = { request: "follow.requested", follow: "follower.changed" } as const;

/** Marks notifications as read whose content the page shows, also those that arrive meanwhile. */
export function useMarkReadWhileShown(kind: keyof typeof eventKinds, isShown = true): void {
  const { data } = trpc.social.notifications.useQuery(undefined, { enabled: false });
  const isUnread = data?.notifications.some((one) => one.kind === kind && one.unread) ?? false;
  const see = (): void => {
    if (isShown && document.visibilityState === "visible") readNotification({ kind, target: "me" });
  };
  const look = useEffectEvent(see);
  useEffect(() => {
    if (isUnread) look();
  }, [isUnread]);
  useEffect(() => {
    const seen = (): void => look();
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  useLiveEvents((event) => {
    if (event.kind === eventKinds[kind]) see();
  });
}
