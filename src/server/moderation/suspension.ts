import { limits } from "../../shared/limits.ts";
import { deleteSessionsOf } from "../auth/queries.ts";
import type { Transaction } from "../database/writer.ts";
import { feedTopic, profileTopic, userTopic } from "../live/stored-events.ts";
import { peopleTopic, limitedTopic } from "../live/signals.ts";
import { enqueue } from "../jobs/jobs.ts";
import { recipientsNaming } from "../notifications/recipient-queries.ts";
import { requestedAccountIds } from "../follows/queries.ts";
import { acceptRequestsJob, syncBlogVisibility } from "../accounts/visibility-sync.ts";
import { revokeMailLinks } from "../sign-in/mail-links.ts";
import { requireAnotherAdministrator } from "../profiles/access.ts";
import { updateUser, type UserRow } from "../profiles/queries.ts";
import { logAction, type Actor } from "./log.ts";

/**
 * Suspends an account: hides it and its content, and ends its sessions. Throws `conflict` for the only administrator.
 */
export async function suspendAccount(
  tx: Transaction,
  actor: Actor,
  user: UserRow,
  reason: string,
): Promise<void> {
  if (user.suspendedAt === null) {
    await requireAnotherAdministrator(tx, user);
    await updateUser(tx, user.id, { suspendedAt: Date.now(), suspensionReason: reason });
    // One that deletes the account would destroy evidence and free its address.
    await revokeMailLinks(tx, user.id);
    tx.emit(feedTopic, { kind: "person.gone", personId: user.id });
    await publishAccountChange(tx, user);
    await logAction(tx, actor, "suspend", { kind: "profile", id: user.id }, reason);
  }
  await deleteSessionsOf(tx, user.id);
}

export async function unsuspendAccount(tx: Transaction, actor: Actor, user: UserRow): Promise<void> {
  if (user.suspendedAt === null) return;
  await updateUser(tx, user.id, { suspendedAt: null, suspensionReason: null });
  await publishAccountChange(tx, user);
  await logAction(tx, actor, "unsuspend", { kind: "profile", id: user.id });
}

/** Limits an account to its followers, without notifying it. */
export async function limitAccount(
  tx: Transaction,
  actor: Actor,
  user: UserRow,
  reason: string,
): Promise<void> {
  if (user.limitedAt !== null) return;
  await updateUser(tx, user.id, { limitedAt: Date.now(), limitReason: reason });
  await publishLimitChange(tx, user);
  await logAction(tx, actor, "limit", { kind: "profile", id: user.id }, reason);
}

/** Removes the limit. A public account's follow requests of the meantime are accepted. */
export async function unlimitAccount(tx: Transaction, actor: Actor, user: UserRow): Promise<void> {
  if (user.limitedAt === null) return;
  await updateUser(tx, user.id, { limitedAt: null, limitReason: null });
  if (!user.private) await enqueue(tx, acceptRequestsJob, { ownerId: user.id });
  await publishLimitChange(tx, user);
  await logAction(tx, actor, "unlimit", { kind: "profile", id: user.id });
}

async function publishLimitChange(tx: Transaction, user: UserRow): Promise<void> {
  tx.signal(limitedTopic);
  await publishAccountChange(tx, user);
}

/** Open pages cannot know where the person appears in them, so all refetch. This is rare. */
async function publishAccountChange(tx: Transaction, user: UserRow): Promise<void> {
  for (const ownerId of await requestedAccountIds(tx, user.id, limits.people.most))
    tx.emit(userTopic(ownerId), { kind: "viewer.blocksChanged" });
  const alsoNamed = await recipientsNaming(tx, user.id);
  await syncBlogVisibility(tx, user.id, { toEverybody: !user.private, alsoNamed });
  tx.emit(profileTopic(user.id), { kind: "profile.changed" });
  tx.emit(feedTopic, { kind: "people.hidden" });
  tx.signal(peopleTopic);
}
