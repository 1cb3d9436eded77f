import type { Context, Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/facts.ts";
import { letters } from "../mail/letters.ts";
import { post } from "../mail/post.ts";
import { issueUndo } from "./mail-links.ts";
import { userById, type UserRow } from "./queries.ts";
import { requireSession } from "./sessions.ts";

/**
 * Reports a change of how an account is signed in to: to its open settings, and to its address, by a mail that can undo it. Throws
 * `unauthorized` where the session that asked has been ended meanwhile.
 */
export async function reportAccessChange(
  tx: Transaction,
  { config, session }: Pick<Parts, "config"> & Partial<Pick<Context, "session">>,
  user: UserRow,
  what: string,
): Promise<void> {
  await requireSession(tx, session);
  await tx.fact(userTopic(user.id), { kind: "own.access" });
  // To the address of this moment: following the link gives the account the address that the mail went to.
  const now = (await userById(tx, user.id)) ?? user;
  await post(tx, letters.accessChanged(config, now, what, await issueUndo(tx, now)));
}
