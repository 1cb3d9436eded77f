import type {
  AuditAct,
  AuditEntry,
  HiddenBlog,
  ReportedKind,
  ReportedTarget,
  ReportReason,
  StaffPerson,
} from "../../shared/moderation.ts";
import { routes } from "../../shared/routes.ts";
import { presentPerson } from "../users/present.ts";
import { canKeepNotes, canRunSite, type Role } from "./policy.ts";
import type { listEntries, listHidden, OpenReport, StaffPersonRow } from "./queries.ts";

/** What is reported, from its reports that wait: at least one. Of a draft that nobody took back there is nothing to see. */
export function presentTarget(
  { kind, target, total }: { kind: ReportedKind; target: string; total: number },
  rows: OpenReport[],
): ReportedTarget | undefined {
  const [one] = rows;
  if (!one) return undefined;
  const { blog, owner, comment, commentId, bio } = one;
  const isShut = blog !== null && blog.draft;
  const address =
    kind === "profile"
      ? routes.profile(owner.username)
      : blog && !isShut
        ? commentId
          ? routes.comment(blog.slug, commentId)
          : routes.blog(blog.slug)
        : null;
  const text = { profile: bio, comment: comment ?? "", blog: blog?.title ?? "" }[kind];
  const isDraft = isShut && blog.hiddenFor === null;
  return {
    kind,
    id: target,
    text: isDraft ? "" : text,
    beginning: kind === "blog" && blog && !isDraft ? blog.beginning : "",
    address,
    owner: presentPerson(owner),
    reports: rows.map(({ by, reason, words, createdAt }) => ({
      by: presentPerson(by),
      reason: reason as ReportReason,
      words,
      at: new Date(createdAt).toISOString(),
    })),
    reportsCount: total,
  };
}

const dated = (at: number) => new Date(at).toISOString();

/** Somebody as moderators see them; the address is for administrators alone, and of themself nobody learns what is noted. */
export const presentStaffPerson = (row: StaffPersonRow, me: Role & { id: string }): StaffPerson => ({
  ...presentPerson(row),
  email: canRunSite(me) ? row.email : null,
  joinedAt: dated(row.createdAt),
  seenAt: row.seenAt === null ? null : dated(row.seenAt),
  writer: row.isAdmin || row.writer,
  verified: row.verifiedAt !== null,
  waits: Boolean(row.waits),
  role: row.isAdmin ? "administrator" : row.isModerator ? "moderator" : "member",
  suspended: row.suspendedAt === null ? null : { at: dated(row.suspendedAt), reason: row.suspendedFor ?? "" },
  silenced:
    row.silencedAt === null || row.id === me.id
      ? null
      : { at: dated(row.silencedAt), reason: row.silencedFor ?? "" },
  blogs: row.publicBlogs,
  notes: canKeepNotes(me, row) ? row.notes : 0,
});

export const presentHidden = ({
  reason,
  author,
  ...blog
}: Awaited<ReturnType<typeof listHidden>>[number]): HiddenBlog => ({
  ...blog,
  reason: reason ?? "",
  author: presentPerson(author),
});

export const presentEntry = ({
  number,
  at,
  actor,
  act,
  kind,
  name,
  reason,
}: Awaited<ReturnType<typeof listEntries>>[number]): AuditEntry => ({
  number,
  at: dated(at),
  actor,
  act: act as AuditAct,
  kind,
  name,
  reason,
});
