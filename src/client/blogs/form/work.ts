import type { EditableBlog } from "../../../shared/blogs.ts";
import type { JournalEntry, JournalState, JournalStore } from "../../editor/journal/journal.ts";
import { emptyFields } from "./values.ts";
import type { BlogFields } from "./values.ts";

export type Entry = JournalEntry<BlogFields>;

/** What a form is writing at: a blog that is there, or one that will be. */
export interface Work {
  blogId: string;
  /** The version it began with; null for a new blog. */
  base: number | null;
  fields: BlogFields;
  cover: Blob | null;
  /** Names of pictures that were on their way into the text, and did not arrive. */
  pictures?: string[] | undefined;
}

/** What a form holds at a time; `pictures` are the names of those on their way into its text. */
export interface Held {
  fields: BlogFields;
  cover: Blob | null;
  pictures?: string[] | undefined;
}

/** Where the form stands. `elsewhere`: another tab writes this blog; `broken`: the editor's code could not be loaded. */
type Phase = { name: "starting" | "elsewhere" | "broken" } | { name: "writing"; work: Work; key: number };

/** What came from the journal; what was set aside, until Undo; a blog that is gone, of which a new one was begun. */
export type Notice =
  | { kind: "restored"; lost: readonly string[] }
  | { kind: "deleted" }
  | { kind: "discarded" | "settled"; aside: Work }
  | null;

export interface Snapshot {
  phase: Phase;
  notice: Notice;
  /** What stands on the server, where it is not what was being written on. */
  newer: EditableBlog | null;
  /** What else this device keeps for the account, and no tab is writing. */
  others: readonly Entry[];
  kept: JournalState;
}

/** What the session needs of the browser. */
export interface Surroundings {
  store: JournalStore<BlogFields>;
  /** See journal/store.ts. */
  claim: (blogId: string, onLost: () => void, steal?: boolean) => Promise<(() => void) | null>;
  /** Loads the editor, and answers with how it writes down a document. */
  editor: () => Promise<(document: unknown) => BlogFields["document"]>;
}

/** What an entry of the journal goes on with. */
export const workOf = ({ blogId, base, fields, cover, pictures }: Entry): Work => ({
  blogId,
  base: typeof base === "string" ? 0 : base,
  // What an older release wrote down has fewer fields.
  fields: { ...emptyFields(), ...fields },
  cover,
  pictures,
});
