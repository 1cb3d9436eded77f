import { and, eq, sql } from "drizzle-orm";
import type { EmailFrequency } from "../../shared/notifications.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { notificationEmails } from "../database/schema/notifications.ts";

const { userId, frequency } = notificationEmails;

const ofPerson = preparedQuery((db) =>
  db
    .select()
    .from(notificationEmails)
    .where(and(eq(userId, sql.placeholder("user")), eq(frequency, sql.placeholder("frequency"))))
    .prepare(),
);

export type EmailStateRow = typeof notificationEmails.$inferSelect;

export const emailState = async (
  connection: Connection,
  user: string,
  emailFrequency: EmailFrequency,
): Promise<EmailStateRow | undefined> => ofPerson(connection).get({ user, frequency: emailFrequency });

export async function storeEmailState(
  tx: Connection,
  state: Pick<EmailStateRow, "userId" | "frequency"> & Partial<EmailStateRow>,
): Promise<void> {
  const { userId: _user, frequency: _frequency, ...change } = state;
  await tx.drizzle
    .insert(notificationEmails)
    .values(state)
    .onConflictDoUpdate({ target: [userId, frequency], set: change })
    .run();
}
