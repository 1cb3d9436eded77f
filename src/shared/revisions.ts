import { z } from "zod";
import type { Picture } from "./blogs.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/**
 * What created a revision. `before`: the text of a blog older than its history, before its first recorded change; `api` and
 * `imported`: a program or an import changed it.
 */
export const revisionReasons = [
  "published",
  "updated",
  "draft",
  "restored",
  "api",
  "imported",
  "before",
] as const;
export type RevisionReason = (typeof revisionReasons)[number];

export interface RevisionEntry {
  id: string;
  why: RevisionReason;
  /** When it was saved, ISO 8601. */
  createdAt: string;
  /** Who saved it; null if deleted or hidden from the viewer. */
  author: Person | null;
  title: string;
  words: number;
  /** The difference in words to the previous revision; null for the first. */
  change: number | null;
  /** To compare with. */
  previous: string | null;
  draft: boolean;
  /** Readers see this revision now, so it cannot be deleted. */
  seen: boolean;
  /** When the restored revision was saved; null for none, or if it is no longer stored. */
  restored: string | null;
}

/** The newest first. `mine`: the viewer is the owner, who can delete revisions. */
export interface RevisionList {
  revisions: RevisionEntry[];
  hasMore: boolean;
  mine: boolean;
}

/** All that a revision restores. */
export interface Revision {
  id: string;
  createdAt: string;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  document: unknown;
}

/** `before` is the last entry of the previous page. */
export const ListRevisions = z.strictObject({
  id: Id,
  before: z.strictObject({ createdAt: z.iso.datetime(), id: Id }).optional(),
});
export const RevisionRef = z.strictObject({ id: Id, revision: Id });
