import { z } from "zod";
import { limits } from "./limits.ts";
import { staffLimits } from "./staff-limits.ts";
import { Id, PageNumber, lines } from "./users.ts";
import type { Person, SignUpMode } from "./users.ts";

/** What can be reported, and is acted upon: a blog, a comment or a person, by its id. */
export const reportedKinds = ["blog", "comment", "profile"] as const;
export type ReportedKind = (typeof reportedKinds)[number];

/** Why something is reported. `appeal` is the author's alone, of what was hidden. */
export const reportReasons = ["spam", "abuse", "hate", "sexual", "illegal", "other", "appeal"] as const;
export type ReportReason = (typeof reportReasons)[number];

export const Target = z.strictObject({ kind: z.enum(reportedKinds), id: Id });
export type Target = z.infer<typeof Target>;

const words = lines(staffLimits.reports.words, "What you write");

export const Report = Target.extend({
  reason: z.enum(reportReasons),
  words: z.union([z.literal(""), words]).default(""),
});
export const reportOutcomes = ["keep", "hide", "suspend"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
/** `keep` dismisses the reports; `hide` takes a blog down or deletes a comment; `suspend` suspends the account of its author. */
export const ResolveReport = Target.extend({
  outcome: z.enum(reportOutcomes),
  reason: z.union([z.literal(""), words]).default(""),
});
export const HideSetup = z.strictObject({ hidden: z.boolean() });
export const Restore = z.strictObject({ blogId: Id });
export const Suspend = z.strictObject({
  userId: Id,
  suspended: z.boolean(),
  reason: z.union([z.literal(""), words]).default(""),
});
export const SetLimited = z.strictObject({
  userId: Id,
  limited: z.boolean(),
  reason: z.union([z.literal(""), words]).default(""),
});
/** What moderators tell each other about somebody. */
export const Note = words;
export const OfPerson = z.strictObject({ userId: Id });
/** Said twice: the username is typed by whoever deletes. */
export const DeletePerson = OfPerson.extend({ username: z.string().max(100) });
export const AddNote = OfPerson.extend({ words: Note });
export const RemoveNote = z.strictObject({ noteId: Id });
export const MakeModerator = z.strictObject({ userId: Id, moderator: z.boolean() });
export const SetSignUp = z.strictObject({ mode: z.enum(["open", "approval", "invitation", "closed"]) });
export const SetQuestion = z.strictObject({
  question: lines(staffLimits.signupRequests.question, "The question"),
});
export const RejectSignup = OfPerson.extend({ reason: z.union([z.literal(""), words]).default("") });
/** A mail domain with what is below it, or an address or a network. */
export const SetSignupBlock = z.strictObject({ value: z.string().min(1).max(300), blocked: z.boolean() });
/** Whether somebody may write where administrators choose who does. */
export const SetWriter = z.strictObject({ userId: Id, writer: z.boolean() });
/** For how many accounts a link is good, and for how many days; null for ever. */
export const Invite = z.strictObject({
  places: z.number().int().min(1).max(1_000),
  days: z.number().int().min(1).max(365).nullable(),
});
export const Withdraw = z.strictObject({ code: z.string().min(1).max(100) });
export const StaffList = z.strictObject({ page: PageNumber.default(1) });
export const peopleStates = ["all", "suspended", "limited", "staff", "unverified"] as const;
export type PeopleState = (typeof peopleStates)[number];
export const StaffPeople = StaffList.extend({
  query: z.string().max(limits.search.max).default(""),
  sort: z.enum(["newest", "seen", "name"]).default("newest"),
  state: z.enum(peopleStates).default("all"),
});

/** What is reported, with all reports that wait, the first one first. */
export interface ReportedTarget {
  kind: ReportedKind;
  id: string;
  /** A blog's title, a comment's text, or a person's bio. */
  text: string;
  /** How a blog's text begins; of anything else nothing. */
  beginning: string;
  /** Where it is read; null where moderators may not: nobody's drafts are shown to them. */
  address: string | null;
  owner: Person;
  reports: { by: Person; reason: ReportReason; words: string; at: string }[];
  reportsCount: number;
}
export interface ReportQueue {
  targets: ReportedTarget[];
  /** How many targets wait in all. */
  waiting: number;
  page: number;
  hasMore: boolean;
}

/** Somebody as moderators see them. */
export interface StaffPerson extends Person {
  /** For administrators alone. */
  email: string | null;
  joinedAt: string;
  seenAt: string | null;
  verified: boolean;
  /** Whether moderators have yet to let them in. */
  isPending: boolean;
  /** May write where administrators choose who does. */
  writer: boolean;
  role: "member" | "moderator" | "administrator";
  suspended: { at: string; reason: string } | null;
  /** Only followers see the account. */
  limited: { at: string; reason: string } | null;
  blogs: number;
  /** What moderators told each other about them. */
  notes: number;
}
/** A note about somebody, for moderators alone. */
export interface StaffNote {
  id: string;
  author: string;
  words: string;
  at: string;
  /** Whether the viewer may delete it. */
  own: boolean;
}
export interface StaffPeopleList {
  people: StaffPerson[];
  page: number;
  hasMore: boolean;
}

/** What an administrator does first at a new site, and whether each is done. */
export interface SiteSetup {
  isHidden: boolean;
  done: Record<"name" | "mail" | "backup" | "people", boolean>;
}

/** A link to join by. `address` is the whole of it. */
export interface Invitation {
  code: string;
  address: string;
  places: number;
  used: number;
  expiresAt: string | null;
}
export interface SignupSettings {
  mode: SignUpMode;
  /** What whoever signs up is asked where new people wait for moderators. */
  question: string;
  invitations: Invitation[];
  /** Mail domains and networks that nobody joins from. */
  blocks: string[];
}

/** Who waits to be let in. */
export interface SignupRequests {
  waiting: number;
  people: {
    id: string;
    name: string;
    /** For administrators alone. */
    email: string | null;
    byGoogle: boolean;
    answer: string;
    since: string;
  }[];
  page: number;
  hasMore: boolean;
}

export const JobAsked = z.strictObject({ id: Id });
/** Work of the server, without what it is about. */
export interface StaffJob {
  id: string;
  name: string;
  state: "failed" | "running" | "waiting" | "unknown";
  attempts: number;
  askedAt: string;
  dueAt: string;
  /** Why the last attempt failed; empty where none did. */
  error: string;
  canRetry: boolean;
}
export interface StaffJobs {
  jobs: StaffJob[];
  page: number;
  hasMore: boolean;
}

/** What came to be on each day, the newest first; of `bytes` what pictures took more, or less. */
export interface SiteNumbers {
  days: {
    date: string;
    people: number;
    blogs: number;
    comments: number;
    bytes: number;
    mails: number;
    mailsFailed: number;
  }[];
}

/** The room on the disk, in bytes. */
export interface SiteDisk {
  free: number;
  total: number;
  isLow: boolean;
}

export const auditActs = [
  "hide",
  "restore",
  "suspend",
  "unsuspend",
  "silence",
  "unsilence",
  "keep",
  "moderator",
  "administrator",
  "member",
  "verify",
  "reset",
  "delete",
  "note",
  "unnote",
  "sign-up",
  "question",
  "let-in",
  "refuse",
  "refuse-sender",
  "admit-sender",
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
  number: number;
  at: string;
  actor: string;
  act: AuditAct;
  kind: ReportedKind | "site";
  name: string;
  reason: string;
}
