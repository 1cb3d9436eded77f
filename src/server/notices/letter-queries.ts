import { and, eq, sql } from "drizzle-orm";
import type { WayOfMail } from "../../shared/notices.ts";
import { hot, type Connection } from "../database/connection.ts";
import { noticeLetters } from "../database/schema/notices.ts";

const { userId, way } = noticeLetters;

const ofPerson = hot((db) =>
  db
    .select()
    .from(noticeLetters)
    .where(and(eq(userId, sql.placeholder("user")), eq(way, sql.placeholder("way"))))
    .prepare(),
);

export type LetterRow = typeof noticeLetters.$inferSelect;

/** What is known of somebody's letters of one way. */
export const letterOf = async (
  connection: Connection,
  user: string,
  by: WayOfMail,
): Promise<LetterRow | undefined> => ofPerson(connection).get({ user, way: by });

export async function storeLetter(
  tx: Connection,
  letter: Pick<LetterRow, "userId" | "way"> & Partial<LetterRow>,
): Promise<void> {
  const { userId: _user, way: _way, ...change } = letter;
  await tx.drizzle
    .insert(noticeLetters)
    .values(letter)
    .onConflictDoUpdate({ target: [userId, way], set: change })
    .run();
}
