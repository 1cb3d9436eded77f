import { and, eq, sql } from "drizzle-orm";
import type { EmailFrequency } from "../../shared/notifications.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { notificationEmails } from "../database/schema/notifications.ts";

const { userId, frequency: way } = notificationEmails;

const ofPerson = preparedQuery((db) =>
  db
    .select()
    .from(notificationEmails)
    .where(and(eq(userId, sql.placeholder("user")), eq(way, sql.placeholder("way"))))
    .prepare(),
);

export type EmailStateRow = typeof notificationEmails.$inferSelect;

export const emailState = async (
  connection: Connection,
  user: string,
  by: EmailFrequency,
): Promise<EmailStateRow | undefined> => ofPerson(connection).get({ user, way: by });

export async function storeEmailState(
  tx: Connection,
  state: Pick<EmailStateRow, "userId" | "way"> & Partial<EmailStateRow>,
): Promise<void> {
  const { userId: _user, way: _way, ...change } = state;
  await tx.drizzle
    .insert(notificationEmails)
    .values(state)
    .onConflictDoUpdate({ target: [userId, way], set: change })
    .run();
}
