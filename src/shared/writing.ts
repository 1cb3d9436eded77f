import { z } from "zod";
import { BlogUpdate, CoverFocus, type BlogPage, type Picture } from "./blogs.ts";
import { documentLimits } from "./document/limits.ts";
import { Id, type Person } from "./users.ts";

/*
 * A text while it is being written (docs/decisions/0044): a working copy that the server keeps, apart from what readers see.
 * Who writes sends commits, each made on the one before; the server puts them in one order and tells all who write.
 */

/**
 * What is written beside the text, kept by field: of two changes the later one wins. As it is typed, so that nobody's space goes
 * while they type: it is looked at when it is saved (`BlogUpdate`).
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
    /** The revision that was taken up again, until it is saved. */
    restores: Id.nullable(),
  })
  .partial();

/** The fields as they stand; `private` is who may read it once it is published, `address` one that is wished for, or empty. */
export type WritingFields = Required<z.infer<typeof Fields>>;

/** Fields after a change of some: another cover begins at its middle, where the change says no more. */
export const withChange = (fields: WritingFields, change: Partial<WritingFields>): WritingFields => ({
  ...fields,
  ...(change.coverId !== undefined && change.coverId !== fields.coverId && { coverFocus: null }),
  ...change,
});

export const writingLimits = {
  /** Steps of one commit, */
  steps: 500,
  /** and characters of their JSON: a whole text may be pasted at once. */
  stepsLength: 1_200_000,
  /** Commits that are told at once to who comes back: behind more the text is opened anew. */
  told: 500,
  /** New blogs that were begun, of which somebody is told. */
  unfinished: 20,
} as const;

/** Positions in a document that keeps within its limits: a node has two, a character one. */
export const lastPosition = documentLimits.textLength + 2 * documentLimits.nodes;

/** One change of a working copy: `seq` counts them; `client` and `number` name it, once for ever. */
export interface Commit {
  seq: number;
  client: string;
  number: number;
  /** Steps of prosemirror-transform, as JSON. */
  steps: unknown[];
  fields: Partial<WritingFields>;
  /** The picture that `coverId` names, where it is among the fields. */
  cover?: Picture | null;
}

/** A working copy as it stands. `since` is the commit that readers see, `seq` the last one. */
export interface Writing {
  id: string;
  seq: number;
  since: number;
  document: unknown;
  fields: WritingFields;
  cover: Picture | null;
  /** Of the store's history: commits are counted anew where an older copy of it was put back. */
  epoch: string;
}

export const OpenWriting = z.strictObject({ id: Id });
const place = { epoch: z.string().max(100), seq: z.number().int().min(1) };
/** The commit that a page knows last. */
export const PublishWriting = z.strictObject({
  id: Id,
  draft: z.boolean(),
  schedule: BlogUpdate.shape.schedule,
});
/** Whether readers see a published blog as it is written. */
export const SetLive = z.strictObject({ id: Id, live: z.boolean() });
export const WritingSince = z.strictObject({ id: Id, ...place });

export const PushCommit = z.strictObject({
  id: Id,
  /** The commit that its steps were made on. */
  ...place,
  /** A random name of the page, and how many commits it has made with this one. */
  client: Id,
  number: z.number().int().min(1),
  /** JSON of an array. */
  steps: z.string().max(writingLimits.stepsLength).default("[]"),
  fields: Fields.default({}),
  /** Which form of document the page knows: `schemaMark`. */
  schema: z.string().max(40),
});

/** `stored` as this commit. `behind`: others came first, and it is to be made on them. `lost`: they are not kept any more. */
export type Pushed =
  | { kind: "stored"; seq: number }
  | { kind: "behind"; commits: Commit[] }
  | { kind: "lost" };

/** What came after a commit; null where that is not kept any more: the text is to be opened anew. `saved`: the commit that the blog says. */
export interface CommitsSince {
  commits: Commit[] | null;
  saved: { seq: number; draft: boolean } | null;
}

/** What stands in a working copy, as its readers would see it. */
export interface Preview {
  blog: Omit<BlogPage, "cursor">;
  /** Where the blog is. */
  slug: string;
  isDraft: boolean;
  /** It is, or would be, for followers of whose blog it is alone. */
  forFollowers: boolean;
  /** Something was written since it was saved last. */
  isChanged: boolean;
  /** What is wrong with the text, where it can't be shown as it stands: the one that was saved last stands there then. */
  problem: string | null;
}

/** So many pages write in one text at once: more read along until there is room. */
export const writersAtOnce = 8;

/** Where somebody's selection is, in the text as it was after a commit: `head` is where they write. */
const caretShape = {
  seq: z.number().int().min(1),
  anchor: z.number().int().min(0).max(lastPosition),
  head: z.number().int().min(0).max(lastPosition),
};
/** A page that has a text open says where its caret is. */
export const MoveCaret = z.strictObject({ id: Id, client: Id, ...caretShape });
export type Caret = Record<keyof typeof caretShape, number>;

/** A page that writes in a text. `place` is a number of its own as long as it is there, `arrived` counts those who came. */
export interface Writer {
  client: string;
  person: Person;
  place: number;
  arrived: number;
  caret: Caret | null;
}

/** A new blog that was begun and not saved yet. */
export interface Unfinished {
  id: string;
  title: string;
  changedAt: string;
}
