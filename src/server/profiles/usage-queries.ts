import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { boundNames } from "../../shared/site.ts";
import { preparedQuery, type Connection, first, changes } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";
import { quotaUses, dailyCounts } from "../database/schema/counts.ts";

export const day = 24 * 60 * 60 * 1_000;
/** Returns the UTC day since 1970. */
export const dayOf = (time: number): number => Math.floor(time / day);

type Use = Pick<typeof quotaUses.$inferSelect, "day" | "kind" | "subject">;

const counting = preparedQuery((db) =>
  db
    .insert(quotaUses)
    .values({
      day: sql.placeholder("day"),
      kind: sql.placeholder("kind"),
      subject: sql.placeholder("subject"),
      count: sql.placeholder("more"),
    })
    .onConflictDoUpdate({
      target: [quotaUses.day, quotaUses.kind, quotaUses.subject],
      set: { count: sql`${quotaUses.count} + excluded.count` },
    })
    .returning({ count: quotaUses.count }),
);

/** Adds to a day's count and returns the total. */
export const countUse = async (tx: Connection, use: Use, more: number): Promise<number> =>
  (await counting(tx).get({ ...use, more }))?.count ?? more;

/** Subtracts from a day's count, at least to 0. */
export async function uncountUse(tx: Connection, use: Use, amount: number): Promise<void> {
  await tx.drizzle
    .update(quotaUses)
    .set({
      count: sql`case when ${quotaUses.count} > ${amount} then ${quotaUses.count} - ${amount} else 0 end`,
    })
    .where(and(eq(quotaUses.day, use.day), eq(quotaUses.kind, use.kind), eq(quotaUses.subject, use.subject)));
}

export async function usageCount(connection: Connection, use: Use): Promise<number> {
  const condition = and(
    eq(quotaUses.day, use.day),
    eq(quotaUses.kind, use.kind),
    eq(quotaUses.subject, use.subject),
  );
  return (
    (await first(connection.drizzle.select({ count: quotaUses.count }).from(quotaUses).where(condition)))
      ?.count ?? 0
  );
}

/** Returns the key of hashed networks, which cannot be guessed without it. */
export const networkSecret = (connection: Connection): Promise<string> => siteSecret(connection, "networks");

/** Deletes a person's remaining counts. */
export const deleteUsesOf = async (
  tx: Connection,
  subject: string,
  since = dayOf(Date.now()) - 2,
): Promise<void> => {
  await tx.drizzle
    .delete(quotaUses)
    .where(
      and(
        gte(quotaUses.day, since),
        inArray(quotaUses.kind, [...boundNames]),
        eq(quotaUses.subject, subject),
      ),
    );
};

/** Deletes counts from before a day. Returns how many rows. */
export async function deleteUsesBefore(tx: Connection, firstDay: number, limit: number): Promise<number> {
  const expired = tx.drizzle
    .select({ day: quotaUses.day, kind: quotaUses.kind, subject: quotaUses.subject })
    .from(quotaUses)
    .where(lt(quotaUses.day, firstDay))
    .limit(limit);
  return await changes(tx.drizzle.delete(quotaUses).where(sql`(day, kind, subject) in ${expired}`));
}

/** Returns what was counted in the last 7 and 30 days, `today` included, and on all days. */
export async function countsUntil(connection: Connection, today: number) {
  const ofDays = (days: number) =>
    sql<number>`sum(case when ${dailyCounts.day} > ${today - days} then ${dailyCounts.count} else 0 end)`;
  return connection.drizzle
    .select({
      kind: dailyCounts.kind,
      week: ofDays(7),
      month: ofDays(30),
      ever: sql<number>`sum(${dailyCounts.count})`,
    })
    .from(dailyCounts)
    .groupBy(dailyCounts.kind);
}
