import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { boundNames } from "../../shared/site.ts";
import { hot, type Connection } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";
import { days, uses } from "../database/schema/counts.ts";

export const day = 24 * 60 * 60 * 1_000;
/** The day of UTC, as the store counts it. */
export const dayOf = (time: number): number => Math.floor(time / day);

type Use = Pick<typeof uses.$inferSelect, "day" | "what" | "holder">;

const counting = hot((db) =>
  db
    .insert(uses)
    .values({
      day: sql.placeholder("day"),
      what: sql.placeholder("what"),
      holder: sql.placeholder("holder"),
      count: sql.placeholder("more"),
    })
    .onConflictDoUpdate({
      target: [uses.day, uses.what, uses.holder],
      set: { count: sql`${uses.count} + excluded.count` },
    })
    .returning({ count: uses.count })
    .prepare(),
);

/** Counts `more` of what somebody does on a day; answers with how many these are by now. */
export const countUse = async (tx: Connection, use: Use, more: number): Promise<number> =>
  (await counting(tx).get({ ...use, more })).count;

/** Counts so many less, as far as there are any. */
export async function uncountUse(tx: Connection, use: Use, less: number): Promise<void> {
  await tx.drizzle
    .update(uses)
    .set({ count: sql`case when ${uses.count} > ${less} then ${uses.count} - ${less} else 0 end` })
    .where(and(eq(uses.day, use.day), eq(uses.what, use.what), eq(uses.holder, use.holder)))
    .run();
}

/** How many there were so far. */
export async function usesOf(connection: Connection, use: Use): Promise<number> {
  const asked = and(eq(uses.day, use.day), eq(uses.what, use.what), eq(uses.holder, use.holder));
  return (await connection.drizzle.select({ count: uses.count }).from(uses).where(asked).get())?.count ?? 0;
}

/** What networks are hashed with, so that nobody else can tell which they are. */
export const networkSecret = (connection: Connection): Promise<string> => siteSecret(connection, "networks");

/** Forgets what somebody did that is kept still. */
export const deleteUsesOf = async (
  tx: Connection,
  holder: string,
  since = dayOf(Date.now()) - 2,
): Promise<void> =>
  void (await tx.drizzle
    .delete(uses)
    .where(and(gte(uses.day, since), inArray(uses.what, [...boundNames]), eq(uses.holder, holder)))
    .run());

/** Forgets what was counted before a day; answers with how many rows that were. */
export async function deleteUsesBefore(tx: Connection, first: number, limit: number): Promise<number> {
  const some = tx.drizzle
    .select({ day: uses.day, what: uses.what, holder: uses.holder })
    .from(uses)
    .where(lt(uses.day, first))
    .limit(limit);
  return (
    await tx.drizzle
      .delete(uses)
      .where(sql`(day, what, holder) in ${some}`)
      .run()
  ).changes;
}

/** Forgets what came to be on each day: a site that is restored brings its own. */
export const forgetDays = async (tx: Connection): Promise<void> => {
  await tx.drizzle.delete(days).run();
};
