import { asc, gte } from "drizzle-orm";
import type { Connection } from "../database/connection.ts";
import { days } from "../database/schema/counts.ts";

/** What came to be on each day since one, by the number of the day. */
export const countsSince = async (connection: Connection, day: number) =>
  connection.drizzle.select().from(days).where(gte(days.day, day)).orderBy(asc(days.day)).all();
