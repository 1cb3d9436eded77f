import { asc, eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { users } from "../database/schema/profiles.ts";
import { signupRequests } from "../database/schema/sign-in.ts";

const byUser = preparedQuery((db) =>
  db
    .select()
    .from(signupRequests)
    .where(eq(signupRequests.userId, sql.placeholder("userId"))),
);

export const findSignupRequest = async (connection: Connection, userId: string) =>
  byUser(connection).get({ userId });

export const countSignupRequests = async (connection: Connection): Promise<number> =>
  connection.drizzle.$count(signupRequests);

export async function insertSignupRequest(
  tx: Connection,
  row: typeof signupRequests.$inferInsert,
): Promise<void> {
  await tx.drizzle.insert(signupRequests).values(row);
}

/** Deletes a request. Returns false if it did not exist. */
export const deleteSignupRequest = async (tx: Connection, userId: string): Promise<boolean> =>
  (await changes(tx.drizzle.delete(signupRequests).where(eq(signupRequests.userId, userId)))) > 0;

/** Lists sign-up requests, oldest first. */
export const listSignupRequests = async (connection: Connection, limit: number, offset: number) =>
  connection.drizzle
    .select({
      id: users.id,
      username: users.username,
      name: users.name,
      email: users.email,
      googleId: users.googleId,
      answer: signupRequests.answer,
      requestedAt: signupRequests.requestedAt,
    })
    .from(signupRequests)
    .innerJoin(users, eq(users.id, signupRequests.userId))
    .orderBy(asc(signupRequests.requestedAt), asc(signupRequests.userId))
    .limit(limit)
    .offset(offset);
