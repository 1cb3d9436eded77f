import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";

/** Has these people's lists refetch after notifications were withdrawn or changed. */
export function publishWithdrawn(tx: Transaction, userIds: Iterable<string>): void {
  for (const userId of new Set(userIds)) tx.emit(userTopic(userId), { kind: "notification.withdrawn" });
}
