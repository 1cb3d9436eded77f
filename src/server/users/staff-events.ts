import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { hasPendingForLink, staffIds } from "./staff-queries.ts";

/** Tells the open pages of moderators that their lists have something else in them. */
export async function publishStaffQueues(tx: Transaction): Promise<void> {
  for (const id of await staffIds(tx)) await tx.emit(userTopic(id), { kind: "viewer.reportsChanged" });
}

/** Tells them that comments which wait with a first link may come to be theirs to answer, or none of theirs; before any of those go. */
export async function publishPendingForStaff(tx: Transaction): Promise<void> {
  if (await hasPendingForLink(tx)) await publishStaffQueues(tx);
}
