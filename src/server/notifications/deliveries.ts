import type { NotificationChannels } from "../../shared/notifications.ts";
import type { NotificationKind } from "../../shared/social.ts";
import type { Transaction } from "../database/writer.ts";
import { byPush } from "../push/delivery.ts";
import { byMail } from "./email.ts";

/** A notification that stands in the store, of which its person may be told elsewhere, too. */
export interface StoredNotification {
  id: string;
  userId: string;
  kind: NotificationKind;
  target: string;
  createdAt: number;
}

/**
 * A way by which people are told of notifications beside the page. It is asked in the transaction of the notification, and asks there for a
 * job, which is done after the commit. The job asks again (`deliverable.ts`): meanwhile the notification may have been read, taken back, or
 * be about what its person may no longer see.
 */
export interface Delivery {
  /** A notification came, or came anew. `channels` is what its person wants of such. */
  tell(tx: Transaction, notification: StoredNotification, channels: NotificationChannels): Promise<void>;
  /** Their person has read some of those told of. */
  read?(tx: Transaction, userId: string): Promise<void>;
}

export const deliveries: readonly Delivery[] = [byMail, byPush];

/** Has a notification told of wherever its person wants to hear of it. */
export async function deliver(
  tx: Transaction,
  notification: StoredNotification,
  channels: NotificationChannels,
): Promise<void> {
  for (const delivery of deliveries) await delivery.tell(tx, notification, channels);
}

/** Somebody has read notifications. */
export async function publishRead(tx: Transaction, userId: string): Promise<void> {
  for (const delivery of deliveries) await delivery.read?.(tx, userId);
}
