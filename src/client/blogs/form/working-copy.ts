import type { z } from "zod";
import type { EditableBlog, Picture, SavedBlog, Schedule } from "../../../shared/blogs.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type {
  CommitsSince,
  PublishDraft,
  PushResult,
  UnsavedBlog,
  OpenedDraft,
  DraftFields,
} from "../../../shared/drafts.ts";
import type { JournalState } from "../../editor/journal/journal.ts";
import type { JournalStore } from "../../editor/journal/store.ts";
import type { CommitRequest, SyncState, Unconfirmed } from "../../editor/sync/sync.ts";
import type { SyncedText } from "../../editor/sync/text.ts";
import type { BlogFields } from "./blog-fields.ts";

/** A working copy on this page: what the server confirmed, and the changes since. */
export interface WorkingCopy {
  blogId: string;
  /** A new blog, which the server knows after the first change. */
  isNew: boolean;
  /** The language that the server recognized; empty if unsure. */
  guessedLanguage: string;
  /** The author has not saved it yet, on any device. */
  isUnsaved: boolean;
  /** Another author owns it and can remove this one. */
  isShared?: boolean;
  document: NodeJson;
  fields: DraftFields;
  cover: Picture | null;
  at: Unconfirmed;
  /** The commit that readers see. */
  since: number;
  /** A chosen cover that is not uploaded yet. */
  file: Blob | null;
  /** Whether it is a draft on the server, and its schedule there. */
  isDraft: boolean;
  schedule: Schedule | null;
}

/** A page's working copy on this device, which the server does not have completely. */
export interface StoredWork extends WorkingCopy {
  account: string;
  client: string;
  /** Names of pictures being uploaded; lost if the entry is resumed. */
  pictures: string[];
  changedAt: number;
}

/** Content waiting for the editor: shared by another app, or stored by a release without working copies. */
export interface WaitingContent {
  account: string;
  blogId: string;
  /** The version it is based on; null for a new blog. */
  base: number | string | null;
  fields: Partial<BlogFields>;
}

/** What a form holds beside its fields: a cover and names of pictures being uploaded, and all tags with a half-typed one. */
export interface FormExtras {
  file: Blob | null;
  pictures: string[];
  tags: string[];
}

/** `broken`: the editor's code or the text could not be loaded. */
type Phase = { name: "starting" | "broken" } | { name: "writing"; work: WorkingCopy; key: number };

/** A notice for the author: `restored` lists lost pictures; others can be undone. */
export type FormNotice =
  | { kind: "restored"; lost: readonly string[]; isNew: boolean }
  | { kind: "deleted" | "ended" | "old" }
  | { kind: "discarded" | "taken-up"; undo: () => void }
  | null;

/** The viewer can no longer write another's blog, or it is deleted. `unsentText`: what the server lacks. */
export interface Removal {
  unsentText: string;
  mayBeDeleted: boolean;
}
/** The blog on the server, with its text. */
export type BlogOnServer = EditableBlog & { document: unknown };

export interface Snapshot {
  phase: Phase;
  notice: FormNotice;
  /** The fields in the form, without the text. */
  fields: BlogFields;
  /** The language that the server recognized; empty if unsure. */
  guessedLanguage: string;
  /** The blog's schedule on the server. */
  schedule: Schedule | null;
  /** Readers see something else. */
  isChanged: boolean;
  /** The server's version, if it conflicts with the changes here. */
  newer: BlogOnServer | null;
  /** Other blogs that were begun and not saved. */
  others: readonly UnsavedBlog[];
  journalState: JournalState;
  sync: SyncState;
  removed: Removal | null;
  /** Counts the changes by others. */
  changesByOthers: number;
  /** The topic to subscribe to; null before the server knows the blog. */
  topic: `draft:${string}` | null;
}

export interface SessionDependencies {
  store: JournalStore<StoredWork, WaitingContent>;
  claim: (name: string) => Promise<(() => void) | null>;
  editor: () => Promise<EditorCode>;
  /** Returns the account now signed in, of which the form may learn late. */
  signedIn: () => string | undefined;
  api: {
    begin: (input: { id: string }) => Promise<unknown>;
    open: (input: { id: string }) => Promise<OpenedDraft>;
    unfinished: () => Promise<UnsavedBlog[]>;
    discard: (input: { id: string }) => Promise<unknown>;
    /** Deletes a new blog that was never saved. */
    remove: (input: { id: string; begun: true }) => Promise<unknown>;
    publish: (input: z.input<typeof PublishDraft>) => Promise<SavedBlog>;
    push: (commit: CommitRequest) => Promise<PushResult>;
    since: (input: { id: string; epoch: string; seq: number }) => Promise<CommitsSince>;
  };
}

export interface EditorCode {
  normalDocument: (json: unknown) => NodeJson;
  Sync: typeof import("../../editor/sync/sync.ts").DraftSync;
  headless: (document: NodeJson, at: Unconfirmed) => SyncedText;
  replace: (text: SyncedText, document: NodeJson) => void;
}
