import type { z } from "zod";
import type { Picture, SavedBlog, Schedule } from "../../shared/blogs.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type {
  CommitsSince,
  DraftFields,
  PublishDraft,
  PushResult,
  UnsavedBlog,
  OpenedDraft,
} from "../../shared/drafts.ts";
import type { CommitRequest, SyncState, Unconfirmed } from "./commits.ts";
import type { DeviceState } from "./delayed-store.ts";
import type { BlogFields } from "./draft-fields.ts";
import type { DraftStore } from "./draft-store.ts";

/** A draft on this page: what the server confirmed, and `at`, the changes since. */
export interface Draft {
  blogId: string;
  /** A new blog, which the server knows after the first change. */
  isNew: boolean;
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
  /** Whether readers see nothing of the blog, and its schedule on the server. */
  isDraft: boolean;
  schedule: Schedule | null;
}

/** A page's draft on this device, which the server does not have completely. */
export interface StoredDraft extends Draft {
  account: string;
  client: string;
  /** Names of pictures being uploaded; lost if the draft is resumed. */
  pictures: string[];
  changedAt: number;
}

/** Whether the server does not know it yet. */
export const isUnknownToServer = ({ isNew, at }: Draft): boolean => isNew && at.epoch === "";

/** The fields as of this page. */
export const latestFields = ({ fields, at }: Draft): DraftFields => ({
  ...fields,
  ...at.underway?.fields,
  ...at.fields,
});

/** What a form holds beside its fields: a cover and names of pictures being uploaded, and all tags with a half-typed one. */
export interface FormExtras {
  file: Blob | null;
  pictures: string[];
  tags: string[];
}

/** `broken`: the editor's code or the text could not be loaded. */
type Phase = { name: "starting" | "broken" } | { name: "writing"; draft: Draft; key: number };

/**
 * A notice for the author: `restored` lists lost pictures; `kept`: changes became a new draft, with this slug once the server has
 * it; others can be undone.
 */
export type FormNotice =
  | { kind: "restored"; lost: readonly string[]; isNew: boolean }
  | { kind: "deleted" | "ended" | "old" }
  | { kind: "kept"; slug: string | null }
  | { kind: "discarded" | "taken-up"; undo: () => void }
  | null;

/** The viewer can no longer write another's blog, or it is deleted. */
export interface Removal {
  mayBeDeleted: boolean;
  /** Where what was not saved is kept: in a new draft, whose slug is null before the server has it. */
  kept: "nothing" | "soon" | "nowhere" | { slug: string | null };
}

export interface Snapshot {
  phase: Phase;
  notice: FormNotice;
  /** The fields in the form, without the text. */
  fields: BlogFields;
  /** The blog's schedule on the server. */
  schedule: Schedule | null;
  /** Readers see something else. */
  isChanged: boolean;
  deviceState: DeviceState;
  sync: SyncState;
  removed: Removal | null;
  /** Counts the changes by others. */
  changesByOthers: number;
  /** The topic to subscribe to; null before the server knows the blog. */
  topic: `draft:${string}` | null;
}

/** The server's procedures for drafts. */
export interface DraftApi {
  begin: (input: { id: string }) => Promise<{ slug: string }>;
  open: (input: { id: string }) => Promise<OpenedDraft>;
  unfinished: () => Promise<UnsavedBlog[]>;
  discard: (input: { id: string }) => Promise<unknown>;
  /** Deletes a new blog that was never saved. */
  remove: (input: { id: string; begun: true }) => Promise<unknown>;
  publish: (input: z.input<typeof PublishDraft>) => Promise<SavedBlog>;
  push: (commit: CommitRequest) => Promise<PushResult>;
  /** Sends a commit, without an answer, from a page that may be closing. */
  pushAtUnload: (commit: CommitRequest) => void;
  since: (input: { id: string; epoch: string; seq: number }) => Promise<CommitsSince>;
}

export interface SessionDependencies {
  store: DraftStore;
  /** Claims a name for this tab. Returns a function that gives it up, or null if another tab has it. */
  claim: (name: string) => Promise<(() => void) | null>;
  editor: () => Promise<EditorCode>;
  /** Returns the account now signed in, of which the form may learn late. */
  signedIn: () => string | undefined;
  api: DraftApi;
}

/** The code that is loaded together with the editor. */
export type EditorCode = typeof import("./draft-sync.ts").code;
