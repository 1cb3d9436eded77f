import { DocumentError } from "../../shared/document/document-error.ts";
import type { Commenters, CoverPoint } from "../../shared/blogs.ts";
import type { FormerEntry, FormerLiveState } from "../entries/restore.ts";
import type { ImportKind } from "../../shared/imports.ts";

/** A post of another program. */
export interface SourcePost {
  /** Its permanent ID or path at the source. */
  source: string;
  /** For the report. */
  file: string;
  title: string;
  description?: string;
  tags: string[];
  body: { kind: "html" | "markdown"; text: string };
  /** A file or an address. */
  cover?: string;
  coverFocus?: CoverPoint | undefined;
  commentsFrom?: Commenters | undefined;
  publishedAt?: Date;
  /** Why only its author may see it; null when clearly public. */
  hidden: string | null;
  forFollowers?: boolean;
  slug?: string;
  /** Former root-relative paths. */
  paths: string[];
  canonicalUrl?: string;
  searchTitle?: string;
  searchDescription?: string;
  language?: string;
  authors: { key: string; name: string; email?: string }[];
  comments?: SourceComment[];
  /** Of a live blog; one that was on air ended with its export. */
  live?: FormerLiveState | undefined;
  /** Yields a live blog's entries. */
  entries?: () => AsyncIterable<SourceEntry>;
  /** Report lines about what cannot be imported. */
  problems: string[];
  /** The post's hash, when already computed. */
  contentHash?: string;
}

/** An entry of a live blog, or why it cannot be read. */
export type SourceEntry =
  | (Pick<FormerEntry, "at" | "createdAt" | "editedAt" | "title" | "isKey"> & {
      source: string;
      html: string;
    })
  | { problem: string };

export interface SourceComment {
  source: string;
  parent?: string;
  name: string;
  text: string;
  createdAt: Date;
  approved: boolean;
}

/** A post, or a skipped file. */
export type Found = { post: SourcePost } | SkippedFile;

export interface Source {
  kind: ImportKind;
  /** The expected number of posts, for progress. */
  count: number;
  /** Old origins, as `https://old.example`, whose links are mapped. */
  readonly origins?: readonly string[];
  /** Yields everything in bounded memory. */
  posts(): AsyncIterable<Found>;
  /** Reads a file by the name that a post uses for it. Throws `FileProblem`. */
  file(post: Pick<SourcePost, "file">, name: string, maxBytes: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A folder, or a ZIP read like one (never unpacked as a whole). */
export interface Files {
  list(): Promise<{ name: string; bytes: number }[]>;
  /** Throws `FileProblem` when it is missing or larger than `maxBytes` bytes. */
  read(name: string, maxBytes: number): Promise<Buffer>;
  /** Streams a file that may be large. */
  stream(name: string): Promise<NodeJS.ReadableStream>;
  /** Unreadable files; complete after `list`. */
  readonly skipped?: readonly SkippedFile[];
  close(): Promise<void>;
}

/** A skipped file or folder. */
export interface SkippedFile {
  file: string;
  reason: string;
  /** It should have been a post. */
  isWrong?: boolean;
}

/** A file that cannot be read; the message is for the report. */
export class FileProblem extends Error {
  override name = "FileProblem";
}

/** Joins the reasons why only its author may see a post; null without any. */
export const hiddenText = (reasons: string[]): string | null => [...new Set(reasons)].join("; ") || null;

/** Reports an unreadable text; the import continues. */
export function unreadableText(file: string, error: unknown): SkippedFile {
  const isExpected = error instanceof FileProblem || error instanceof DocumentError;
  const reason = isExpected ? error.message : `reading it failed (${String(error).slice(0, 120)})`;
  return { file, reason: `It can’t be imported: ${reason}`, isWrong: true };
}
