import { useEffect, useEffectEvent } from "react";
import { trpc } from "../api/trpc.ts";
import type { NotificationRef } from "../../shared/social.ts";
import { mutate, useLiveEvents } from "../live/live.ts";
import { readNotifications, seeNotifications } from "./notification-mutations.ts";
import type { CachedNotifications } from "./notifications.ts";

/** Marks an entry as read. */
export const readNotification = ({ kind, target }: NotificationRef): void =>
  void mutate(readNotifications, { only: { kind, target } });

/** The viewer has seen the list while it is shown to them: the bell shows only what comes after its newest notification. */
export function useSeeNotifications(known: CachedNotifications | undefined): void {
  const newest = known?.newest ?? null;
  const isNew = (known?.unseen ?? 0) > 0 && known?.isOlder !== true;
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

const tells = { request: "follow.requested", follow: "follower.changed" } as const;

/** Marks notifications as read whose content the page shows, also those that arrive meanwhile. */
export function useReadWhileShown(kind: keyof typeof tells, isShown = true): void {
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
    if (event.kind === tells[kind]) see();
  });
}
