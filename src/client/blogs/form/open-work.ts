import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { sameJson } from "../../../shared/same-json.ts";
import type { WritingFields } from "../../../shared/writing.ts";
import { Journal } from "../../editor/journal/journal.ts";
import type { JournalState } from "../../editor/journal/journal.ts";
import type { SyncState, WritingSync } from "../../editor/sync/sync.ts";
import type { Text } from "../../editor/sync/text.ts";
import type { Found, Holds } from "./find-work.ts";
import { isUnbegun, serverOf } from "./server.ts";
import type { WritingServer } from "./server.ts";
import { unsentWords } from "./unsent.ts";
import { isBlank, shownAs, writtenOf } from "./values.ts";
import type { BlogFields } from "./values.ts";
import type { EditorCode, Entry, Held, Surroundings, Work } from "./work.ts";

/** What is written goes out so many milliseconds after the last key, and no later than so many after the first. */
const pauses = { quiet: 400, most: 1_000 };
/** Where no answer came it is sent again after so many milliseconds, longer each time. */
const again = { first: 1_000, most: 20_000 };
/** A form that goes away waits no longer than so many milliseconds for the answer to what it sent last. */
const leaving = 300;

/** What a piece of work tells the form that shows it. */
export interface Hearers {
  /** Its fields, or where it stands, are others now. */
  changed: () => void;
  kept: (state: JournalState) => void;
  /** Something stands in the way for good. */
  stopped: (state: SyncState) => void;
}

/** One working copy while a form shows it: sent in step with what is written, and kept on this device as far as it is not confirmed. */
export class OpenWork {
  readonly work: Work;
  readonly #holds: Holds;
  readonly #account: string;
  readonly #code: EditorCode;
  readonly #server: WritingServer;
  readonly #tell: Hearers;
  readonly #journal: Journal<Entry>;
  #held: () => Held;
  #fields: BlogFields;
  /** What was changed before the text was there. */
  #early: Partial<BlogFields>;
  #text: Text | null = null;
  #sync: WritingSync | null = null;
  #state: SyncState = { name: "saved" };
  #since: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | undefined;
  #failures = 0;
  #lastHeld: Held;
  #isClosed = false;
  #isOver = false;

  constructor(
    account: string,
    { store, api }: Pick<Surroundings, "store" | "api">,
    code: EditorCode,
    { work, holds }: Found,
    { early, held, tell }: { early: Partial<BlogFields>; held: () => Held; tell: Hearers },
  ) {
    this.work = work;
    this.#holds = holds;
    this.#account = account;
    this.#code = code;
    this.#tell = tell;
    this.#held = held;
    this.#lastHeld = { file: work.file, pictures: [], tags: [] };
    this.#since = work.since;
    this.#server = serverOf(api, work, {
      begun: () => this.#tell.changed(),
      saved: (seq, isDraft) => this.wasSaved(seq, isDraft),
    });
    const { at } = work;
    if (at.underway || at.steps.length > 0 || Object.keys(at.fields).length > 0)
      this.#state = { name: "saving" };
    const written = { ...work.fields, ...work.at.underway?.fields, ...work.at.fields };
    this.#early = early;
    const { document: _text, ...shown } = early;
    this.#fields = { ...shownAs(written, work.cover, work), ...shown };
    this.#journal = new Journal<Entry>(
      { put: (entry) => store.put(entry), remove: () => store.remove(account, work.at.client) },
      (state) => this.#tell.kept(state),
    );
  }

  get fields(): BlogFields {
    return this.#fields;
  }

  get state(): SyncState {
    return this.#state;
  }

  /** Whether the server knows of it. */
  get isBegun(): boolean {
    return !isUnbegun(this.work);
  }

  /** Whether it is a new blog in which nothing is written: that is none. */
  get isNothing(): boolean {
    return !this.isBegun && isBlank(this.all());
  }

  /** Whether it says something else than readers see. */
  get isChanged(): boolean {
    const sync = this.#sync;
    return sync ? sync.seq > this.#since || !sync.isSaved : this.work.at.seq > this.#since;
  }

  /** Whether the server has all of it; what it had once it may not have any more. */
  get isSaved(): boolean {
    return (this.#sync?.isSaved ?? false) && this.#state.name !== "lost";
  }

  /** One wrote somebody else's blog, and may not any more. */
  get isRemoved(): boolean {
    return Boolean(this.work.isShared) && ["gone", "ended"].includes(this.#state.name);
  }

  /** What was written here and the server has not, as plain text. */
  unsent(): string {
    const sync = this.#sync;
    if (!sync || sync.isSaved) return "";
    const { document, fields } = sync.confirmed();
    return unsentWords(this.all(), { ...fields, document });
  }

  /** Whether nothing was written here that would be missing in this history of the store: each counts its commits anew. */
  isNoneOf(epoch: string): boolean {
    const hasWritten = (this.#sync?.unconfirmed().number ?? 1) > 1;
    return (this.#sync?.isSaved ?? false) && (!hasWritten || epoch === this.work.at.epoch);
  }

  /** It was saved, here or elsewhere, up to a commit: as a draft, or for readers. */
  wasSaved(seq: number, isDraft: boolean): void {
    this.#since = Math.max(this.#since, seq);
    if (this.work.isDraft !== isDraft) this.#fields = { ...this.#fields, draft: isDraft, later: null };
    this.work.isDraft = isDraft;
    this.#tell.changed();
  }

  /** Which version of the blog was taken up again, until it is saved; null for none. */
  takesUp(restores: string | null): void {
    this.#sync?.change({ restores });
    this.changed();
  }

  /** The whole of it, with the text. */
  all(): BlogFields {
    const kept = () => this.#code.headless(this.work.document, this.work.at).state().doc;
    const document = this.#early.document ?? ((this.#text?.state().doc ?? kept()).toJSON() as NodeJson);
    return { ...this.#fields, document: document ?? emptyDocument() };
  }

  /** What the form holds beside it, as far as it was not sent. */
  held(): Held {
    return this.#isClosed ? this.#lastHeld : this.#held();
  }

  /** The editor is there, with the text of this work. False where the work has gone on since it was given out. */
  attach(text: Text): boolean {
    const { work } = this;
    const before = this.#sync;
    const shown = this.#text?.state().doc.toJSON() as NodeJson | undefined;
    if (before && (before.seq !== work.at.seq || before.unconfirmed().underway !== work.at.underway))
      return false;
    const sync: WritingSync = new this.#code.Sync({
      id: work.blogId,
      document: work.document,
      fields: work.fields,
      at: Object.assign(work.at, before?.unconfirmed()),
      text,
      server: this.#server,
      onFields: (fields, cover) => sync === this.#sync && this.#hearFields(fields, cover),
      onState: (state) => sync === this.#sync && this.#hearState(state),
    });
    this.#text = text;
    this.#sync = sync;
    if (shown) this.#code.replace(text, shown);
    const { document, ...early } = this.#early;
    this.#early = {};
    if (document) this.#code.replace(text, document);
    if (Object.keys(early).length > 0) this.set(early);
    // Where nothing waits any more what was kept of it is not needed.
    if (!sync.isSaved || "changedAt" in work) this.changed();
    return true;
  }

  /** As it stands now, to be shown by another editor. */
  renewed(): Found {
    const sync = this.#sync;
    const { cover, draft } = this.#fields;
    const { file } = this.held();
    const now = sync ? { ...sync.confirmed(), at: sync.unconfirmed() } : {};
    return {
      work: { ...this.work, ...now, cover, draft, file, since: this.#since },
      holds: this.#holds,
      lost: [],
      waiting: null,
      others: [],
    };
  }

  /** A field was changed here. */
  set(change: Partial<BlogFields>): void {
    const { document: _text, ...fields } = change;
    this.#fields = { ...this.#fields, ...fields };
    const written = writtenOf(change, this.#sync?.fields.coverId);
    if (!this.#sync) this.#early = { ...this.#early, ...change };
    else if (Object.keys(written).length > 0) this.#sync.change(written);
    this.#tell.changed();
    this.changed();
  }

  /** Puts these in place of what stands here, as one change. */
  put(fields: Partial<BlogFields>): void {
    const { document, ...about } = fields;
    if (!this.#text && document) this.#early = { ...this.#early, document };
    else if (this.#text && document) this.#code.replace(this.#text, document);
    this.set(about);
  }

  /** The text was changed here, or what is on its way. */
  changed(): void {
    if (!this.#sync || this.#isClosed) return;
    this.#lastHeld = this.#held();
    this.#journal.changed(this.#entry);
    if (!this.#sync.isSaved) this.#later();
  }

  /** Takes what the server told of. */
  hear: WritingSync["hear"] = async (commits, newest) => {
    await this.#sync?.hear(commits, newest);
    this.#tell.changed();
  };

  /** What may have been missed is asked for, and what waits is sent, also where it was refused before. */
  async lookAgain(): Promise<void> {
    if (!this.#sync || !this.isBegun) return;
    this.#sync.resume();
    await this.#sync.ask();
    await this.push();
    this.#tell.changed();
  }

  /** Asks for what was missed. */
  async ask(): Promise<void> {
    if (this.isBegun) await this.#sync?.ask();
    this.#tell.changed();
  }

  /** Writes down at once what the server has not confirmed. */
  keep(): Promise<void> {
    return this.#journal.flush();
  }

  /** It is saved as it was meant to be: nothing is kept of it here. */
  forget(): Promise<void> {
    return this.#journal.forget();
  }

  /** Sends what there is. */
  async push(): Promise<void> {
    clearTimeout(this.#timer);
    this.#firstChange = undefined;
    if (!this.#sync || this.isNothing) return;
    await this.#sync.push();
  }

  /** Sends what there is. True where the server has all of it then, and knows of it. */
  async settle(): Promise<boolean> {
    await this.push();
    // What was written while the last of it was confirmed.
    if (!this.isSaved && this.#state.name === "saved") await this.push();
    if (this.isSaved && !this.isBegun) await this.#server.begin();
    return this.isSaved;
  }

  /** The form shows it no more. What waits is written down, and sent; nobody else takes it up before that. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#sync) this.#journal.changed(this.#entry);
    const pushed = this.push().catch(() => undefined);
    await Promise.race([Promise.all([pushed, this.keep()]), pause(leaving)]);
    if (this.isSaved && !this.#isOver) this.#journal.changed(this.#entry);
    await Promise.race([this.keep(), pause(leaving)]);
    this.release();
  }

  /** Another piece of work is made of it: nothing is sent of it any more, and it is kept until `drop`. */
  rest(): void {
    this.#lastHeld = this.#held();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    void this.keep();
  }

  /** What was made of it is kept: it is not any more. */
  async drop(): Promise<void> {
    await this.forget();
    this.release();
  }

  /** Another tab may take up what is kept of it. */
  release(): void {
    this.#isOver = true;
    this.#holds.release();
  }

  /** The same work goes on with what this one holds. */
  handOver(): void {
    this.#isClosed = true;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#journal.quit();
  }

  #hearFields(fields: WritingFields, cover: BlogFields["cover"] | undefined): void {
    const now = this.#fields;
    const isNew = cover !== undefined && (cover?.id ?? null) === fields.coverId;
    this.#fields = shownAs(fields, isNew ? cover : now.cover, now);
    this.#tell.changed();
  }

  #hearState(state: SyncState): void {
    if (this.#isOver) return;
    // The same again is no news, and draws nothing.
    if (!sameJson(state, this.#state)) this.#state = state;
    if (this.#isClosed) return;
    if (state.name === "saved") this.#failures = 0;
    if (state.name === "saved" || state.name === "lost") this.#journal.changed(this.#entry);
    if (this.#sync?.isAway && state.name !== "saved") this.#tryAgain();
    this.#tell.changed();
    if (["gone", "ended", "lost", "old"].includes(state.name)) this.#tell.stopped(state);
  }

  readonly #entry = (): Entry | null => {
    const sync = this.#sync;
    const held = this.held();
    if (!sync) return null;
    const { tags, cover, draft, later } = this.#fields;
    const isTyped = held.tags.length > tags.length;
    if (this.isSaved && !isTyped && !held.file && held.pictures.length === 0) return null;
    if (!held.file && !isTyped && this.isNothing) return null;
    const at = sync.unconfirmed();
    if (isTyped) at.fields = { ...at.fields, tags: held.tags };
    return {
      ...this.work,
      ...sync.confirmed(),
      at,
      account: this.#account,
      client: at.client,
      file: held.file,
      pictures: held.pictures,
      draft,
      later,
      cover,
      since: this.#since,
      changedAt: Date.now(),
    };
  };

  #later(): void {
    const now = Date.now();
    this.#firstChange ??= now;
    clearTimeout(this.#timer);
    const left = Math.min(pauses.quiet, this.#firstChange + pauses.most - now);
    this.#timer = setTimeout(() => void this.push(), Math.max(0, left));
  }

  #tryAgain(): void {
    clearTimeout(this.#timer);
    const wait = Math.min(again.most, again.first * 2 ** this.#failures++);
    this.#timer = setTimeout(() => void this.push(), wait * (0.5 + Math.random()));
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
