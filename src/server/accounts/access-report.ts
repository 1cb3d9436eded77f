import type { Context, Services } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { emails } from "../mail/email-texts.ts";
import { queueMail } from "../mail/mail-queue.ts";
import { issueUndo } from "../sign-in/mail-links.ts";
import { userById, type UserRow } from "../profiles/queries.ts";
import { requireSession } from "./sessions.ts";

type CallerSession = Partial<Pick<Context, "session">>;

/** Has open settings show a change of sign-in methods. Throws `unauthorized` if the caller's session has ended. */
export async function reportToSettings(
  tx: Transaction,
  { session }: CallerSession,
  userId: string,
): Promise<void> {
  await requireSession(tx, session);
  tx.emit(userTopic(userId), { kind: "viewer.signInChanged" });
}

/** Also reports the change by an email that can undo it. */
export async function reportAccessChange(
  tx: Transaction,
  ctx: Pick<Services, "config"> & CallerSession,
  user: UserRow,
  changeText: string,
): Promise<void> {
  await reportToSettings(tx, ctx, user.id);
  // To the current address: the undo link gives the account the address the email went to.
  const now = (await userById(tx, user.id)) ?? user;
  await queueMail(tx, emails.accessChanged(ctx.config, now, changeText, await issueUndo(tx, now)));
}
