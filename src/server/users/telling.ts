import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/facts.ts";
import { staffIds } from "./staff-queries.ts";

/** Tells the open pages of moderators that their lists have something else in them. */
export async function tellStaff(tx: Transaction): Promise<void> {
  for (const id of await staffIds(tx)) await tx.fact(userTopic(id), { kind: "own.reports" });
}
