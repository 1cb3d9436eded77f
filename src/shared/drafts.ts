import { z } from "zod";
import { BlogUpdate, CoverFocus, type BlogPage, type Picture, type Schedule } from "./blogs.ts";
import { documentLimits } from "./document/limits.ts";
import { Id, type Person } from "./users.ts";

/*
 * A text while it is being written (docs/decisions/0019-drafts-and-publishing.md): a draft on the server, separate from what
 * readers see. Writers send commits, each based on the previous one; the server orders them and sends them to all writers.
 */

/** What the next save makes of the blog: a draft, a scheduled one, or published. */
const Intent = z.strictObject({
  draft: z.boolean(),
  later: z
    .strictObject({
      at: z.iso.datetime().nullable(),
      zone: z.string().max(100),
      typed: z.string().max(100).optional(),
    })
    .nullable(),
});
export type Intent = z.infer<typeof Intent>;

/**
 * Fields beside the text. The later of two changes wins, except in `mergedFields`. Values stay as typed, so that a trailing
 * space is not lost while typing; a save validates them (`BlogUpdate`).
 */
const Fields = z
  .strictObject({
    title: z.string().max(1_000),
    description: z.string().max(1_000),
    tags: z.array(z.string().max(200)).max(100),
    coverId: Id.nullable(),
    coverFocus: CoverFocus,
    private: z.boolean(),
    address: z.string().max(200),
    canonicalUrl: z.string().max(10_000),
    searchTitle: z.string().max(1_000),
    searchDescription: z.string().max(1_000),
    language: z.string().max(200),
    /** The restored version, until the next save. */
    restores: Id.nullable(),
    /** Until the next save; null leaves the blog as it is. */
    intent: Intent.nullable(),
  })
  .partial();

/** `private` is who can read the blog once published, `address` the wished slug, or empty. */
export type DraftFields = Required<z.infer<typeof Fields>>;

/** Returns the fields of a new draft. */
export const newDraftFields = (): DraftFields => ({
  title: "",
  description: "",
  tags: [],
  coverId: null,
  coverFocus: null,
  private: false,
  address: "",
  restores: null,
  intent: null,
  canonicalUrl: "",
  searchTitle: "",
  searchDescription: "",
  language: "",
});

/** The fields that readers see, beside the text. */
export const contentNames = [
  "title",
  "description",
  "tags",
  "coverId",
  "coverFocus",
  "private",
  "canonicalUrl",
  "searchTitle",
  "searchDescription",
  "language",
] as const satisfies (keyof DraftFields)[];
export type Content = Pick<DraftFields, (typeof contentNames)[number]>;

/** Fields of text that several authors may type at once: a page merges its change with those that came first. */
export const mergedFields = ["title", "description"] as const;

/** Returns all fields after a change. A new cover is centred unless the change says otherwise. */
export const applyFieldChange = (fields: DraftFields, change: Partial<DraftFields>): DraftFields => ({
  ...fields,
  ...(change.coverId !== undefined && change.coverId !== fields.coverId && { coverFocus: null }),
  ...change,
});

export const draftLimits = {
  /** In one commit. */
  steps: 500,
  /** Characters of their JSON; a paste may be a whole text. */
  stepsLength: 1_200_000,
  /** The work of one commit (`stepCost`): a page splits what needs more. */
  cost: 100_000,
  /** Commits, and their bytes, sent at once to a returning page; if more are missing, it opens the text again. */
  missedCommits: 500,
  missedBytes: 2_000_000,
  /** Unsaved new blogs from which a page chooses the one to continue. */
  unfinished: 20,
} as const;

/** The most positions within the limits: a node has two, a character one. */
export const lastPosition = documentLimits.textLength + 2 * documentLimits.nodes;

/** A change of a draft. `seq` counts them; `author`, `client` and `number` identify it forever. */
export interface Commit {
  seq: number;
  /** Null for a change of the site; missing from a page's own. */
  author?: string | null;
  client: string;
  number: number;
  /** JSON of prosemirror-transform. */
  steps: unknown[];
  fields: Partial<DraftFields>;
  /** The picture of `coverId`, if among the fields. */
  cover?: Picture | null;
}

/** A draft as a page opens it. `since` is the commit that was last published or saved, `seq` the last one. */
export interface OpenedDraft {
  id: string;
  seq: number;
  since: number;
  document: unknown;
  fields: DraftFields;
  cover: Picture | null;
  /** A new blog that was never saved. */
  isUnsaved: boolean;
  /** Of the store's history: commit numbers repeat after a backup was restored. */
  epoch: string;
}

export const OpenDraft = z.strictObject({ id: Id });
const place = { epoch: z.string().max(100), seq: z.number().int().min(1) };
export const PublishDraft = z.strictObject({
  id: Id,
  draft: z.boolean(),
  /** Starts a live blog; for a publication at once. */
  live: z.boolean().default(false),
  schedule: BlogUpdate.shape.schedule,
});
export const DraftSince = z.strictObject({ id: Id, ...place });

export const PushCommit = z.strictObject({
  id: Id,
  /** The commit that the steps are based on. */
  ...place,
  /** A random name of the page, and the number of its commits including this one. */
  client: Id,
  number: z.number().int().min(1),
  /** JSON of an array. */
  steps: z.string().max(draftLimits.stepsLength).default("[]"),
  fields: Fields.default({}),
  /** The page's document schema: `schemaMark`. */
  schema: z.string().max(40),
});

/** `stored` as this commit. `behind`: has to be rebased on these commits. `lost`: they are no longer stored. */
export type PushResult =
  | { kind: "stored"; seq: number }
  | { kind: "behind"; commits: Commit[] }
  | { kind: "lost" };

/** A blog beside its draft. `seq`: the last saved commit; `isUnsaved`: a new blog that was never saved. */
export interface SavedState {
  seq: number;
  draft: boolean;
  isUnsaved: boolean;
  schedule: Schedule | null;
}

/** `commits` are null if no longer stored: the page opens the text again. */
export interface CommitsSince {
  commits: Commit[] | null;
  saved: SavedState | null;
}

/** A draft as its readers would see it. */
export interface Preview {
  blog: Omit<BlogPage, "cursor">;
  slug: string;
  isDraft: boolean;
  /** It is, or would be, for its owner's followers only. */
  forFollowers: boolean;
  isChanged: boolean;
  /** Why the text cannot be shown; `blog` then has the last saved text. */
  problem: string | null;
}

/** Pages writing one text at once; others read along until a place is free. */
export const maxWriters = 8;

/** A selection in the text as of commit `seq`; `head` is the moving end. */
const caretShape = {
  seq: z.number().int().min(1),
  anchor: z.number().int().min(0).max(lastPosition),
  head: z.number().int().min(0).max(lastPosition),
};
export const MoveCaret = z.strictObject({ id: Id, client: Id, ...caretShape });
export type Caret = Record<keyof typeof caretShape, number>;

/** A page that writes a text. `place` is its own number while it is there; `arrived` numbers the pages in order of arrival. */
export interface Writer {
  client: string;
  person: Person;
  place: number;
  arrived: number;
  caret: Caret | null;
  /** The page was closed, or is reloading. */
  isLeaving?: true;
}

/** A new blog that was begun but not saved yet. */
export interface UnsavedBlog {
  id: string;
  changedAt: string;
}
