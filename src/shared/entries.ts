import { shorten } from "./document/shorten.ts";
import type { Person } from "./users.ts";

/*
 * Live blogs, which report an event entry by entry (docs/decisions/0031-live-blogs.md). The blog's own text is the
 * introduction.
 */

export const entryLimits = {
  title: 150,
  /** Characters of an entry's text, and bytes of its document as JSON. */
  text: 20_000,
  jsonBytes: 200_000,
  /** Entries of a blog, without those that were withdrawn. */
  ofBlog: 2_000,
  /** Entries of a page of the list, fewer if they are long: about `characters` of HTML. */
  page: 30,
  characters: 150_000,
  /** Key moments that are listed. */
  keys: 50,
  summary: { points: 8, length: 280 },
} as const;

/** Whether a blog is a live blog, and since when (ISO 8601). `ended` is null while it is on air. */
export interface LiveState {
  since: string;
  ended: string | null;
  summary: string[];
  /** Whether other sites may show it, if everybody can read it. */
  embeddable: boolean;
}

/** The place of an entry in the list: by the time that readers see (ISO 8601), then by id. */
export interface EntryPosition {
  at: string;
  id: string;
}

/** An entry, the same for every reader. `author` is null if they are hidden from the reader, or their account is gone. */
export interface Entry extends EntryPosition {
  blogId: string;
  author: Person | null;
  /** May be empty. */
  title: string;
  isKey: boolean;
  html: string;
  /** Its title, or its first words. */
  headline: string;
  editedAt: string | null;
  likesCount: number;
}

export interface ViewerEntry extends Entry {
  liked: boolean;
}

/** Names an entry where its text is not shown: its title, or its first words. */
export const headlineOf = ({ title, excerpt }: { title: string; excerpt: string }): string =>
  title || shorten(excerpt, 90) || "A picture";

/** An entry in the list of key moments. */
export type KeyMoment = Pick<Entry, "id" | "at" | "headline">;

/** Why an entry cannot be posted, for its author. */
export const entryProblems = {
  empty: "Write something first.",
  tooLong: `An entry can have up to ${entryLimits.text.toLocaleString("en")} characters. Please post it in parts.`,
};

export const entryOrders = ["newest", "oldest"] as const;
export type EntryOrder = (typeof entryOrders)[number];

/** The order in which readers see a live blog unless they choose: what is new while it runs, the story once it has ended. */
export const defaultOrder = ({ ended }: Pick<LiveState, "ended">): EntryOrder =>
  ended === null ? "newest" : "oldest";

/**
 * A page of a blog's entries. `more` is the last entry of the page if others follow. `keys` are the key moments, oldest first, of
 * the whole blog. `total` counts all entries.
 */
export interface EntryList {
  entries: ViewerEntry[];
  more: EntryPosition | null;
  keys: KeyMoment[];
  total: number;
  cursor: string;
}

/** A live blog of the viewer's that is on air, for the bar on all their pages. */
export interface OnAirBlog {
  id: string;
  slug: string;
  title: string;
  commentsCount: number;
}

/** An entry for its editor. */
export interface EditableEntry {
  id: string;
  title: string;
  isKey: boolean;
  at: string;
  editedAt: string | null;
  document: unknown;
}
