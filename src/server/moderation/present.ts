import type {
  AuditAct,
  AuditEntry,
  ReportedKind,
  ReportedTarget,
  ReportReason,
  StaffPerson,
} from "../../shared/moderation.ts";
import type { StaffBlog, StaffComment, StaffPendingComment } from "../../shared/staff-content.ts";
import { routes } from "../../shared/routes.ts";
import type { StaffBlogRow, StaffCommentRow, StaffPendingRow } from "./content-queries.ts";
import { presentGuest, presentPerson } from "../profiles/present.ts";
import { canActAgainst, canFind, canKeepNotes, canRunSite, type Role } from "./policy.ts";
import type { listEntries, OpenReport, StaffPersonRow } from "./queries.ts";

/**
 * Presents a target with its open reports, as it was when it was reported. A draft that was not taken down stays hidden; one that
 * was is shown as it would be restored.
 */
export function presentTarget(
  { kind, target, isAppeal, total }: { kind: ReportedKind; target: string; isAppeal: number; total: number },
  rows: OpenReport[],
): ReportedTarget | undefined {
  const [firstReport] = rows;
  if (!firstReport) return undefined;
  const { blog, owner, commentId } = firstReport;
  const isPublic =
    blog && !blog.draft && canFind({ ...blog, authorPrivate: firstReport.authorPrivate ?? true });
  const address =
    kind === "profile"
      ? routes.profile(owner.username)
      : isPublic
        ? commentId
          ? routes.comment(blog.slug, commentId)
          : routes.blog(blog.slug)
        : null;
  const shown =
    kind !== "blog" || !blog?.draft
      ? firstReport
      : blog.takedownReason === null
        ? { text: "", beginning: "" }
        : { text: blog.title, beginning: blog.beginning };
  return {
    kind,
    id: target,
    isAppeal: isAppeal === 1,
    takedownReason: blog?.takedownReason ?? null,
    text: shown.text,
    beginning: shown.beginning,
    address,
    owner: presentPerson(owner),
    reports: rows.map(({ by, reason, body, createdAt }) => ({
      by: presentPerson(by),
      reason: reason as ReportReason,
      body,
      at: new Date(createdAt).toISOString(),
    })),
    reportsCount: total,
  };
}

export const presentStaffPending = (row: StaffPendingRow, isVisible: boolean): StaffPendingComment => ({
  id: row.id,
  text: row.text,
  address: isVisible ? routes.blog(row.slug) : null,
  author: presentPerson(row.author),
  blog: { title: row.title, author: presentPerson(row.owner) },
  at: asDate(row.at),
});

const asDate = (at: number) => new Date(at).toISOString();

/** Presents a person: the email only for administrators, and no one's own limit or notes. */
export const presentStaffPerson = (row: StaffPersonRow, me: Role & { id: string }): StaffPerson => ({
  ...presentPerson(row),
  email: canRunSite(me) ? row.email : null,
  joinedAt: asDate(row.createdAt),
  seenAt: row.seenAt === null ? null : asDate(row.seenAt),
  writer: row.isAdmin || row.writer,
  verified: row.verifiedAt !== null,
  isPending: Boolean(row.waits),
  role: row.isAdmin ? "administrator" : row.isModerator ? "moderator" : "member",
  suspended:
    row.suspendedAt === null ? null : { at: asDate(row.suspendedAt), reason: row.suspensionReason ?? "" },
  limited:
    row.limitedAt === null || row.id === me.id
      ? null
      : { at: asDate(row.limitedAt), reason: row.limitReason ?? "" },
  blogs: row.publicBlogs,
  notes: canKeepNotes(me, row) ? row.notes : 0,
});

export const presentStaffBlog = (row: StaffBlogRow, me: Role & { id: string }): StaffBlog => ({
  id: row.id,
  title: row.title,
  beginning: row.beginning,
  address: row.takedownReason === null && row.isVisible ? routes.blog(row.slug) : null,
  author: presentPerson(row.author),
  at: asDate(row.at),
  takedownReason: row.takedownReason,
  commentsCount: row.commentsCount,
  mayAct: canActAgainst(me, { id: row.author.id, ...row.roles }),
});

export const presentStaffComment = (row: StaffCommentRow, me: Role & { id: string }): StaffComment => ({
  id: row.id,
  text: row.text,
  address: row.isVisible ? routes.comment(row.slug, row.id) : null,
  author: row.author
    ? presentPerson(row.author)
    : row.guestName === null
      ? null
      : presentGuest(row.guestName),
  blog: { title: row.title, author: presentPerson(row.owner) },
  at: asDate(row.at),
  mayAct: !row.author || !row.roles || canActAgainst(me, { id: row.author.id, ...row.roles }),
});

export const presentEntry = ({
  seq,
  at,
  actor,
  act,
  kind,
  name,
  reason,
}: Awaited<ReturnType<typeof listEntries>>[number]): AuditEntry => ({
  seq,
  at: asDate(at),
  actor,
  act: act as AuditAct,
  kind,
  name,
  reason,
});
