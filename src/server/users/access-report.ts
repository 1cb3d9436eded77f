import type { Context, Parts } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { emails } from "../mail/emails.ts";
import { post } from "../mail/post.ts";
import { issueUndo } from "./mail-links.ts";
import { userById, type UserRow } from "./queries.ts";
import { requireSession } from "./sessions.ts";

type Asked = Partial<Pick<Context, "session">>;

/**
 * Has an account's open settings show a change of how it is signed in to. Throws `unauthorized` where the session that asked has been
 * ended meanwhile.
 */
export async function reportToSettings(tx: Transaction, { session }: Asked, userId: string): Promise<void> {
  await requireSession(tx, session);
  await tx.emit(userTopic(userId), { kind: "viewer.signInChanged" });
}

/** Reports such a change to the account's address, too, by a mail that can undo it. */
export async function reportAccessChange(
  tx: Transaction,
  ctx: Pick<Parts, "config"> & Asked,
  user: UserRow,
  what: string,
): Promise<void> {
  await reportToSettings(tx, ctx, user.id);
  // To the address of this moment: following the link gives the account the address that the mail went to.
  const now = (await userById(tx, user.id)) ?? user;
  await post(tx, emails.accessChanged(ctx.config, now, what, await issueUndo(tx, now)));
}
