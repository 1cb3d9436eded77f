import type { CoverPoint } from "../../shared/blogs.ts";

/** A text as another program had it. */
export interface SourcePost {
  /** Its own name there, the same at each export: an id or a path. */
  source: string;
  /** For the report. */
  file: string;
  title: string;
  description?: string;
  tags: string[];
  body: { kind: "html" | "markdown"; text: string };
  /** A file of the source, or an address. */
  cover?: string;
  coverFocus?: CoverPoint | undefined;
  publishedAt?: Date;
  /** Why it is for its author alone; null: it is plainly public. */
  hidden: string | null;
  forFollowers?: boolean;
  slug?: string;
  /** Where it stood there: root-relative paths. */
  paths: string[];
  canonicalUrl?: string;
  searchTitle?: string;
  searchDescription?: string;
  language?: string;
  authors: { key: string; name: string; email?: string }[];
  comments?: SourceComment[];
  /** What of it can't be taken, said for the report. */
  problems: string[];
  /** A hash of what the source said of it, where one was made already. */
  says?: string;
}

export interface SourceComment {
  source: string;
  parent?: string;
  name: string;
  text: string;
  createdAt: Date;
  approved: boolean;
}

/** Everything that was found: a post, or what is none and why. */
export type Found = { post: SourcePost } | PassedBy;

export interface Source {
  kind: SourceKind;
  /** How many posts there may be, for a progress bar. */
  count: number;
  /** Where it stood, as `https://old.example`: links there lead to where these posts are now. Whole once all posts were gone through. */
  readonly origins?: readonly string[];
  /** One after the other, in bounded memory. */
  posts(): AsyncIterable<Found>;
  /** The bytes of a file that a post names, by the name it uses, from where that post stands. Throws `FileProblem`. */
  file(post: Pick<SourcePost, "file">, name: string, most: number): Promise<Buffer>;
  close(): Promise<void>;
}

export type SourceKind = "markdown" | "ghost" | "wordpress" | "medium" | "substack" | "reprise";

/** What is imported from: a folder, or a ZIP that is read as one (never unpacked as a whole, names checked, sizes bounded). */
export interface Files {
  list(): Promise<{ name: string; bytes: number }[]>;
  /** Throws `FileProblem` where it is not there, or has more bytes than `most`. */
  read(name: string, most: number): Promise<Buffer>;
  /** In pieces, for what may be large. */
  stream(name: string): Promise<NodeJS.ReadableStream>;
  /** What of it can't be read whoever asks, and why; whole once it was listed. */
  readonly passedBy?: readonly PassedBy[];
  close(): Promise<void>;
}

/** A file or folder that was passed by, and why. */
export interface PassedBy {
  file: string;
  reason: string;
  /** It should have been a post. */
  isWrong?: boolean;
}

/** What stands in the way of reading a file, said for the person who reads the report. */
export class FileProblem extends Error {
  override name = "FileProblem";
}
