import { and, asc, eq, inArray } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { refusedSenders } from "../database/schema/users.ts";

export type RefusedSender = typeof refusedSenders.$inferSelect;

/** One of these domains that is refused. */
export const findDomain = async (connection: Connection, domains: string[]) =>
  connection.drizzle
    .select({ value: refusedSenders.value })
    .from(refusedSenders)
    .where(and(eq(refusedSenders.kind, "domain"), inArray(refusedSenders.value, domains)))
    .get();

export const listNetworks = async (connection: Connection): Promise<string[]> =>
  (
    await connection.drizzle
      .select({ value: refusedSenders.value })
      .from(refusedSenders)
      .where(eq(refusedSenders.kind, "network"))
      .all()
  ).map(({ value }) => value);

export const listSenders = async (connection: Connection, limit: number): Promise<RefusedSender[]> =>
  connection.drizzle
    .select()
    .from(refusedSenders)
    .orderBy(asc(refusedSenders.kind), asc(refusedSenders.value))
    .limit(limit)
    .all();

/** False where it was refused already. */
export const insertSender = async (tx: Connection, row: RefusedSender): Promise<boolean> =>
  (await tx.drizzle.insert(refusedSenders).values(row).onConflictDoNothing().run()).changes > 0;

export const deleteSender = async (
  tx: Connection,
  { kind, value }: Pick<RefusedSender, "kind" | "value">,
): Promise<boolean> =>
  (
    await tx.drizzle
      .delete(refusedSenders)
      .where(and(eq(refusedSenders.kind, kind), eq(refusedSenders.value, value)))
      .run()
  ).changes > 0;
