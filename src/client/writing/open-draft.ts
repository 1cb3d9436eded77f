import type { NodeJson } from "../../shared/document/schema.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { DraftFields } from "../../shared/drafts.ts";
import type { SyncState } from "./commits.ts";
import { DelayedStore } from "./delayed-store.ts";
import type { DeviceState } from "./delayed-store.ts";
import { blogIntentOf, intentToStore, isBlank, toFormFields, toDraftFields } from "./draft-fields.ts";
import type { BlogFields } from "./draft-fields.ts";
import { createDraftServer } from "./draft-server.ts";
import type { DraftServer } from "./draft-server.ts";
import type { DraftSync } from "./draft-sync.ts";
import { isUnknownToServer, latestFields } from "./draft.ts";
import type { Draft, EditorCode, FormExtras, SessionDependencies, StoredDraft } from "./draft.ts";
import type { DraftLocks, FoundDraft } from "./find-draft.ts";
import type { SyncedText } from "./text.ts";

/** Milliseconds before changes are sent: after the last key, and at most after the first. */
const sendDelays = { quiet: 400, most: 1_000 };
/** Milliseconds before a retry without a response: the first, and the most after doubling. */
const retryDelays = { first: 1_000, most: 20_000 };

/** The callbacks of a draft to its form. */
export interface DraftCallbacks {
  /** Its fields or state changed. */
  changed: () => void;
  stored: (state: DeviceState) => void;
  /** It cannot be synced any more. */
  stopped: (state: SyncState) => void;
}

/**
 * A draft in a form: synced, and stored on this device until it is confirmed. Its one state is that of its sync, first on a text
 * without a view, then on the editor's. Nothing is sent or applied before the editor has the text.
 */
export class OpenDraft {
  readonly draft: Draft;
  readonly locks: DraftLocks;
  readonly account: string;
  readonly #code: EditorCode;
  readonly #api: SessionDependencies["api"];
  readonly #server: DraftServer;
  readonly #sync: DraftSync;
  readonly #callbacks: DraftCallbacks;
  readonly #device: DelayedStore<StoredDraft>;
  readonly #extras: () => FormExtras;
  #fields: BlogFields;
  #state: SyncState = { name: "saved" };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | undefined;
  #failures = 0;
  #lastExtras: FormExtras;
  #isAttached = false;
  /** The form shows another draft, or was left. */
  #isClosed = false;
  /** Another object stores and sends it from now on. */
  #isOver = false;
  /** Pending while nothing may be sent or applied. */
  #paused: Promise<void> | undefined;
  #onFetched: (() => void) | undefined;

  /** `extras` returns what the form holds beside its fields. Throws if the unconfirmed steps do not fit, as from another release. */
  constructor(
    account: string,
    { store, api }: Pick<SessionDependencies, "store" | "api">,
    code: EditorCode,
    { draft, locks }: FoundDraft,
    extras: () => FormExtras,
    callbacks: DraftCallbacks,
  ) {
    this.draft = draft;
    this.locks = locks;
    this.account = account;
    this.#code = code;
    this.#api = api;
    this.#callbacks = callbacks;
    this.#extras = extras;
    this.#lastExtras = { file: draft.file, pictures: [], tags: [] };
    const { blogId: id, document, fields, at } = draft;
    this.#server = createDraftServer(api, draft, {
      created: () => this.#callbacks.changed(),
      saved: ({ seq, draft: isDraft, isUnsaved, schedule }) => {
        this.#onFetched?.();
        this.record({ isDraft, isUnsaved, schedule }, seq);
      },
    });
    this.#sync = new code.Sync({
      id,
      account,
      document,
      fields,
      at,
      text: code.headless(document, at),
      server: this.#server,
      onFields: (now, cover) => this.#onFields(now, cover),
      onState: (state) => this.#onState(state),
    });
    if (!this.#sync.isSaved) this.#state = { name: "saving" };
    this.#fields = toFormFields(latestFields(draft), draft.cover, blogIntentOf(draft));
    this.#device = new DelayedStore(
      { put: (stored) => store.put(stored), remove: () => store.remove(account, at.client) },
      (state) => this.#callbacks.stored(state),
    );
  }

  get fields(): BlogFields {
    return this.#fields;
  }

  get state(): SyncState {
    return this.#state;
  }

  /** Whether the server knows the blog. */
  get isBegun(): boolean {
    return !isUnknownToServer(this.draft);
  }

  /** Whether the blog is new and without content. */
  get isEmptyNew(): boolean {
    return !this.isBegun && isBlank(this.all());
  }

  /** Whether a published blog has unpublished changes. */
  get isChanged(): boolean {
    const { isDraft, since } = this.draft;
    return !isDraft && (this.#sync.seq > since || !this.#sync.isSaved);
  }

  /** Whether the server has the whole draft. After `lost` it may not. */
  get isSaved(): boolean {
    return this.#sync.isSaved && this.#state.name !== "lost";
  }

  /** The viewer can no longer write this blog of another author. */
  get isRemoved(): boolean {
    return Boolean(this.draft.isShared) && ["gone", "ended"].includes(this.#state.name);
  }

  /** Whether no commits of this page would be missing in this epoch: each one numbers them from the start. */
  fitsEpoch(epoch: string): boolean {
    const { number, epoch: own } = this.#sync.unconfirmed();
    return this.#sync.isSaved && (number === 1 || epoch === own);
  }

  /**
   * Records what became of the blog here or elsewhere, as of its publication, or its save as a draft, up to commit `since`. A choice
   * of draft and time that is not saved yet stays.
   */
  record(change: Partial<Pick<Draft, "isDraft" | "isUnsaved" | "schedule">>, since = 0): void {
    Object.assign(this.draft, change, { since: Math.max(this.draft.since, since) });
    if (!this.draft.isDraft) this.draft.schedule = null;
    this.#fields = { ...this.#fields, ...(this.#sync.fields.intent ?? blogIntentOf(this.draft)) };
    this.#callbacks.changed();
  }

  /** Records the restored version until the next save; null for none. */
  recordRestored(restores: string | null): void {
    this.#sync.changeFields({ restores });
    this.changed();
  }

  /** Returns the form's fields with the text. */
  all(): BlogFields {
    return { ...this.#fields, document: this.#sync.text.state().doc.toJSON() as NodeJson };
  }

  /** Returns what the form holds beside the fields. */
  extras(): FormExtras {
    return this.#isClosed ? this.#lastExtras : this.#extras();
  }

  /** Attaches the editor's text. Returns false if the draft has changed since the editor got it. */
  attach(text: SyncedText): boolean {
    const { at } = this.draft;
    const { seq, underway } = this.#sync.unconfirmed();
    if (seq !== at.seq || underway !== at.underway) return false;
    const { doc } = this.#sync.text.state();
    this.#sync.attach(text);
    this.#isAttached = true;
    if (!doc.eq(text.state().doc)) this.#code.replace(text, doc.toJSON() as NodeJson);
    // Also removes what is stored and not needed any more.
    if (!this.#sync.isSaved || "changedAt" in this.draft) this.changed();
    return true;
  }

  /** Returns the draft with its pending changes, for another editor or page. */
  current(): FoundDraft {
    const { file } = this.extras();
    const { cover } = this.#fields;
    const now = { ...this.#sync.confirmed(), at: this.#sync.unconfirmed(), cover, file };
    return { draft: { ...this.draft, ...now }, locks: this.locks, lostPictures: [] };
  }

  set(change: Partial<BlogFields>): void {
    const { document: _text, ...fields } = change;
    this.#fields = { ...this.#fields, ...fields };
    const draftFields = toDraftFields(change, this.#sync.fields.coverId);
    if (change.draft !== undefined || change.later !== undefined)
      draftFields.intent = intentToStore(this.#fields, blogIntentOf(this.draft));
    if (Object.keys(draftFields).length > 0) this.#sync.changeFields(draftFields);
    this.#callbacks.changed();
    this.changed();
  }

  /** Replaces fields and text as one change. */
  put({ document, ...about }: Partial<BlogFields>): void {
    if (document) this.#code.replace(this.#sync.text, document);
    this.set(about);
  }

  /** Called when the text, the uploads or a half-typed tag change. */
  changed(): void {
    if (this.#isClosed) return;
    this.#lastExtras = this.#extras();
    this.#device.scheduleWrite(this.#stored);
    // A refused change may have been taken back.
    if (!this.#sync.isSaved || this.#state.name === "failed") this.#later();
  }

  /** Applies commits from the server. */
  applyCommits: DraftSync["receiveCommits"] = async (commits, newest) => {
    if (this.#paused) await this.#paused;
    if (this.#isAttached) await this.#sync.receiveCommits(commits, newest);
    this.#callbacks.changed();
  };

  /** Fetches what was missed and sends what is pending, even if refused before. */
  async resync(): Promise<void> {
    if (this.#paused) await this.#paused;
    if (!this.#isAttached || !this.isBegun || this.#isOver) return;
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
      await this.#sync.settle();
    } catch (error) {
      resume();
      throw error;
    }
    return resume;
  }

  /** Fetches commits that this page has missed. The state tells if that failed. */
  async fetchMissed(): Promise<void> {
    if (this.#paused) await this.#paused;
    await this.fetchNow();
  }

  /** Fetches even while paused. Calls `onFetched` before the response is applied. */
  async fetchNow(onFetched?: () => void): Promise<void> {
    this.#onFetched = onFetched;
    if (this.#isAttached && this.isBegun) await this.#sync.fetchMissed();
    this.#onFetched = undefined;
    this.#callbacks.changed();
  }

  /** Stores at once what the server has not confirmed. */
  storeNow(): Promise<void> {
    return this.#device.flush();
  }

  /** Begins to store and send pending changes at once: the page may be closing. */
  keepAtUnload(): void {
    const commit = this.#mayPush() && this.isBegun && !this.#paused ? this.#sync.nextCommit() : null;
    if (commit) this.#api.pushAtUnload(commit);
    void this.storeNow();
  }

  /** Removes what is stored on this device after a save. */
  removeStored(): Promise<void> {
    return this.#device.remove();
  }

  /** Sends pending changes. The state tells if that failed. */
  async push(): Promise<void> {
    clearTimeout(this.#timer);
    this.#firstChange = undefined;
    if (this.#paused) await this.#paused;
    if (this.#mayPush()) await this.#sync.push();
    // Nothing is left of what was refused.
    else if (this.isEmptyNew && this.#state.name === "failed") this.#onState({ name: "saved" });
  }

  #mayPush = (): boolean => this.#isAttached && !this.#isOver && !this.isEmptyNew;

  /** Sends pending changes, creating the blog if needed. Returns whether the server has all of it. */
  async sendAll(): Promise<boolean> {
    await this.push();
    // Changes made while the last ones were confirmed.
    if (!this.isSaved && this.#state.name === "saved") await this.push();
    if (this.isSaved && !this.isBegun) await this.#server.begin();
    return this.isSaved;
  }

  /** Stores the draft and lets other tabs resume it; they send again commits without a response. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#device.scheduleWrite(this.#stored);
    const pushing = this.push();
    await this.storeNow();
    this.release();
    await pushing;
    // Unless another page has resumed it meanwhile.
    if (this.#stored() || !(await this.locks.acquire(this.draft.at.client))) return;
    await this.removeStored();
    this.locks.release();
  }

  /** Stops this object; another one continues with the draft. */
  detach(): void {
    if (!this.#isClosed) this.#lastExtras = this.#extras();
    this.#isClosed = true;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#device.dropPending();
  }

  /** Ends this draft on the page, and removes its stored copy. */
  async drop(): Promise<void> {
    this.detach();
    await this.removeStored();
    this.release();
  }

  /** Lets other tabs resume the stored draft. */
  release(): void {
    this.#isOver = true;
    this.locks.release();
  }

  #onFields(fields: DraftFields, cover: BlogFields["cover"] | undefined): void {
    const isNew = cover !== undefined && (cover?.id ?? null) === fields.coverId;
    this.#fields = toFormFields(fields, isNew ? cover : this.#fields.cover, blogIntentOf(this.draft));
    this.#callbacks.changed();
  }

  #onState(state: SyncState): void {
    if (this.#isOver) return;
    // An equal state keeps its identity and renders nothing.
    if (!sameJson(state, this.#state)) this.#state = state;
    if (this.#isClosed) return;
    if (state.name === "saved") this.#failures = 0;
    if (state.name === "saved" || state.name === "lost") this.#device.scheduleWrite(this.#stored);
    if (this.#sync.isAway && state.name !== "saved") this.#tryAgain();
    this.#callbacks.changed();
    if (["gone", "ended", "lost", "old"].includes(state.name)) this.#callbacks.stopped(state);
  }

  /** Returns what to store; null if the server has everything. */
  readonly #stored = (): StoredDraft | null => {
    const { pictures, tags } = this.extras();
    const { draft } = this.current();
    const isTyped = tags.length > this.#fields.tags.length;
    if (this.isSaved && !isTyped && !draft.file && pictures.length === 0) return null;
    if (!draft.file && !isTyped && this.isEmptyNew) return null;
    if (isTyped) draft.at.fields = { ...draft.at.fields, tags };
    const { client } = draft.at;
    return { ...draft, account: this.account, client, pictures, changedAt: Date.now() };
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
