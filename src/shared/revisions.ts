import { z } from "zod";
import type { Picture } from "./blogs.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/**
 * What created a revision. `before`: the text of a blog older than its history, before its first recorded change; `api` and
 * `imported`: a program or an import changed it; `unpublished` and `discarded`: changes of its working copy that readers did not
 * see, while they were written and when they were discarded.
 */
export const revisionReasons = [
  "published",
  "updated",
  "draft",
  "restored",
  "api",
  "imported",
  "before",
  "unpublished",
  "discarded",
] as const;
export type RevisionReason = (typeof revisionReasons)[number];
/** The blog itself never said this. */
export const unsavedReasons = ["unpublished", "discarded"] as const satisfies RevisionReason[];

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
  /** When the restored revision was saved; null for none, or if it is no longer stored. */
  restored: string | null;
}

/** The newest first. `mine`: the viewer is the owner, who can delete revisions. */
export interface RevisionList {
  revisions: RevisionEntry[];
  hasMore: boolean;
  /** The revision that readers see now, which cannot be deleted; null for a draft. */
  seen: string | null;
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
