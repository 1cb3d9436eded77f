import { limits } from "../../shared/limits.ts";
import type { NotificationList, NotificationRef } from "../../shared/social.ts";

/** What `social.notifications` answers. */
export interface CachedNotifications extends NotificationList {
  /** There are others by now than are listed: whoever shows the list asks for them when nobody is reading in it. */
  isOlder?: boolean;
}

/** How many are unread, as it is shown. */
export const unreadCount = (unread: number): string =>
  unread < limits.notifications.counted ? `${unread}` : `${limits.notifications.counted - 1}+`;

/** One entry read: what the viewer does by following it. */
export function oneRead<Known extends CachedNotifications>(
  known: Known,
  { kind, target }: NotificationRef,
): Known {
  let { unread } = known;
  const notifications = known.notifications.map((one) => {
    if (one.kind !== kind || one.target !== target || !one.unread) return one;
    // Of so many or more one is not missed.
    if (unread < limits.notifications.counted) unread = Math.max(0, unread - 1);
    return { ...one, unread: false };
  });
  if (unread === known.unread) return known;
  return { ...known, notifications: notifications, unread, unseen: Math.min(known.unseen, unread) };
}

export function allRead<Known extends CachedNotifications>(known: Known): Known {
  if (known.unread === 0 && !known.notifications.some((one) => one.unread)) return known;
  const notifications = known.notifications.map((one) => (one.unread ? { ...one, unread: false } : one));
  return { ...known, notifications: notifications, unread: 0, unseen: 0 };
}

/** The list was opened: nothing of it is new any more. */
export const allSeen = <Known extends CachedNotifications>(known: Known): Known =>
  known.unseen === 0 ? known : { ...known, unseen: 0 };
