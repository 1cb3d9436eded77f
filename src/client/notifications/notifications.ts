import { limits } from "../../shared/limits.ts";
import type { NotificationRef } from "../../shared/notification-inputs.ts";
import type { NotificationList } from "../../shared/notifications.ts";

/** The cached result of `social.notifications`. */
export interface CachedNotifications extends NotificationList {
  /** There are newer ones than listed. The list refetches when the viewer leaves it. */
  isStale?: boolean;
}

export const unreadCount = (unread: number): string =>
  unread < limits.notifications.counted ? `${unread}` : `${limits.notifications.counted - 1}+`;

export function withOneRead<Known extends CachedNotifications>(
  known: Known,
  { kind, target }: NotificationRef,
): Known {
  let { unread } = known;
  const notifications = known.notifications.map((notification) => {
    if (notification.kind !== kind || notification.target !== target || !notification.unread)
      return notification;
    // A count at the limit may mean more.
    if (unread < limits.notifications.counted) unread = Math.max(0, unread - 1);
    return { ...notification, unread: false };
  });
  if (unread === known.unread) return known;
  return { ...known, notifications, unread, unseen: Math.min(known.unseen, unread) };
}

export function withAllRead<Known extends CachedNotifications>(known: Known): Known {
  if (known.unread === 0 && !known.notifications.some((notification) => notification.unread)) return known;
  const notifications = known.notifications.map((notification) =>
    notification.unread ? { ...notification, unread: false } : notification,
  );
  return { ...known, notifications, unread: 0, unseen: 0 };
}

/** Marks all entries as seen, as opening the list does. */
export const withAllSeen = <Known extends CachedNotifications>(known: Known): Known =>
  known.unseen === 0 ? known : { ...known, unseen: 0 };
