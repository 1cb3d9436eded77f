import { asc, gte } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { dailyCounts } from "../database/schema/counts.ts";

/** Returns daily counts from a day number on. */
export const countsSince = async (connection: Connection, day: number) =>
  connection.drizzle
    .select()
    .from(dailyCounts)
    .where(gte(dailyCounts.day, day))
    .orderBy(asc(dailyCounts.day))
    .all();
