import { z } from "zod";
import { limits } from "./limits.ts";
import { staffLimits } from "./staff-limits.ts";
import { Id, PageNumber, lines } from "./users.ts";
import type { Person } from "./users.ts";

export const reportedKinds = ["blog", "comment", "profile"] as const;
export type ReportedKind = (typeof reportedKinds)[number];

/** Why something is reported. `appeal` is for the author only, against a takedown. */
export const reportReasons = ["spam", "abuse", "hate", "sexual", "illegal", "other", "appeal"] as const;
export type ReportReason = (typeof reportReasons)[number];

export const Target = z.strictObject({ kind: z.enum(reportedKinds), id: Id });
export type Target = z.infer<typeof Target>;

const requiredText = lines(staffLimits.reports.words, "What you write");

export const Report = Target.extend({
  reason: z.enum(reportReasons),
  body: z.union([z.literal(""), requiredText]).default(""),
});
export const reportOutcomes = ["keep", "take-down", "suspend"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
/** `keep` dismisses the reports; `take-down` takes a blog down or deletes a comment; `suspend` suspends its author's account. */
export const ResolveReport = Target.extend({
  outcome: z.enum(reportOutcomes),
  reason: z.union([z.literal(""), requiredText]).default(""),
});
/** How many reported items, appeals and sign-ups wait for moderators. */
export interface StaffWaiting {
  reports: number;
  appeals: number;
  signups: number;
}
export const Restore = z.strictObject({ blogId: Id });
export const OfAppeal = z.strictObject({ blogId: Id });
/** `keep` leaves the blog taken down. Its author is told the reason. */
export const AnswerAppeal = OfAppeal.extend({
  outcome: z.enum(["keep", "restore"]),
  reason: requiredText.refine((reason) => reason !== "", "Please give a reason. The author will see it."),
});
/** An author’s request to review the takedown of a blog, and what moderators answered. */
export interface Appeal {
  at: string;
  answer: { at: string; reason: string } | null;
}
export const Suspend = z.strictObject({
  userId: Id,
  suspended: z.boolean(),
  reason: z.union([z.literal(""), requiredText]).default(""),
});
export const SetLimited = z.strictObject({
  userId: Id,
  limited: z.boolean(),
  reason: z.union([z.literal(""), requiredText]).default(""),
});
/** A moderators' note about a person. */
export const Note = requiredText;
export const PersonId = z.strictObject({ userId: Id });
/** The username is typed to confirm. */
export const DeletePerson = PersonId.extend({ username: z.string().max(100) });
export const AddNote = PersonId.extend({ body: Note });
export const RemoveNote = z.strictObject({ noteId: Id });
export const MakeModerator = z.strictObject({ userId: Id, moderator: z.boolean() });
export const RejectSignup = PersonId.extend({ reason: z.union([z.literal(""), requiredText]).default("") });
export const SetWriter = z.strictObject({ userId: Id, writer: z.boolean() });
export const StaffList = z.strictObject({ page: PageNumber.default(1) });
export const peopleStates = ["all", "suspended", "limited", "staff", "unverified"] as const;
export type PeopleState = (typeof peopleStates)[number];
export const StaffPeople = StaffList.extend({
  query: z.string().max(limits.search.max).default(""),
  sort: z.enum(["newest", "seen", "name"]).default("newest"),
  state: z.enum(peopleStates).default("all"),
});

/** A reported item with all open reports, the oldest first, or with the appeal of its author. */
export interface ReportedTarget {
  kind: ReportedKind;
  id: string;
  isAppeal: boolean;
  /** Why it was taken down; null if it was not. */
  takedownReason: string | null;
  /** A blog's title, a comment's text, or a person's bio. */
  text: string;
  /** How a blog's text begins; else empty. */
  beginning: string;
  /** Where moderators can read it; null if they cannot, as a draft. */
  address: string | null;
  owner: Person;
  reports: { by: Person; reason: ReportReason; body: string; at: string }[];
  reportsCount: number;
}
export interface ReportQueue {
  targets: ReportedTarget[];
  /** Targets with open reports. */
  waiting: number;
  page: number;
  hasMore: boolean;
}

export interface StaffPerson extends Person {
  /** For administrators only; else null. */
  email: string | null;
  joinedAt: string;
  seenAt: string | null;
  verified: boolean;
  /** The account needs approval. */
  isPending: boolean;
  writer: boolean;
  role: "member" | "moderator" | "administrator";
  suspended: { at: string; reason: string } | null;
  /** Only followers see the account. */
  limited: { at: string; reason: string } | null;
  blogs: number;
  /** Number of moderators' notes. */
  notes: number;
}
export interface StaffNote {
  id: string;
  author: string;
  body: string;
  at: string;
  own: boolean;
}
export interface StaffPeopleList {
  people: StaffPerson[];
  page: number;
  hasMore: boolean;
}

/** Accounts that need approval. */
export interface SignupRequests {
  waiting: number;
  people: {
    id: string;
    name: string;
    /** For administrators only; else null. */
    email: string | null;
    byGoogle: boolean;
    answer: string;
    since: string;
  }[];
  page: number;
  hasMore: boolean;
}

export const auditActs = [
  "take-down",
  "restore",
  "keep-appeal",
  "reopen",
  "suspend",
  "unsuspend",
  "limit",
  "unlimit",
  "keep",
  "moderator",
  "administrator",
  "member",
  "add",
  "verify",
  "reset",
  "reset-2fa",
  "sign-out",
  "delete",
  "note",
  "delete-note",
  "sign-up",
  "question",
  "approve",
  "reject",
  "block-sign-ups",
  "unblock-sign-ups",
  "invite",
  "withdraw",
  "site",
  "writer",
  "reader",
  "retry",
  "discard",
] as const;
export type AuditAct = (typeof auditActs)[number];
export interface AuditEntry {
  seq: number;
  at: string;
  actor: string;
  act: AuditAct;
  kind: ReportedKind | "site";
  name: string;
  reason: string;
}
