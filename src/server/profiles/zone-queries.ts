import { eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { users } from "../database/schema/profiles.ts";

const zones = preparedQuery((db) =>
  db
    .select({ zone: users.zone })
    .from(users)
    .where(eq(users.id, sql.placeholder("user")))
    .prepare(),
);

/** Returns a person's time zone; null if no browser has reported it. */
export const zoneOf = async (connection: Connection, user: string): Promise<string | null> =>
  (await zones(connection).get({ user }))?.zone ?? null;

export const storeZone = async (tx: Connection, user: string, zone: string): Promise<void> =>
  void (await tx.drizzle.update(users).set({ zone }).where(eq(users.id, user)).run());
