import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { sameJson } from "../../../shared/same-json.ts";
import type { SavedState, DraftFields } from "../../../shared/drafts.ts";
import { Journal } from "../../editor/journal/journal.ts";
import type { JournalState } from "../../editor/journal/journal.ts";
import type { SyncState, DraftSync } from "../../editor/sync/sync.ts";
import type { SyncedText } from "../../editor/sync/text.ts";
import type { FoundWork, WorkLocks } from "./working-copy-finder.ts";
import { isUnknownToServer, createDraftServer } from "./draft-server.ts";
import type { DraftServer } from "./draft-server.ts";
import { unsentWords } from "./unsent.ts";
import { blogIntentOf, intentToStore, isBlank, toFormFields, toDraftFields } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";
import type { EditorCode, StoredWork, FormExtras, SessionDependencies, WorkingCopy } from "./working-copy.ts";

/** Milliseconds before changes are sent: after the last key, and at most after the first. */
const sendDelays = { quiet: 400, most: 1_000 };
/** Milliseconds before a retry without a response: the first, and the most after doubling. */
const retryDelays = { first: 1_000, most: 20_000 };
/** The longest wait in milliseconds of a closing form. */
const closeTimeoutMs = 300;

/** The callbacks of a working copy to its form. */
export interface WorkCallbacks {
  /** Its fields or state changed. */
  changed: () => void;
  stored: (state: JournalState) => void;
  /** It cannot be synced any more. */
  stopped: (state: SyncState) => void;
}

/** A working copy in a form: synced, and stored on this device until it is confirmed. */
export class OpenWorkingCopy {
  readonly work: WorkingCopy;
  readonly #locks: WorkLocks;
  readonly #account: string;
  readonly #code: EditorCode;
  readonly #server: DraftServer;
  readonly #callbacks: WorkCallbacks;
  readonly #journal: Journal<StoredWork>;
  #formExtras: () => FormExtras;
  #fields: BlogFields;
  /** Changes before the text was attached. */
  #early: Partial<BlogFields>;
  #text: SyncedText | null = null;
  #sync: DraftSync | null = null;
  #state: SyncState = { name: "saved" };
  #since: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | undefined;
  #failures = 0;
  #lastExtras: FormExtras;
  #isClosed = false;
  #isOver = false;
  #isReplaced = false;
  /** Pending while nothing may be sent or applied. */
  #paused: Promise<void> | undefined;
  #onFetched: (() => void) | undefined;

  constructor(
    account: string,
    { store, api }: Pick<SessionDependencies, "store" | "api">,
    code: EditorCode,
    { work, locks }: FoundWork,
    {
      early,
      extras,
      callbacks,
    }: { early: Partial<BlogFields>; extras: () => FormExtras; callbacks: WorkCallbacks },
  ) {
    this.work = work;
    this.#locks = locks;
    this.#account = account;
    this.#code = code;
    this.#callbacks = callbacks;
    this.#formExtras = extras;
    this.#lastExtras = { file: work.file, pictures: [], tags: [] };
    this.#since = work.since;
    this.#server = createDraftServer(api, work, {
      created: () => this.#callbacks.changed(),
      saved: (state) => {
        this.#onFetched?.();
        this.#recordState(state);
      },
    });
    const { at } = work;
    if (at.underway || at.steps.length > 0 || Object.keys(at.fields).length > 0)
      this.#state = { name: "saving" };
    const latestFields = { ...work.fields, ...work.at.underway?.fields, ...work.at.fields };
    this.#early = early;
    const { document: _text, ...earlyFields } = early;
    this.#fields = { ...toFormFields(latestFields, work.cover, blogIntentOf(work)), ...earlyFields };
    this.#journal = new Journal<StoredWork>(
      {
        put: (entry) => store.put(entry),
        putAtUnload: (entry) => store.putAtUnload(entry),
        remove: () => store.remove(account, work.at.client),
      },
      (state) => this.#callbacks.stored(state),
    );
  }

  get fields(): BlogFields {
    return this.#fields;
  }

  get state(): SyncState {
    return this.#state;
  }

  /** Whether the server knows it. */
  get isBegun(): boolean {
    return !isUnknownToServer(this.work);
  }

  /** Whether it is a new blog without content. */
  get isEmptyNew(): boolean {
    return !this.isBegun && isBlank(this.all());
  }

  /** Whether it differs from what readers see. */
  get isChanged(): boolean {
    const sync = this.#sync;
    if (this.work.isDraft) return false;
    return sync ? sync.seq > this.#since || !sync.isSaved : this.work.at.seq > this.#since;
  }

  /** Whether the server has all of it. After `lost` it may not. */
  get isSaved(): boolean {
    return (this.#sync?.isSaved ?? false) && this.#state.name !== "lost";
  }

  /** The viewer can no longer write this blog of another author. */
  get isRemoved(): boolean {
    return Boolean(this.work.isShared) && ["gone", "ended"].includes(this.#state.name);
  }

  /** Returns what the server lacks as plain text. */
  unsent(): string {
    const sync = this.#sync;
    if (!sync || sync.isSaved) return "";
    const { document, fields } = sync.confirmed();
    return unsentWords(this.all(), { ...fields, document });
  }

  /** Whether no commits of this page would be missing in this epoch: each one numbers them from the start. */
  fitsEpoch(epoch: string): boolean {
    const hasWritten = (this.#sync?.unconfirmed().number ?? 1) > 1;
    return (this.#sync?.isSaved ?? false) && (!hasWritten || epoch === this.work.at.epoch);
  }

  /** Records a save up to a commit. */
  recordSave(seq: number, isDraft: boolean): void {
    this.#since = Math.max(this.#since, seq);
    this.#updateBlog({ isDraft, isUnsaved: false });
  }

  /** Records the state of the blog on the server. */
  #recordState({ seq, draft: isDraft, isUnsaved, schedule }: SavedState): void {
    this.#since = Math.max(this.#since, seq);
    this.#updateBlog({ isDraft, isUnsaved, schedule });
  }

  /** Records a schedule that was set or removed here or elsewhere. A choice that is not saved yet stays. */
  recordSchedule(schedule: WorkingCopy["schedule"]): void {
    this.#updateBlog({ schedule });
  }

  recordLanguage(guessedLanguage: string): void {
    this.#updateBlog({ guessedLanguage });
  }

  #updateBlog(
    change: Partial<Pick<WorkingCopy, "isDraft" | "isUnsaved" | "schedule" | "guessedLanguage">>,
  ): void {
    const { work } = this;
    Object.assign(work, change);
    if (!work.isDraft) work.schedule = null;
    if (this.#early.draft === undefined)
      this.#fields = { ...this.#fields, ...(this.#latestIntent() ?? blogIntentOf(work)) };
    this.#callbacks.changed();
  }

  #latestIntent(): DraftFields["intent"] {
    const { fields, at } = this.work;
    return (this.#sync?.fields ?? { ...fields, ...at.underway?.fields, ...at.fields }).intent;
  }

  /** Records the restored version until the next save; null for none. */
  recordRestored(restores: string | null): void {
    this.#sync?.changeFields({ restores });
    this.changed();
  }

  all(): BlogFields {
    const storedDocument = () => this.#code.headless(this.work.document, this.work.at).state().doc;
    const document =
      this.#early.document ?? ((this.#text?.state().doc ?? storedDocument()).toJSON() as NodeJson);
    return { ...this.#fields, document: document ?? emptyDocument() };
  }

  /** Returns what the form holds beside the fields. */
  extras(): FormExtras {
    return this.#isClosed ? this.#lastExtras : this.#formExtras();
  }

  /** Attaches the editor's text. Returns false if the work has changed since the editor got it. */
  attach(text: SyncedText): boolean {
    const { work } = this;
    const before = this.#sync;
    const shown = this.#text?.state().doc.toJSON() as NodeJson | undefined;
    if (before && (before.seq !== work.at.seq || before.unconfirmed().underway !== work.at.underway))
      return false;
    const sync: DraftSync = new this.#code.Sync({
      id: work.blogId,
      account: this.#account,
      document: work.document,
      fields: work.fields,
      at: Object.assign(work.at, before?.unconfirmed()),
      text,
      server: this.#server,
      onFields: (fields, cover) => sync === this.#sync && this.#onFields(fields, cover),
      onState: (state) => sync === this.#sync && this.#onState(state),
    });
    this.#text = text;
    this.#sync = sync;
    if (shown) this.#code.replace(text, shown);
    const { document, ...early } = this.#early;
    this.#early = {};
    if (document) this.#code.replace(text, document);
    if (Object.keys(early).length > 0) this.set(early);
    // Also removes an entry that is not needed any more.
    if (!sync.isSaved || "changedAt" in work) this.changed();
    return true;
  }

  /** Returns the current state, for another editor. */
  currentState(): FoundWork {
    const sync = this.#sync;
    const { cover } = this.#fields;
    const { file } = this.extras();
    const now = sync ? { ...sync.confirmed(), at: sync.unconfirmed() } : {};
    return {
      work: { ...this.work, ...now, cover, file, since: this.#since },
      locks: this.#locks,
      lostPictures: [],
      waiting: null,
      others: [],
    };
  }

  set(change: Partial<BlogFields>): void {
    const { document: _text, ...fields } = change;
    this.#fields = { ...this.#fields, ...fields };
    const draftFields = toDraftFields(change, this.#sync?.fields.coverId);
    if (change.draft !== undefined || change.later !== undefined)
      draftFields.intent = intentToStore(this.#fields, blogIntentOf(this.work));
    if (!this.#sync) this.#early = { ...this.#early, ...change };
    else if (Object.keys(draftFields).length > 0) this.#sync.changeFields(draftFields);
    this.#callbacks.changed();
    this.changed();
  }

  /** Replaces fields and text as one change. */
  put(fields: Partial<BlogFields>): void {
    const { document, ...about } = fields;
    if (!this.#text && document) this.#early = { ...this.#early, document };
    else if (this.#text && document) this.#code.replace(this.#text, document);
    this.set(about);
  }

  /** Called when the text or the uploads change. */
  changed(): void {
    if (!this.#sync || this.#isClosed) return;
    this.#lastExtras = this.#formExtras();
    this.#journal.scheduleWrite(this.#entry);
    // A refused change may have been taken back.
    if (!this.#sync.isSaved || this.#state.name === "failed") this.#later();
  }

  /** Applies commits from the server. */
  applyCommits: DraftSync["receiveCommits"] = async (commits, newest) => {
    if (this.#paused) await this.#paused;
    await this.#sync?.receiveCommits(commits, newest);
    this.#callbacks.changed();
  };

  /** Fetches what was missed and sends what is pending, even if refused before. */
  async resync(): Promise<void> {
    if (this.#paused) await this.#paused;
    if (!this.#sync || !this.isBegun || this.#isReplaced) return;
    this.#sync.resume();
    await this.#sync.fetchMissed();
    await this.push();
    this.#callbacks.changed();
  }

  /** Stores and sends again what failed. */
  async retry(): Promise<void> {
    this.changed();
    await (this.isBegun ? this.resync() : this.push());
    await this.storeNow();
  }

  /** Sends and applies nothing, except by `fetchNow`, until the returned function is called. */
  async pause(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#paused = promise;
    const resume = () => {
      this.#paused = undefined;
      resolve();
    };
    try {
      await this.#sync?.settle();
    } catch (error) {
      resume();
      throw error;
    }
    return resume;
  }

  async fetchMissed(): Promise<void> {
    if (this.#paused) await this.#paused;
    await this.fetchNow();
  }

  /** Fetches even while paused. Calls `onFetched` before the response is applied. */
  async fetchNow(onFetched?: () => void): Promise<void> {
    this.#onFetched = onFetched;
    if (this.isBegun) await this.#sync?.fetchMissed();
    this.#onFetched = undefined;
    this.#callbacks.changed();
  }

  /** Stores at once what the server has not confirmed. */
  storeNow(): Promise<void> {
    return this.#journal.flush();
  }

  /** Stores at once what the server has not confirmed, even if the page is closing. */
  storeAtUnload(): Promise<void> {
    return this.#journal.storeAtUnload();
  }

  /** Removes the stored entry after a save. */
  removeEntry(): Promise<void> {
    return this.#journal.removeEntry();
  }

  async push(): Promise<void> {
    clearTimeout(this.#timer);
    this.#firstChange = undefined;
    if (this.#paused) await this.#paused;
    if (!this.#sync || this.#isReplaced) return;
    if (!this.isEmptyNew) await this.#sync.push();
    // Nothing is left of what was refused.
    else if (this.#state.name === "failed") this.#onState({ name: "saved" });
  }

  /** Sends pending changes, creating the blog if needed. Returns whether the server has all of it. */
  async sendAll(): Promise<boolean> {
    await this.push();
    // Changes made while the last ones were confirmed.
    if (!this.isSaved && this.#state.name === "saved") await this.push();
    if (this.isSaved && !this.isBegun) await this.#server.begin();
    return this.isSaved;
  }

  /** Stores and sends pending changes, then lets other tabs resume the work. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#sync) this.#journal.scheduleWrite(this.#entry);
    const pushing = this.push().catch(() => undefined);
    await Promise.race([Promise.all([pushing, this.storeNow()]), pause(closeTimeoutMs)]);
    if (this.isSaved && !this.#isOver) this.#journal.scheduleWrite(this.#entry);
    await Promise.race([this.storeNow(), pause(closeTimeoutMs)]);
    this.release();
  }

  /** Stops sending, because another work replaces this one. The entry stays until `drop`. */
  suspend(): void {
    this.#lastExtras = this.#formExtras();
    this.#isClosed = true;
    this.#isReplaced = true;
    clearTimeout(this.#timer);
    void this.storeNow();
  }

  /** Removes the stored entry once the replacement is stored. */
  async drop(): Promise<void> {
    await this.removeEntry();
    this.release();
  }

  release(): void {
    this.#isOver = true;
    this.#locks.release();
  }

  /** Ends this object; another one continues the work. */
  detach(): void {
    this.#isClosed = true;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#journal.dropPending();
  }

  #onFields(fields: DraftFields, cover: BlogFields["cover"] | undefined): void {
    const now = this.#fields;
    const isNew = cover !== undefined && (cover?.id ?? null) === fields.coverId;
    this.#fields = toFormFields(fields, isNew ? cover : now.cover, blogIntentOf(this.work));
    this.#callbacks.changed();
  }

  #onState(state: SyncState): void {
    if (this.#isOver) return;
    // An equal state keeps its identity and renders nothing.
    if (!sameJson(state, this.#state)) this.#state = state;
    if (this.#isClosed) return;
    if (state.name === "saved") this.#failures = 0;
    if (state.name === "saved" || state.name === "lost") this.#journal.scheduleWrite(this.#entry);
    if (this.#sync?.isAway && state.name !== "saved") this.#tryAgain();
    this.#callbacks.changed();
    if (["gone", "ended", "lost", "old"].includes(state.name)) this.#callbacks.stopped(state);
  }

  readonly #entry = (): StoredWork | null => {
    const sync = this.#sync;
    const extras = this.extras();
    if (!sync) return null;
    const { tags, cover } = this.#fields;
    const isTyped = extras.tags.length > tags.length;
    if (this.isSaved && !isTyped && !extras.file && extras.pictures.length === 0) return null;
    if (!extras.file && !isTyped && this.isEmptyNew) return null;
    const at = sync.unconfirmed();
    if (isTyped) at.fields = { ...at.fields, tags: extras.tags };
    return {
      ...this.work,
      ...sync.confirmed(),
      at,
      account: this.#account,
      client: at.client,
      file: extras.file,
      pictures: extras.pictures,
      cover,
      since: this.#since,
      changedAt: Date.now(),
    };
  };

  #later(): void {
    const now = Date.now();
    this.#firstChange ??= now;
    clearTimeout(this.#timer);
    const left = Math.min(sendDelays.quiet, this.#firstChange + sendDelays.most - now);
    this.#timer = setTimeout(() => void this.push(), Math.max(0, left));
  }

  #tryAgain(): void {
    clearTimeout(this.#timer);
    const wait = Math.min(retryDelays.most, retryDelays.first * 2 ** this.#failures++);
    this.#timer = setTimeout(() => void this.push(), wait * (0.5 + Math.random()));
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
