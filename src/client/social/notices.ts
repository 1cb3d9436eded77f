import { limits } from "../../shared/limits.ts";
import type { NoticeGroup, NoticeName } from "../../shared/social.ts";

/** What `social.notices` answers. */
export interface Notices {
  notices: NoticeGroup[];
  unread: number;
  /** There are others by now than are listed: whoever shows the list asks for them when nobody is reading in it. */
  isOlder?: boolean;
}

/** How many are unread, as it is shown. */
export const unreadCount = (unread: number): string =>
  unread < limits.notices.counted ? `${unread}` : `${limits.notices.counted - 1}+`;

/** One entry read: what the viewer does by following it. */
export function oneRead<Known extends Notices>(known: Known, { kind, target }: NoticeName): Known {
  let { unread } = known;
  const notices = known.notices.map((one) => {
    if (one.kind !== kind || one.target !== target || !one.unread) return one;
    // Of so many or more one is not missed.
    if (unread < limits.notices.counted) unread = Math.max(0, unread - 1);
    return { ...one, unread: false };
  });
  return unread === known.unread ? known : { ...known, notices, unread };
}

export function allRead<Known extends Notices>(known: Known): Known {
  if (known.unread === 0 && !known.notices.some((one) => one.unread)) return known;
  const notices = known.notices.map((one) => (one.unread ? { ...one, unread: false } : one));
  return { ...known, notices, unread: 0 };
}
