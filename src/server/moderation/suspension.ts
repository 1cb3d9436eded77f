import { limits } from "../../shared/limits.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { feedTopic, peopleTopic, profileTopic, silencedTopic, userTopic } from "../live/facts.ts";
import { enqueue } from "../jobs/jobs.ts";
import { holdersNaming } from "../notices/holder-queries.ts";
import { askedBy } from "../social/queries.ts";
import { lettingInJob, settleAccount } from "../social/settling.ts";
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

/** Leaves the account to its followers: nobody else finds it or anything of it, and it is not told so. */
export async function silenceAccount(
  tx: Transaction,
  actor: Actor,
  user: UserRow,
  reason: string,
): Promise<void> {
  if (user.silencedAt !== null) return;
  await updateUser(tx, user.id, { silencedAt: Date.now(), silencedFor: reason });
  await tellOfSilence(tx, user);
  await note(tx, actor, "silence", { kind: "profile", id: user.id }, reason);
}

/** Lets everybody see a silenced account again, as before; a public one lets in who waited meanwhile. */
export async function unsilenceAccount(tx: Transaction, actor: Actor, user: UserRow): Promise<void> {
  if (user.silencedAt === null) return;
  await updateUser(tx, user.id, { silencedAt: null, silencedFor: null });
  if (!user.private) await enqueue(tx, lettingInJob, { ownerId: user.id });
  await tellOfSilence(tx, user);
  await note(tx, actor, "unsilence", { kind: "profile", id: user.id });
}

async function tellOfSilence(tx: Transaction, user: UserRow): Promise<void> {
  tx.ring(silencedTopic);
  await tellMuch(tx, user);
}

/** What a page shows does not tell where somebody's words and names stand in it, nor who follows them: all ask again. It happens seldom. */
async function tellMuch(tx: Transaction, user: UserRow): Promise<void> {
  for (const ownerId of await askedBy(tx, user.id, limits.people.most))
    await tx.fact(userTopic(ownerId), { kind: "own.walls" });
  const alsoHold = await holdersNaming(tx, user.id);
  await settleAccount(tx, user.id, { toEverybody: !user.private, alsoHold });
  await tx.fact(profileTopic(user.id), { kind: "profile.changed" });
  await tx.fact(feedTopic, { kind: "people.hidden" });
  tx.ring(peopleTopic);
}
