import type { SignUpMode } from "../../shared/users.ts";
import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { type Connection, first, changes } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { invitations } from "../database/schema/sign-in.ts";

const key = "sign_up";
const modes: readonly string[] = ["open", "approval", "invitation", "closed"] satisfies SignUpMode[];

/** Returns the stored mode; unknown values mean closed. */
export async function signUpMode(connection: Connection): Promise<SignUpMode> {
  const mode = (await siteValue(connection, key)) ?? "open";
  return modes.includes(mode) ? (mode as SignUpMode) : "closed";
}

export const setSignUpMode = (tx: Connection, mode: SignUpMode): Promise<void> => setSiteValue(tx, key, mode);

const question = "sign_up_question";
export const signUpQuestion = async (connection: Connection): Promise<string> =>
  (await siteValue(connection, question)) ?? "Why would you like to join?";
export const setSignUpQuestion = (tx: Connection, text: string): Promise<void> =>
  setSiteValue(tx, question, text);

const isGood = (code: string, now: number) =>
  and(
    eq(invitations.code, code),
    lt(invitations.used, invitations.places),
    or(isNull(invitations.expiresAt), gt(invitations.expiresAt, now)),
  );

export const findInvitation = async (connection: Connection, code: string) =>
  first(connection.drizzle.select().from(invitations).where(eq(invitations.code, code)));

/** Uses one place of an invitation. Returns false if none is left. */
export async function takeInvitation(tx: Connection, code: string, now: number): Promise<boolean> {
  const changed = await changes(
    tx.drizzle
      .update(invitations)
      .set({ used: sql`used + 1` })
      .where(isGood(code, now)),
  );
  return changed > 0;
}

export const listInvitations = async (connection: Connection, limit: number) =>
  connection.drizzle.select().from(invitations).orderBy(desc(invitations.createdAt)).limit(limit);

export async function insertInvitation(tx: Connection, row: typeof invitations.$inferInsert): Promise<void> {
  await tx.drizzle.insert(invitations).values(row);
}

export async function deleteInvitation(tx: Connection, code: string): Promise<boolean> {
  return (await changes(tx.drizzle.delete(invitations).where(eq(invitations.code, code)))) > 0;
}
