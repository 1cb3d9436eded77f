import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { hasPendingForLink, staffIds } from "./staff-queries.ts";

/** Has moderators' open pages refetch their queues. */
export async function publishStaffQueues(tx: Transaction): Promise<void> {
  for (const id of await staffIds(tx)) await tx.emit(userTopic(id), { kind: "viewer.reportsChanged" });
}

/** Has moderators refetch before a change that affects comments pending for a first link. */
export async function publishPendingForStaff(tx: Transaction): Promise<void> {
  if (await hasPendingForLink(tx)) await publishStaffQueues(tx);
}
