import { z } from "zod";
import type { Picture } from "./blogs.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/**
 * Why a version was recorded. `published`: readers saw it; `written`: a draft as it was after some minutes of writing; the others:
 * a draft as it was before someone restored another version or discarded it.
 */
export const versionReasons = ["published", "written", "before-restore", "before-discard"] as const;
export type VersionReason = (typeof versionReasons)[number];

export interface VersionEntry {
  id: string;
  reason: VersionReason;
  /** When it was published or written, ISO 8601. */
  createdAt: string;
  /** Who published or wrote it; null if deleted or hidden from the viewer. */
  author: Person | null;
  title: string;
  words: number;
  /** The difference in words to the previous version; null for the first. */
  change: number | null;
  /** To compare with. */
  previous: string | null;
  /** The date of the version that it restored; null for none, or if it is no longer stored. */
  restored: string | null;
}

/** The newest first. `mine`: the viewer is the owner, who can delete versions. */
export interface VersionList {
  versions: VersionEntry[];
  hasMore: boolean;
  /** The version that readers see now, which cannot be deleted; null for a draft. */
  seen: string | null;
  mine: boolean;
}

/** All that a version restores. */
export interface Version {
  id: string;
  createdAt: string;
  title: string;
  description: string;
  tags: string[];
  cover: Picture | null;
  document: unknown;
}

/** `before` is the last entry of the previous page. */
export const ListVersions = z.strictObject({
  id: Id,
  before: z.strictObject({ createdAt: z.iso.datetime(), id: Id }).optional(),
});
export const VersionRef = z.strictObject({ id: Id, version: Id });
