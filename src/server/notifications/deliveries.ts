import type { NotificationChannels } from "../../shared/notifications.ts";
import type { NotificationKind } from "../../shared/social.ts";
import type { Transaction } from "../database/writer.ts";
import { byPush } from "../push/delivery.ts";
import { byMail } from "./email.ts";

/** A stored notification, which may be delivered by push or email, too. */
export interface StoredNotification {
  id: string;
  userId: string;
  kind: NotificationKind;
  target: string;
  createdAt: number;
}

/**
 * A channel beside the site. In the transaction of the notification it queues a job, which runs after the commit and checks again
 * (`deliverable.ts`): meanwhile the notification may have been read or withdrawn, or the person may have lost access.
 */
export interface Delivery {
  /** Queues a new or renewed notification, if the person's `channels` have this one on. */
  send(tx: Transaction, notification: StoredNotification, channels: NotificationChannels): Promise<void>;
  /** Called when the person has read some notifications. */
  read?(tx: Transaction, userId: string): Promise<void>;
}

export const deliveries: readonly Delivery[] = [byMail, byPush];

/** Delivers a notification by the channels that are on. */
export async function deliver(
  tx: Transaction,
  notification: StoredNotification,
  channels: NotificationChannels,
): Promise<void> {
  for (const delivery of deliveries) await delivery.send(tx, notification, channels);
}

/** Tells the channels that a person has read notifications: messages about them are taken off their devices. */
export async function deliverRead(tx: Transaction, userId: string): Promise<void> {
  for (const delivery of deliveries) await delivery.read?.(tx, userId);
}
