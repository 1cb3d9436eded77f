import type { NoticeWays } from "../../shared/notices.ts";
import type { NotificationKind } from "../../shared/social.ts";
import type { Transaction } from "../database/writer.ts";
import { byPush } from "../push/delivery.ts";
import { byMail } from "./letters.ts";

/** A notice that stands in the store, of which its person may be told elsewhere, too. */
export interface StoredNotice {
  id: string;
  userId: string;
  kind: NotificationKind;
  target: string;
  createdAt: number;
}

/**
 * A way by which people are told of notices beside the page. It is asked in the transaction of the notice, and asks there for a
 * job, which is done after the commit. The job asks again (`to-tell.ts`): meanwhile the notice may have been read, taken back, or
 * be about what its person may no longer see.
 */
export interface Delivery {
  /** A notice came, or came anew. `ways` is what its person wants of such. */
  tell(tx: Transaction, notice: StoredNotice, ways: NoticeWays): Promise<void>;
  /** Their person has read some of those told of. */
  read?(tx: Transaction, userId: string): Promise<void>;
}

export const deliveries: readonly Delivery[] = [byMail, byPush];

/** Has a notice told of wherever its person wants to hear of it. */
export async function deliver(tx: Transaction, notice: StoredNotice, ways: NoticeWays): Promise<void> {
  for (const delivery of deliveries) await delivery.tell(tx, notice, ways);
}

/** Somebody has read notices. */
export async function tellRead(tx: Transaction, userId: string): Promise<void> {
  for (const delivery of deliveries) await delivery.read?.(tx, userId);
}
