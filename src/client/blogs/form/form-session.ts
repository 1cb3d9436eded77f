import type { EditableBlog } from "../../../shared/blogs.ts";
import { newId } from "../../api/ids.ts";
import { Journal } from "../../editor/journal/journal.ts";
import { emptyFields, fieldsOf, isBlank, sameFields, savedAs } from "./values.ts";
import type { BlogFields } from "./values.ts";
import { workOf } from "./work.ts";
import type { Entry, Snapshot, Surroundings, Work, Held } from "./work.ts";

/**
 * A form's life with the journal: it finds what was not saved the last time, keeps what is typed now, and sees to it that
 * a blog is written in one tab at a time.
 */
export class FormSession {
  readonly #account: string;
  #blog: EditableBlog | null;
  readonly #around: Surroundings;
  readonly #listeners = new Set<() => void>();
  #snapshot: Snapshot = { phase: { name: "starting" }, notice: null, newer: null, others: [], kept: "idle" };
  #read: () => Held = () => ({ fields: emptyFields(), cover: null });
  #write: (document: unknown) => BlogFields["document"] = (document) => document as BlogFields["document"];
  /** What each version that was met says, as the editor writes it. */
  readonly #versions = new Map<number, BlogFields>();
  /** What was sent and may have arrived. */
  #sent: BlogFields[] = [];
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
  async start(read: () => Held, steal = false): Promise<void> {
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

  /** The version that is being written on; null where there is none yet. */
  get base(): number | null {
    return this.#work?.base ?? null;
  }

  /** What that version says, where it was met. */
  get began(): BlogFields | null {
    return this.#versions.get(this.base ?? 0) ?? null;
  }

  /** This is on its way: should the answer be lost, it is known again. */
  sends(fields: BlogFields): void {
    this.#sent.push(fields);
  }

  /** The server has it, as this version; what is written now is written on that. */
  arrived(version: number, fields: BlogFields): void {
    this.#standOn(version, fields);
  }

  /** The last save is answered: there is nothing to keep any more. */
  async saved(): Promise<void> {
    await this.#journal?.forget();
  }

  /**
   * What stands on the server. An untouched form takes it (`taken`); what was typed stays, and it is told that the two went
   * apart (`apart`); one's own save, whose answer was lost, is no news (`same`).
   */
  async stands(blog: EditableBlog): Promise<"same" | "taken" | "apart"> {
    const work = this.#work;
    if (!work || this.#snapshot.phase.name !== "writing" || work.blogId !== blog.id) return "same";
    if (work.base !== null && blog.version <= work.base) return "same";
    const now = this.#learn(blog);
    const held = this.#read();
    if (this.#sent.some((fields) => savedAs(fields, now)) || (!held.cover && savedAs(held.fields, now))) {
      this.#standOn(blog.version, now);
      this.changed();
      return "same";
    }
    if (this.#differs(held)) {
      this.#show({ newer: blog });
      return "apart";
    }
    await this.#journal?.forget();
    this.#blog = blog;
    this.#show({ notice: null, newer: null });
    await this.#turnTo(this.#fresh());
    return "taken";
  }

  /** Goes on, on what stands now, with what was put together of both; what was written before can be taken back. */
  async settle(theirs: EditableBlog, fields: BlogFields, cover: Blob | null): Promise<void> {
    if (!this.#work) return;
    const aside = { ...this.#work, ...this.#read() };
    const work = { blogId: theirs.id, base: theirs.version, fields, cover };
    const now = this.#learn(theirs);
    this.#blog = theirs;
    this.#sent = [];
    this.#show({ newer: null, notice: { kind: "settled", aside } });
    await this.#turnTo(work);
    if (cover || !sameFields(fields, now)) await this.#keepWork(work);
    else await this.#journal?.forget();
  }

  /** The blog is deleted: what the form holds is a new one from now on, for nobody but its author until they say otherwise. */
  async gone(): Promise<void> {
    const before = this.#work;
    if (!before || before.base === null || this.#snapshot.phase.name !== "writing") return;
    const held = this.#read();
    const isTouched = this.#differs(held);
    const work = {
      ...held,
      blogId: newId(),
      base: null,
      fields: { ...held.fields, draft: true, address: "" },
    };
    this.#blog = null;
    this.#show({ newer: null, notice: { kind: "deleted" } });
    await this.#turnTo(work);
    if (isTouched) await this.#keepWork(work);
    await this.#around.store.remove(this.#account, before.blogId).catch(() => {});
  }

  closeNotice(): void {
    this.#show({ notice: null });
  }

  /** Sets aside what was restored. */
  async discard(): Promise<void> {
    if (!this.#work) return;
    const aside = { ...this.#work, ...this.#read() };
    await this.#journal?.forget();
    this.#blog = this.#snapshot.newer ?? this.#blog;
    this.#show({ newer: null, notice: { kind: "discarded", aside } });
    await this.#turnTo(this.#fresh());
  }

  /** Brings back what was set aside. */
  async undo(aside: Work): Promise<void> {
    this.#show({ notice: null });
    await this.#turnTo(aside);
    await this.#keepWork(aside);
  }

  /** Goes on with something else that was not saved; what is being written waits in its place. */
  async takeUp(entry: Entry): Promise<void> {
    const here = this.#entry();
    const others = this.#snapshot.others.filter((one) => one.blogId !== entry.blogId);
    const notice = entry.pictures?.length ? ({ kind: "restored", lost: entry.pictures } as const) : null;
    this.#show({ notice, others: here ? [here, ...others] : others });
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
    this.#write = write;
    if (this.#blog) this.#learn(this.#blog);
    let found: Work | undefined;
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
        found = workOf(entry);
        release = free;
      }
    }
    const restored = found !== undefined && this.#differs(found);
    const work = found && restored ? found : this.#fresh();
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
    const newer = this.#blog && work.base !== this.#blog.version ? this.#blog : null;
    this.#show({
      others,
      newer,
      notice: restored ? { kind: "restored", lost: found?.pictures ?? [] } : null,
    });
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
    return { blogId: blog.id, base: blog.version, fields: this.#learn(blog), cover: null };
  }

  #differs(held: Held): boolean {
    if (held.cover || held.pictures?.length) return true;
    const began = this.began ?? (this.#blog && this.#versions.get(this.#blog.version));
    return began ? !sameFields(held.fields, began) : !isBlank(held.fields);
  }

  #learn(blog: EditableBlog): BlogFields {
    const known = this.#versions.get(blog.version);
    if (known) return known;
    const fields = { ...fieldsOf(blog), document: this.#write(blog.document) };
    this.#versions.set(blog.version, fields);
    return fields;
  }

  #standOn(version: number, fields: BlogFields): void {
    this.#versions.set(version, { ...fields, address: "" });
    this.#sent = [];
    if (this.#work) this.#work = { ...this.#work, base: version };
    this.#show({ newer: null });
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
  async #keepWork(work: Work): Promise<void> {
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
