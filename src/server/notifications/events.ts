import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/facts.ts";

/** Tells people that notifications of theirs are gone, or say something else by now: their lists are asked for again. */
export async function publishWithdrawn(tx: Transaction, userIds: Iterable<string>): Promise<void> {
  for (const userId of new Set(userIds)) await tx.fact(userTopic(userId), { kind: "notification.withdrawn" });
}
