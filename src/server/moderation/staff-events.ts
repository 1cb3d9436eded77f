import { staffNotificationKinds, type StaffNotificationKind } from "../../shared/notifications.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueueOnce } from "../jobs/jobs.ts";
import { userTopic } from "../live/stored-events.ts";
import { hasNotifications, hasStaffWork, staffIds } from "./staff-queries.ts";

/** Updates moderators' notifications, at most so often. */
export const staffNotificationJob = "staff-notifications";
const notifyEvery = 1_000;

/** Has moderators' open pages update, and soon their notifications, also of something new. */
export async function publishStaffQueues(tx: Transaction, added?: StaffNotificationKind): Promise<void> {
  const staff = await staffIds(tx);
  for (const id of staff) tx.emit(userTopic(id), { kind: "viewer.reportsChanged" });
  if (added || (await hasNotifications(tx, staff, staffNotificationKinds)))
    await enqueueOnce(tx, staffNotificationJob, added ? { added } : {}, notifyEvery);
}

/** Has moderators' pages update after a change that may remove reports or comments pending for a first link. */
export async function publishStaffWork(tx: Transaction): Promise<void> {
  if (await hasStaffWork(tx)) await publishStaffQueues(tx);
}
