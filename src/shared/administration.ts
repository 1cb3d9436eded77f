import { z } from "zod";
import { staffLimits } from "./staff-limits.ts";
import { Id, lines } from "./users.ts";
import type { SignUpMode } from "./users.ts";

export const HideSetup = z.strictObject({ hidden: z.boolean() });

export const SetSignUp = z.strictObject({ mode: z.enum(["open", "approval", "invitation", "closed"]) });

export const SetQuestion = z.strictObject({
  question: lines(staffLimits.signupRequests.question, "The question"),
});

/** An email domain with its subdomains, an IP address, or a network. */
export const SetSignupBlock = z.strictObject({ value: z.string().min(1).max(300), blocked: z.boolean() });

/** How many accounts can use the link, and for how many days; null for no end. */
export const Invite = z.strictObject({
  places: z.number().int().min(1).max(1_000),
  days: z.number().int().min(1).max(365).nullable(),
});

export const Withdraw = z.strictObject({ code: z.string().min(1).max(100) });

/**
 * Whether emails are delivered, by the last one: `kept` as files without a mail server, `untried` before the first one. `server` has
 * host and port; `problem` says why the last one failed.
 */
export interface MailDelivery {
  state: "kept" | "untried" | "works" | "fails";
  server: string | null;
  deliveredAt: string | null;
  failedAt: string | null;
  problem: string;
}

/** An administrator's first tasks at a new site, and whether they are done. */
export interface SiteSetup {
  isHidden: boolean;
  mail: MailDelivery;
  done: Record<"name" | "contact" | "mail" | "backup" | "people", boolean>;
}

/** `address` is the whole URL. */
export interface Invitation {
  code: string;
  address: string;
  places: number;
  used: number;
  expiresAt: string | null;
}

export interface SignupSettings {
  mode: SignUpMode;
  /** Asked at sign-up if new accounts need approval. */
  question: string;
  invitations: Invitation[];
  /** Email domains and networks that cannot sign up. */
  blocks: string[];
}

export const JobId = z.strictObject({ id: Id });

/** A background job, without its data. */
export interface StaffJob {
  id: string;
  name: string;
  state: "failed" | "running" | "waiting" | "unknown";
  attempts: number;
  askedAt: string;
  dueAt: string;
  /** Why the last attempt failed; else empty. */
  error: string;
  canRetry: boolean;
}

export interface StaffJobs {
  jobs: StaffJob[];
  page: number;
  hasMore: boolean;
}

/** How many were created, deleted ones included. `bytes` is the growth of picture storage, possibly negative. */
export type SiteNumbers = Record<
  "people" | "blogs" | "comments" | "bytes" | "mails" | "mails-failed",
  { week: number; month: number; ever: number }
>;

/** Disk space, in bytes. */
export interface SiteDisk {
  free: number;
  total: number;
  isLow: boolean;
}
