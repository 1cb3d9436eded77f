import type { EditableBlog, Picture } from "../../../shared/blogs.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { CommitsSince, Pushed, Unfinished, Writing, WritingFields } from "../../../shared/writing.ts";
import type { JournalState } from "../../editor/journal/journal.ts";
import type { JournalStore } from "../../editor/journal/store.ts";
import type { Pushing, SyncState, Unconfirmed } from "../../editor/sync/sync.ts";
import type { Text } from "../../editor/sync/text.ts";
import type { Later } from "./later.ts";
import type { BlogFields } from "./values.ts";

/** A working copy as this page has it: what the server has confirmed, and what was written over it. */
export interface Work {
  blogId: string;
  /** A new blog, which the server knows of once something was written. */
  isNew: boolean;
  /** It is somebody else's, who may end that one writes it. */
  isShared?: boolean;
  document: NodeJson;
  fields: WritingFields;
  cover: Picture | null;
  at: Unconfirmed;
  /** The commit that readers see. */
  since: number;
  /** A cover that was chosen and has not reached the server. */
  file: Blob | null;
  /** Whether the blog is a draft on the server, and what this form makes of it: a draft, or one until a time to come. */
  isDraft: boolean;
  draft: boolean;
  later: Later | null;
}

/** What this device keeps of a page that the server has not all of. */
export interface Entry extends Work {
  account: string;
  client: string;
  /** Names of pictures that were on their way into the text: where it is taken up again they did not arrive. */
  pictures: string[];
  changedAt: number;
}

/** What came without an editor and waits for one: shared by another program, or kept by a release without working copies. */
export interface Waiting {
  account: string;
  blogId: string;
  /** Null for a new blog. */
  base: number | string | null;
  fields: Partial<BlogFields>;
}

/** What a form holds beside its fields: a cover on its way, names of pictures on their way into its text, the tags with one that is still typed. */
export interface Held {
  file: Blob | null;
  pictures: string[];
  tags: string[];
}

/** Where the form stands. `broken`: the editor's code or the text could not be had. */
type Phase = { name: "starting" | "broken" } | { name: "writing"; work: Work; key: number };

/** What the writer should know. `restored` with the pictures that did not arrive; what was taken back, until Undo. */
export type FormNotice =
  | { kind: "restored"; lost: readonly string[]; isNew: boolean }
  | { kind: "deleted" | "ended" | "old" }
  | { kind: "discarded" | "taken-up"; undo: () => void }
  | null;

/** One wrote somebody else's blog, and may not any more, or it is deleted. `words`: what the server has not got of it. */
export interface Removal {
  words: string;
  mayBeDeleted: boolean;
}
/** What stands on the server, with its text. */
export type StandingBlog = EditableBlog & { document: unknown };

export interface Snapshot {
  phase: Phase;
  notice: FormNotice;
  /** The fields as the form shows them, without the text. */
  fields: BlogFields;
  /** Readers see something else. */
  isChanged: boolean;
  /** What stands on the server, where what was written here can't be put onto it. */
  newer: StandingBlog | null;
  /** What else was begun and not saved. */
  others: readonly Unfinished[];
  kept: JournalState;
  sync: SyncState;
  removed: Removal | null;
  /** How often others have changed it. */
  heard: number;
  /** The topic to be followed; null before the server knows the blog. */
  topic: `writing:${string}` | null;
}

/** What the session needs of the page. */
export interface Surroundings {
  store: JournalStore<Entry, Waiting>;
  claim: (name: string) => Promise<(() => void) | null>;
  editor: () => Promise<EditorCode>;
  /** The account that is signed in by now, which the form may be told last of. */
  signedIn: () => string | undefined;
  api: {
    begin: (asked: { id: string }) => Promise<unknown>;
    open: (asked: { id: string }) => Promise<Writing>;
    unfinished: () => Promise<Unfinished[]>;
    discard: (asked: { id: string }) => Promise<unknown>;
    /** Of a new blog that was never saved. */
    remove: (asked: { id: string; begun: true }) => Promise<unknown>;
    push: (commit: Pushing) => Promise<Pushed>;
    since: (asked: { id: string; epoch: string; seq: number }) => Promise<CommitsSince>;
  };
}

/** What the editor's chunk brings along. */
export interface EditorCode {
  normalDocument: (json: unknown) => NodeJson;
  Sync: typeof import("../../editor/sync/sync.ts").WritingSync;
  headless: (document: NodeJson, at: Unconfirmed) => Text;
  replace: (text: Text, document: NodeJson) => void;
}
