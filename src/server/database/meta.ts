import { eq, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "./connection.ts";
import { meta } from "./schema/meta.ts";

const byKey = preparedQuery((db) =>
  db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, sql.placeholder("key"))),
);

/** Returns a single value of the site, such as the event log's epoch. */
export const siteValue = async (connection: Connection, key: string): Promise<string | undefined> =>
  (await byKey(connection).get({ key }))?.value;

export async function deleteSiteValue(tx: Connection, key: string): Promise<void> {
  await tx.drizzle.delete(meta).where(eq(meta.key, key));
}

export async function setSiteValue(tx: Connection, key: string, value: string): Promise<void> {
  await tx.drizzle
    .insert(meta)
    .values({ key, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } });
}
