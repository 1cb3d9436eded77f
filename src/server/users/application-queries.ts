import { asc, eq, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { applications, users } from "../database/schema/users.ts";

const byUser = hot((db) =>
  db
    .select()
    .from(applications)
    .where(eq(applications.userId, sql.placeholder("userId")))
    .prepare(),
);

/** What somebody who waits to be let in said. */
export const findApplication = async (connection: Connection, userId: string) =>
  byUser(connection).get({ userId });

export const countApplications = async (connection: Connection): Promise<number> =>
  connection.drizzle.$count(applications);

export async function insertApplication(
  tx: Connection,
  row: typeof applications.$inferInsert,
): Promise<void> {
  await tx.drizzle.insert(applications).values(row).run();
}

/** False where nobody waits any more. */
export const deleteApplication = async (tx: Connection, userId: string): Promise<boolean> =>
  (await tx.drizzle.delete(applications).where(eq(applications.userId, userId)).run()).changes > 0;

/** Those who wait, whoever has waited longest first. */
export const listApplications = async (connection: Connection, limit: number, offset: number) =>
  connection.drizzle
    .select({
      id: users.id,
      username: users.username,
      name: users.name,
      email: users.email,
      googleId: users.googleId,
      answer: applications.answer,
      waitsSince: applications.waitsSince,
    })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .orderBy(asc(applications.waitsSince), asc(applications.userId))
    .limit(limit)
    .offset(offset)
    .all();
export type ApplicationRow = Awaited<ReturnType<typeof listApplications>>[number];
