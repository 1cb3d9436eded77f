import { and, asc, count, desc, eq, isNull, ne, notInArray, or, sql, type SQL } from "drizzle-orm";
import { alias } from "../database/schema/columns.ts";
import type { AuditAct, PeopleState, Target } from "../../shared/moderation.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { pendingById } from "../comments/pending-queries.ts";
import { preparedQuery, type Connection, first } from "../database/connection.ts";
import { unindexed } from "../database/dialect.ts";
import { sessions } from "../database/schema/auth.ts";
import { blogs } from "../database/schema/blogs.ts";
import { comments } from "../database/schema/comments.ts";
import { auditLog, reports, staffNotes } from "../database/schema/moderation.ts";
import { users } from "../database/schema/profiles.ts";
import { personColumns } from "../profiles/queries.ts";
import { isAppeal } from "./staff-queries.ts";

export type NewReport = typeof reports.$inferInsert;
export type NewEntry = Omit<typeof auditLog.$inferInsert, "seq">;
type Kind = NewReport["kind"];

/** Stores a report, replacing the same person's open one. */
export async function insertReport(tx: Connection, report: NewReport): Promise<void> {
  const { reason, body, text, beginning } = report;
  await tx.drizzle
    .insert(reports)
    .values(report)
    .onConflictDoUpdate({
      target: [reports.target, reports.reporterId],
      targetWhere: sql`closed_at is null`,
      set: { reason, body: body ?? "", text: text ?? "", beginning: beginning ?? "" },
    });
}

const isOpen = isNull(reports.closedAt);
const oldest = sql<number>`min(${reports.createdAt})`;
const openTargets = preparedQuery((db) =>
  db
    .select({ kind: reports.kind, target: reports.target, isAppeal, total: count(), first: oldest })
    .from(reports)
    .where(isOpen)
    .groupBy(reports.kind, reports.target, isAppeal)
    .orderBy(asc(oldest), asc(reports.target))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset")),
);
/** Returns the targets of open reports, the longest open first. */
export const listOpenTargets = async (connection: Connection, limit: number, offset: number) =>
  openTargets(connection).all({ limit, offset });

const [owner, author] = [alias(users, "owner"), alias(users, "author")];
const ownerColumns = {
  id: owner.id,
  username: owner.username,
  name: owner.name,
  pictureId: owner.pictureId,
};
const openReports = preparedQuery((db) =>
  db
    .select({
      reporterId: reports.reporterId,
      reason: reports.reason,
      body: reports.body,
      createdAt: reports.createdAt,
      by: personColumns,
      owner: ownerColumns,
      text: reports.text,
      beginning: reports.beginning,
      blog: {
        slug: blogs.slug,
        title: blogs.title,
        draft: blogs.draft,
        private: blogs.private,
        takedownReason: blogs.takedownReason,
        beginning: sql<string>`substr(${blogs.text}, 1, ${sql.raw(String(staffLimits.reports.excerpt))})`,
      },
      authorPrivate: author.private,
      commentId: reports.commentId,
    })
    .from(reports)
    .innerJoin(users, eq(users.id, reports.reporterId))
    .innerJoin(owner, eq(owner.id, reports.ownerId))
    .leftJoin(blogs, eq(blogs.id, reports.blogId))
    .leftJoin(author, eq(author.id, blogs.authorId))
    .where(
      and(
        eq(reports.target, sql.placeholder("target")),
        isOpen,
        sql`${isAppeal} = ${sql.placeholder("isAppeal")}`,
      ),
    )
    .orderBy(asc(reports.createdAt), asc(reports.id))
    .limit(sql.placeholder("limit")),
);
/** Returns a target's open reports, or its appeal, with its contents, oldest first. */
export const listOpenReports = async (
  connection: Connection,
  { target, isAppeal: appeals }: { target: string; isAppeal: number },
  limit: number,
) => openReports(connection).all({ target, isAppeal: appeals, limit });
export type OpenReport = Awaited<ReturnType<typeof listOpenReports>>[number];

/** Closes a target's reports, or its appeal. Returns the ids of those who sent them. */
export async function closeReports(
  tx: Connection,
  { kind, id }: Target,
  { appeals, now }: { appeals: boolean; now: number },
): Promise<string[]> {
  const rows = await tx.drizzle
    .update(reports)
    .set({ closedAt: now })
    .where(
      and(
        eq(reports.kind, kind),
        eq(reports.target, id),
        isOpen,
        (appeals ? eq : ne)(reports.reason, "appeal"),
      ),
    )
    .returning({ reporterId: reports.reporterId });
  return rows.map(({ reporterId }) => reporterId);
}

/**
 * Opens a target's reports again that the last decision about them dismissed: the audit log has the dismissal with the time
 * that they were closed. Returns the reporters' ids.
 */
export async function reopenReports(tx: Connection, { kind, id }: Target): Promise<string[]> {
  const dismissedAt = sql`(select max(r.closed_at) from reports r where r.target = ${id} and r.reason <> 'appeal')`;
  const isOpenAgain = sql`exists (select 1 from reports r where r.target = ${id}
    and r.reporter_id = ${reports.reporterId} and r.closed_at is null)`;
  const rows = await tx.drizzle
    .update(reports)
    .set({ closedAt: null })
    .where(
      and(
        eq(reports.kind, kind),
        eq(reports.target, id),
        ne(reports.reason, "appeal"),
        sql`${reports.closedAt} = ${dismissedAt}`,
        sql`exists (select 1 from audit_log where target = ${id} and act = 'keep' and at = ${reports.closedAt})`,
        sql`not ${isOpenAgain}`,
      ),
    )
    .returning({ reporterId: reports.reporterId });
  return rows.map(({ reporterId }) => reporterId);
}

export async function insertEntry(tx: Connection, entry: NewEntry): Promise<void> {
  await tx.drizzle.insert(auditLog).values(entry);
}

/** Hidden from the staff they are about. */
const hiddenFromSubject: AuditAct[] = ["limit", "unlimit", "note", "delete-note"];

/** Returns the audit log, newest first, without what the viewer must not see about themself. */
export const listEntries = async (
  connection: Connection,
  { viewerId, limit, offset }: { viewerId: string; limit: number; offset: number },
) =>
  connection.drizzle
    .select()
    .from(auditLog)
    .where(or(ne(auditLog.target, viewerId), notInArray(auditLog.act, hiddenFromSubject)))
    .orderBy(desc(auditLog.seq))
    .limit(limit)
    .offset(offset);

const orders = {
  newest: sql`users.seq desc`,
  name: sql`users.username`,
  seen: sql`(select max(seen_at) from sessions where user_id = users.id) desc nulls last`,
};
/** Makes SQLite use the state's partial index instead of scanning by order. */
const ordersOfSome: typeof orders = {
  newest: sql`${unindexed(sql`users.seq`)} desc`,
  name: unindexed(sql`users.username`),
  seen: orders.seen,
};
// Literals, to match the partial indexes.
const states: Record<PeopleState, SQL | undefined> = {
  all: undefined,
  suspended: sql`users.suspended_at is not null`,
  limited: sql`users.limited_at is not null`,
  staff: sql`(users.is_admin = 1 or users.is_moderator = 1)`,
  unverified: sql`users.verified_at is null`,
};
export interface PeopleQuery {
  query: string;
  sort: keyof typeof orders;
  state: PeopleState;
  viewerId: string;
  /** Whether the viewer can search by email. */
  byEmail: boolean;
  limit: number;
  offset: number;
}

/** Returns people by part of the username or name; for administrators also by complete email. */
export async function listPeople(
  connection: Connection,
  { query, sort, state, viewerId, byEmail, limit, offset }: PeopleQuery,
) {
  const search = query.trim().toLowerCase().replace(/^@/, "");
  const part = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return connection.drizzle
    .select({
      ...personColumns,
      email: users.email,
      createdAt: users.createdAt,
      verifiedAt: users.verifiedAt,
      isAdmin: users.isAdmin,
      isModerator: users.isModerator,
      writer: users.canPublish,
      suspendedAt: users.suspendedAt,
      suspensionReason: users.suspensionReason,
      limitedAt: users.limitedAt,
      limitReason: users.limitReason,
      publicBlogs: users.publicBlogs,
      waits: sql<number>`exists (select 1 from signup_requests a where a.user_id = users.id)`,
      notes: sql<number>`(select count(*) from staff_notes n where n.user_id = users.id)`,
      seenAt: sql<
        number | null
      >`(select max(${sessions.seenAt}) from ${sessions} where ${sessions.userId} = ${users.id})`,
    })
    .from(users)
    .where(
      and(
        states[state],
        // No one sees their own limit.
        state === "limited" ? ne(users.id, viewerId) : undefined,
        search === ""
          ? undefined
          : sql`(${users.username} like ${part} escape '\\' or lower(${users.name}) like ${part} escape '\\' ${byEmail ? sql`or ${users.email} = ${search}` : sql``})`,
      ),
    )
    .orderBy((state === "all" ? orders : ordersOfSome)[sort], asc(users.id))
    .limit(limit)
    .offset(offset);
}
export type StaffPersonRow = Awaited<ReturnType<typeof listPeople>>[number];

/** Returns a target's title, text or username for moderators; of a blog that they cannot see, what was reported. */
export async function nameOf(connection: Connection, kind: Kind, id: string): Promise<string | undefined> {
  const [table, name] = {
    blog: [blogs, blogs.title] as const,
    comment: [comments, comments.text] as const,
    profile: [users, users.username] as const,
  }[kind];
  const [reported] =
    kind === "profile" ? [] : await listOpenReports(connection, { target: id, isAppeal: 0 }, 1);
  if (reported) return reported.text;
  const row = await first(connection.drizzle.select({ name }).from(table).where(eq(table.id, id)));
  return row?.name ?? (kind === "comment" ? (await pendingById(connection, id, null))?.text : undefined);
}

const notes = (connection: Connection) =>
  connection.drizzle
    .select({
      id: staffNotes.id,
      userId: staffNotes.userId,
      authorId: staffNotes.authorId,
      /** The current username, or the stored one of a deleted account. */
      author: sql<string>`coalesce(${users.username}, ${staffNotes.author})`,
      body: staffNotes.body,
      createdAt: staffNotes.createdAt,
    })
    .from(staffNotes)
    .leftJoin(users, eq(users.id, staffNotes.authorId));

export const listNotes = async (connection: Connection, userId: string, limit: number) =>
  notes(connection)
    .where(eq(staffNotes.userId, userId))
    .orderBy(desc(staffNotes.createdAt), desc(staffNotes.id))
    .limit(limit);

export const noteById = async (connection: Connection, id: string) =>
  first(notes(connection).where(eq(staffNotes.id, id)));

export async function insertNote(tx: Connection, row: typeof staffNotes.$inferInsert): Promise<void> {
  await tx.drizzle.insert(staffNotes).values(row);
}

export async function deleteNote(tx: Connection, id: string): Promise<void> {
  await tx.drizzle.delete(staffNotes).where(eq(staffNotes.id, id));
}
