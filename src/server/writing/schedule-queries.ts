import { and, eq, inArray, sql } from "drizzle-orm";
import { preparedQuery, type Connection, changes } from "../database/connection.ts";
import { listedTexts } from "../database/dialect.ts";
import { schedules } from "../database/schema/writing.ts";

export type ScheduleRow = typeof schedules.$inferSelect;

const ofBlog = preparedQuery((db) =>
  db
    .select()
    .from(schedules)
    .where(eq(schedules.blogId, sql.placeholder("blogId"))),
);
export const scheduleOf = async (connection: Connection, blogId: string): Promise<ScheduleRow | undefined> =>
  ofBlog(connection).get({ blogId });

const ofBlogs = preparedQuery((db) =>
  db
    .select()
    .from(schedules)
    .where(inArray(schedules.blogId, listedTexts(sql.placeholder("ids")))),
);
export const schedulesOf = async (connection: Connection, ids: string[]): Promise<ScheduleRow[]> =>
  ids.length === 0 ? [] : ofBlogs(connection).all({ ids: JSON.stringify(ids) });

/** Inserts or replaces a schedule. */
export async function putSchedule(tx: Connection, row: ScheduleRow): Promise<void> {
  await tx.drizzle.insert(schedules).values(row).onConflictDoUpdate({ target: schedules.blogId, set: row });
}

export async function deleteSchedule(tx: Connection, blogId: string): Promise<void> {
  await tx.drizzle.delete(schedules).where(eq(schedules.blogId, blogId));
}

/** Deletes a schedule with this time; returns whether it existed. */
export async function deleteScheduleAt(tx: Connection, blogId: string, publishAt: number): Promise<boolean> {
  const changed = await changes(
    tx.drizzle.delete(schedules).where(and(eq(schedules.blogId, blogId), eq(schedules.publishAt, publishAt))),
  );
  return changed > 0;
}
