import type { EditableBlog } from "../../shared/blogs.ts";
import { newId } from "../api/ids.ts";
import { Journal } from "../editor/journal.ts";
import type { JournalEntry, JournalState, JournalStore } from "../editor/journal.ts";
import { emptyFields, fieldsOf, isBlank, sameFields } from "./blog-form-values.ts";
import type { BlogFields } from "./blog-form-values.ts";

export type Entry = JournalEntry<BlogFields>;

/** What a form is writing at: a blog that is there, or one that will be. */
export interface Work {
  blogId: string;
  /** `updatedAt` of the version it began with; null for a new blog. */
  base: string | null;
  fields: BlogFields;
  cover: Blob | null;
}

/** Where the form stands. `elsewhere`: another tab writes this blog; `broken`: the editor's code could not be loaded. */
export type Phase =
  | { name: "starting" | "elsewhere" | "broken" }
  | { name: "writing"; work: Work; key: number };

/** What came from the journal: shown, or set aside by Discard until Undo. */
export type Notice = { kind: "restored"; outdated: boolean } | { kind: "discarded"; aside: Work } | null;

export interface Snapshot {
  phase: Phase;
  notice: Notice;
  /** What else this device keeps for the account, and no tab is writing. */
  others: readonly Entry[];
  kept: JournalState;
}

/** What the session needs of the browser. */
export interface Surroundings {
  store: JournalStore<BlogFields>;
  /** See journal-store.ts. */
  claim: (blogId: string, onLost: () => void, steal?: boolean) => Promise<(() => void) | null>;
  /** Loads the editor, and answers with how it writes down a document. */
  editor: () => Promise<(document: unknown) => BlogFields["document"]>;
}

/**
 * A form's life with the journal: it finds what was not saved the last time, keeps what is typed now, and sees to it that
 * a blog is written in one tab at a time.
 */
export class FormSession {
  readonly #account: string;
  readonly #blog: EditableBlog | null;
  readonly #around: Surroundings;
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot = { phase: { name: "starting" }, notice: null, others: [], kept: "idle" };
  #read: () => { fields: BlogFields; cover: Blob | null } = () => ({ fields: emptyFields(), cover: null });
  #original: BlogFields | null = null;
  #journal: Journal<BlogFields> | null = null;
  #work: Work | null = null;
  #release: (() => void) | null = null;
  #turn = 0;
  #key = 0;

  constructor(account: string, blog: EditableBlog | null, around: Surroundings) {
    this.#account = account;
    this.#blog = blog;
    this.#around = around;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): Snapshot => this.#snapshot;

  /** `read` gives what the form holds at the time of the call. With `steal` the blog is taken over from another tab. */
  async start(read: () => { fields: BlogFields; cover: Blob | null }, steal = false): Promise<void> {
    this.#read = read;
    const turn = ++this.#turn;
    this.#show({ phase: { name: "starting" } });
    try {
      await this.#begin(steal, () => turn === this.#turn);
    } catch {
      if (turn === this.#turn) this.#show({ phase: { name: "broken" } });
    }
  }

  /** The form goes away; what waits is written. */
  stop(): void {
    this.#turn++;
    void this.#journal?.flush();
    this.#release?.();
    this.#release = null;
  }

  /** Something was typed, chosen or switched. */
  changed(): void {
    this.#journal?.changed(this.#entry);
  }

  /** Writes at once. */
  async keep(): Promise<void> {
    await this.#journal?.flush();
  }

  /** The server has answered the save: there is nothing to keep any more. */
  async saved(): Promise<void> {
    await this.#journal?.forget();
  }

  closeNotice(): void {
    this.#show({ notice: null });
  }

  /** Sets aside what was restored. */
  async discard(): Promise<void> {
    if (!this.#work) return;
    const aside = { ...this.#work, ...this.#read() };
    await this.#journal?.forget();
    this.#show({ notice: { kind: "discarded", aside } });
    await this.#turnTo(this.#fresh());
  }

  async undoDiscard(aside: Work): Promise<void> {
    this.#show({ notice: null });
    await this.#turnTo(aside);
    await this.#write(aside);
  }

  /** Goes on with something else that was not saved; what is being written waits in its place. */
  async takeUp(entry: Entry): Promise<void> {
    const here = this.#entry();
    const others = this.#snapshot.others.filter((one) => one.blogId !== entry.blogId);
    this.#show({ notice: null, others: here ? [here, ...others] : others });
    await this.#turnTo(workOf(entry));
    this.#show({ kept: "saved" });
  }

  /** Keeps what was typed before it was known that something else comes back. */
  async setAside(fields: BlogFields): Promise<void> {
    const entry: Entry = {
      account: this.#account,
      blogId: newId(),
      base: null,
      fields,
      cover: null,
      changedAt: Date.now(),
    };
    this.#show({ others: [entry, ...this.#snapshot.others] });
    await this.#around.store.put(entry).catch(() => this.#show({ kept: "failed" }));
  }

  async dropOther(entry: Entry): Promise<void> {
    this.#show({ others: this.#snapshot.others.filter((one) => one.blogId !== entry.blogId) });
    await this.#around.store.remove(this.#account, entry.blogId).catch(() => {});
  }

  async #begin(steal: boolean, isCurrent: () => boolean): Promise<void> {
    const [write, entries] = await Promise.all([this.#around.editor(), this.#entries()]);
    if (this.#blog) this.#original = { ...fieldsOf(this.#blog), document: write(this.#blog.document) };
    let found: Entry | undefined;
    let release: (() => void) | null = null;
    const others: Entry[] = [];
    for (const entry of entries) {
      // A tab that is still open goes on with its own; what no tab writes any more is taken up here.
      const free = await this.#around.claim(entry.blogId, this.#lost, steal && !found);
      if (!free) continue;
      if (found) {
        others.push(entry);
        free();
      } else {
        found = entry;
        release = free;
      }
    }
    const work = found && this.#differs(found) ? workOf(found) : this.#fresh();
    if (found?.blogId !== work.blogId || !release)
      release = await this.#around.claim(work.blogId, this.#lost, steal);
    if (!isCurrent()) {
      release?.();
      return;
    }
    if (!release) {
      this.#show({ phase: { name: "elsewhere" } });
      return;
    }
    this.#release = release;
    const restored = found?.blogId === work.blogId && work.fields === found.fields;
    const outdated = Boolean(this.#blog && work.base && work.base !== this.#blog.updatedAt);
    this.#show({ others, notice: restored ? { kind: "restored", outdated } : null });
    this.#go(work);
    if (restored) this.#show({ kept: "saved" });
  }

  /** What this form may take up: its own blog's entry, or for a new blog all that are new, the last changed first. */
  async #entries(): Promise<Entry[]> {
    try {
      const all = await this.#around.store.all(this.#account);
      return all.filter((entry) => (this.#blog ? entry.blogId === this.#blog.id : entry.base === null));
    } catch {
      this.#show({ kept: "failed" });
      return [];
    }
  }

  #fresh(): Work {
    const blog = this.#blog;
    if (!blog) return { blogId: newId(), base: null, fields: emptyFields(), cover: null };
    return { blogId: blog.id, base: blog.updatedAt, fields: this.#original ?? fieldsOf(blog), cover: null };
  }

  #differs(held: { fields: BlogFields; cover: Blob | null }): boolean {
    if (held.cover) return true;
    return this.#original ? !sameFields(held.fields, this.#original) : !isBlank(held.fields);
  }

  readonly #entry = (): Entry | null => {
    const held = this.#read();
    if (!this.#work || !this.#differs(held)) return null;
    const { blogId, base } = this.#work;
    return { account: this.#account, blogId, base, ...held, changedAt: Date.now() };
  };

  readonly #lost = (): void => {
    void this.#journal?.flush();
    this.#release = null;
    this.#show({ phase: { name: "elsewhere" } });
  };

  async #turnTo(work: Work): Promise<void> {
    await this.#journal?.flush();
    if (work.blogId !== this.#work?.blogId) {
      this.#release?.();
      this.#release = await this.#around.claim(work.blogId, this.#lost, true);
    }
    this.#go(work);
  }

  #go(work: Work): void {
    this.#work = work;
    const journal = new Journal(
      this.#around.store,
      { account: this.#account, blogId: work.blogId },
      (kept) => {
        if (journal === this.#journal) this.#show({ kept });
      },
    );
    this.#journal = journal;
    this.#show({ phase: { name: "writing", work, key: ++this.#key } });
  }

  /** Straight from the work: the form may not show it yet. */
  async #write(work: Work): Promise<void> {
    this.#journal?.changed(() => ({ account: this.#account, ...work, changedAt: Date.now() }));
    await this.#journal?.flush();
  }

  #show(change: Partial<Snapshot>): void {
    // "Saving" is said for each letter: nothing is drawn anew for it.
    if (Object.entries(change).every(([name, value]) => this.#snapshot[name as keyof Snapshot] === value))
      return;
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const workOf = ({ blogId, base, fields, cover }: Entry): Work => ({ blogId, base, fields, cover });
