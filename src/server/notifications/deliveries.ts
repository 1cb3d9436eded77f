import type { NotificationChannels, NotificationKind } from "../../shared/notifications.ts";
import type { Transaction } from "../database/writer.ts";
import { byMail } from "./notification-emails.ts";
import { byPush } from "./notification-pushes.ts";

export interface StoredNotification {
  id: string;
  userId: string;
  kind: NotificationKind;
  target: string;
  createdAt: number;
}

/**
 * A channel beside the site. It queues a job, which checks again before sending (`deliverable.ts`): the notification may have
 * been read or withdrawn, or access lost.
 */
export interface Delivery {
  /** Queues a notification if `channels` have this one on. */
  send(tx: Transaction, notification: StoredNotification, channels: NotificationChannels): Promise<void>;
}

export const deliveries: readonly Delivery[] = [byMail, byPush];

export async function deliver(
  tx: Transaction,
  notification: StoredNotification,
  channels: NotificationChannels,
): Promise<void> {
  for (const delivery of deliveries) await delivery.send(tx, notification, channels);
}
