import { and, eq, inArray, sql } from "drizzle-orm";
import { hot, type Connection } from "../database/connection.ts";
import { schedules } from "../database/schema/blogs.ts";

export type ScheduleRow = typeof schedules.$inferSelect;

const ofBlog = hot((db) =>
  db
    .select()
    .from(schedules)
    .where(eq(schedules.blogId, sql.placeholder("blogId")))
    .prepare(),
);
/** When a blog is to be published by itself. */
export const scheduleOf = async (connection: Connection, blogId: string): Promise<ScheduleRow | undefined> =>
  ofBlog(connection).get({ blogId });

const ofBlogs = hot((db) =>
  db
    .select()
    .from(schedules)
    .where(inArray(schedules.blogId, sql`(select value from json_each(${sql.placeholder("ids")}))`))
    .prepare(),
);
/** Those of these blogs that have one. */
export const schedulesOf = async (connection: Connection, ids: string[]): Promise<ScheduleRow[]> =>
  ids.length === 0 ? [] : ofBlogs(connection).all({ ids: JSON.stringify(ids) });

/** Puts one in the place of any that there is. */
export async function putSchedule(tx: Connection, row: ScheduleRow): Promise<void> {
  await tx.drizzle
    .insert(schedules)
    .values(row)
    .onConflictDoUpdate({ target: schedules.blogId, set: row })
    .run();
}

export async function deleteSchedule(tx: Connection, blogId: string): Promise<void> {
  await tx.drizzle.delete(schedules).where(eq(schedules.blogId, blogId)).run();
}

/** The same where it says this very time; false where it does not. */
export async function takeSchedule(tx: Connection, blogId: string, publishAt: number): Promise<boolean> {
  const { changes } = await tx.drizzle
    .delete(schedules)
    .where(and(eq(schedules.blogId, blogId), eq(schedules.publishAt, publishAt)))
    .run();
  return changes > 0;
}
