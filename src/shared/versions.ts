import { z } from "zod";
import type { Picture } from "./blogs.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/**
 * What created a version. `before`: the text of a blog older than its history, before its first recorded change; `api` and
 * `imported`: a program or an import changed it; `unpublished` and `discarded`: changes of its draft that readers did not
 * see, while they were written and when they were discarded.
 */
export const versionReasons = [
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
export type VersionReason = (typeof versionReasons)[number];
/** The blog itself never said this. */
export const unsavedReasons = ["unpublished", "discarded"] as const satisfies VersionReason[];

export interface VersionEntry {
  id: string;
  why: VersionReason;
  /** When it was saved, ISO 8601. */
  createdAt: string;
  /** Who saved it; null if deleted or hidden from the viewer. */
  author: Person | null;
  title: string;
  words: number;
  /** The difference in words to the previous version; null for the first. */
  change: number | null;
  /** To compare with. */
  previous: string | null;
  draft: boolean;
  /** When the restored version was saved; null for none, or if it is no longer stored. */
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
