import { z } from "zod";
import type { Picture } from "./blogs.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/**
 * What made a revision. `before`: the blog is older than its history, and this is what it said until its first change since;
 * `api` and `imported`: a program changed it, or an import did.
 */
export const revisionWhys = [
  "published",
  "updated",
  "draft",
  "restored",
  "api",
  "imported",
  "before",
] as const;
export type RevisionWhy = (typeof revisionWhys)[number];

/** A revision in the list of a blog's history. */
export interface RevisionEntry {
  id: string;
  why: RevisionWhy;
  /** When it was saved, ISO 8601. */
  createdAt: string;
  /** Who saved it; null where they have gone, or are not there for the viewer. */
  author: Person | null;
  title: string;
  words: number;
  /** How many words more the one before had not, below zero fewer; null of the first. */
  change: number | null;
  /** The one before, to compare with. */
  previous: string | null;
  draft: boolean;
  /** Readers see it: it stays. */
  seen: boolean;
  /** When the revision was saved that it takes up again; null for none, or one that is no longer kept. */
  restored: string | null;
}

/** A page of it, the newest first. `mine`: the viewer is the blog's owner, who may delete of it. */
export interface RevisionList {
  revisions: RevisionEntry[];
  hasMore: boolean;
  mine: boolean;
}

/** What a blog said: all that a revision takes back. */
export interface Revision {
  id: string;
  createdAt: string;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  document: unknown;
}

/** `before` is the last of the page before. */
export const ListRevisions = z.strictObject({
  id: Id,
  before: z.strictObject({ createdAt: z.iso.datetime(), id: Id }).optional(),
});
export const OneRevision = z.strictObject({ id: Id, revision: Id });
