import { staffNotificationKinds, type StaffNotificationKind } from "../../shared/notifications.ts";
import type { Transaction } from "../database/writer.ts";
import type { JobHandler } from "../jobs/jobs.ts";
import { userTopic } from "../live/stored-events.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { deleteNotificationsOf } from "../notifications/queries.ts";
import { notifyForSite } from "../notifications/service.ts";
import { hasUnreadOf, staffIds, waitingForStaff } from "./staff-queries.ts";

/**
 * Notifies moderators of what was added: once until they have read it, so that a flood is one notification and one email.
 * Withdraws notifications of what no longer waits.
 */
export const notifyStaff: JobHandler<{ added?: StaffNotificationKind }> = {
  isRoutine: true,
  run: ({ database }, { added }) =>
    database.write(async (tx) => {
      const { reports, appeals, signups } = await waitingForStaff(tx);
      const counts = { "new-reports": reports, "new-appeals": appeals, "new-sign-ups": signups };
      const staff = await staffIds(tx);
      const settled = staffNotificationKinds.filter((kind) => counts[kind] === 0);
      publishWithdrawn(tx, await deleteNotificationsOf(tx, staff, settled));
      if (!added || counts[added] === 0) return;
      for (const userId of staff)
        if (!(await hasUnreadOf(tx, userId, added)))
          await notifyForSite(tx, { userId, kind: added, target: "me" });
    }),
};

/** Removes what a person was notified of as a moderator, also from emails that are due. */
export async function endStaffNotifications(tx: Transaction, userId: string): Promise<void> {
  const deleted = await deleteNotificationsOf(tx, [userId], staffNotificationKinds);
  if (deleted.length > 0) tx.emit(userTopic(userId), { kind: "notification.withdrawn" });
}
