import { and, desc, eq, sql } from "drizzle-orm";
import type { Appeal } from "../../shared/moderation.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { reports } from "../database/schema/moderation.ts";

const newestEntry = (act: "take-down" | "keep-appeal", column: "at" | "reason") =>
  sql`(select ${sql.raw(column)} from audit_log where target = ${sql.placeholder("blogId")} and act = ${sql.raw(`'${act}'`)}
    order by seq desc limit 1)`;

const appealOfTakedown = preparedQuery((db) =>
  db
    .select({
      at: reports.createdAt,
      answeredAt: reports.closedAt,
      reason: sql<string | null>`${newestEntry("keep-appeal", "reason")}`,
    })
    .from(reports)
    .where(
      and(
        eq(reports.blogId, sql.placeholder("blogId")),
        eq(reports.reason, "appeal"),
        sql`${reports.createdAt} >= coalesce(${newestEntry("take-down", "at")}, 0)`,
        sql`(select takedown_reason from blogs where id = ${reports.blogId}) is not null`,
      ),
    )
    .orderBy(desc(reports.createdAt))
    .limit(1),
);

/** Returns the appeal against a blog's takedown in force. */
export async function appealOf(connection: Connection, blogId: string): Promise<Appeal | null> {
  const row = await appealOfTakedown(connection).get({ blogId });
  if (!row) return null;
  const { at, answeredAt, reason } = row;
  return {
    at: new Date(at).toISOString(),
    answer: answeredAt === null ? null : { at: new Date(answeredAt).toISOString(), reason: reason ?? "" },
  };
}
