import { deleteSessionsOf } from "../auth/queries.ts";
import { publicSpan } from "../blogs/queries.ts";
import { tellSearch } from "../blogs/telling.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue } from "../jobs/jobs.ts";
import { feedTopic, peopleTopic, profileTopic, rightsTopic, searchTopic } from "../live/facts.ts";
import { holdersAboutAuthor, holdersNaming } from "../notices/holder-queries.ts";
import { tellWithdrawn } from "../notices/telling.ts";
import { settleSome, settlingJob } from "../social/settling.ts";
import { takeLinksBack } from "../users/mail-links.ts";
import { updateUser, type UserRow } from "../users/queries.ts";
import { note, type Actor } from "./log.ts";

/**
 * Nobody finds the account or anything of it, and it is signed out everywhere, at once. Nothing of it is lost. Gives the hashes of
 * the sessions that ended: what they had open is for the caller to close, after the commit.
 */
export async function suspendAccount(
  tx: Transaction,
  actor: Actor,
  user: UserRow,
  reason: string,
): Promise<string[]> {
  if (user.suspendedAt === null) {
    await updateUser(tx, user.id, { suspendedAt: Date.now(), suspendedFor: reason });
    // One that deletes it would leave nothing to look into, and its address free for the next.
    await takeLinksBack(tx, user.id);
    await tx.fact(feedTopic, { kind: "person.gone", personId: user.id });
    await tellMuch(tx, user);
    await note(tx, actor, "suspend", { kind: "profile", id: user.id }, reason);
  }
  return deleteSessionsOf(tx, user.id);
}

/** Opens a suspended account again, as it was. */
export async function reopenAccount(tx: Transaction, actor: Actor, user: UserRow): Promise<void> {
  if (user.suspendedAt === null) return;
  await updateUser(tx, user.id, { suspendedAt: null, suspendedFor: null });
  await tellMuch(tx, user);
  await note(tx, actor, "unsuspend", { kind: "profile", id: user.id });
}

/** Much may have come or gone at once: open lists that reach there ask again. */
async function tellMuch(tx: Transaction, user: UserRow): Promise<void> {
  if (!(await settleSome(tx, user.id))) await enqueue(tx, settlingJob, { userId: user.id });
  const span = user.private ? undefined : await publicSpan(tx, user.id);
  if (span) await tx.fact(feedTopic, { kind: "feed.changed", ...span });
  await tx.fact(profileTopic(user.id), { kind: "profile.changed" });
  await tx.fact(searchTopic, { kind: "search.people" });
  await tellSearch(tx, user.id, "everybody");
  const holders = [await holdersAboutAuthor(tx, user.id), await holdersNaming(tx, user.id)];
  await tellWithdrawn(tx, [...new Set(holders.flat())]);
  tx.ring(rightsTopic(user.id));
  tx.ring(peopleTopic);
}
