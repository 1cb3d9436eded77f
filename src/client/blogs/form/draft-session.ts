import type { SavedBlog, Schedule } from "../../../shared/blogs.ts";
import type { LiveEvent, LiveMessage } from "../../../shared/live.ts";
import { errorCode } from "../../api/errors.ts";
import type { SyncState } from "../../editor/sync/sync.ts";
import type { SyncedText } from "../../editor/sync/text.ts";
import { serverTime } from "../../ui/clock.ts";
import { WorkingCopyFinder } from "./working-copy-finder.ts";
import type { FormBlog, FoundWork } from "./working-copy-finder.ts";
import { toSchedule } from "./schedule-time.ts";
import { sendLeftovers, isGone } from "./send-leftovers.ts";
import { OpenWorkingCopy } from "./open-working-copy.ts";
import { restrictToAccount } from "./draft-server.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { emptyFields, isBlank, sameFields, toFormFields } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";
import type {
  EditorCode,
  StoredWork,
  FormExtras,
  FormNotice,
  Snapshot,
  BlogOnServer,
  SessionDependencies,
  WaitingContent,
} from "./working-copy.ts";

/** Closing forms of this tab: the next one finds what they leave. */
const closingForms = new Set<Promise<void>>();
/** Milliseconds before the server is asked again for its version. */
const retryAfterMs = 20_000;

/**
 * A form's session with a working copy (docs/decisions/0044): resumes unsent work (`WorkingCopyFinder`) and shows one working copy
 * after another (`OpenWorkingCopy`).
 */
export class DraftSession extends SnapshotStore<Snapshot> {
  readonly #account: string;
  readonly #blog: FormBlog;
  readonly #dependencies: SessionDependencies;
  #code: EditorCode | undefined;
  #finder: WorkingCopyFinder | undefined;
  #extras: () => FormExtras = () => ({ file: null, pictures: [], tags: [] });
  /** Fields changed before a working copy was open. */
  #early: Partial<BlogFields> = {};
  #open: OpenWorkingCopy | null = null;
  /** Content to be applied to the open working copy. */
  #waiting: WaitingContent | null = null;
  /** Replaced working copies, kept until the current one is stored. */
  #replaced: OpenWorkingCopy[] = [];
  /** The one being deleted here, for which `gone` is expected. */
  #deleting: OpenWorkingCopy | null = null;
  #isSignedIn = true;
  #startCount = 0;
  #key = 0;
  #starting: Promise<void> = Promise.resolve();
  #continuing: Promise<void> | undefined;
  #discarding: Promise<void> | undefined;
  #sendingLeftovers: Promise<void> | undefined;
  /** Requested again meanwhile. */
  #isRequestedAgain = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(account: string, blog: FormBlog, dependencies: SessionDependencies) {
    super({
      phase: { name: "starting" },
      notice: null,
      fields: emptyFields(),
      guessedLanguage: "",
      schedule: null,
      isChanged: false,
      newer: null,
      others: [],
      journalState: "idle",
      sync: { name: "saved" },
      removed: null,
      changesByOthers: 0,
      topic: null,
    });
    this.#account = account;
    this.#blog = blog;
    const isOwn = () => this.#isSignedIn && dependencies.signedIn() === account;
    this.#dependencies = { ...dependencies, api: restrictToAccount(dependencies.api, isOwn) };
  }

  /** Starts or restarts. `extras` returns what the form holds beside its fields. */
  start(extras: () => FormExtras): Promise<void> {
    this.#extras = extras;
    const startCount = ++this.#startCount;
    this.show({ phase: { name: "starting" } });
    // Sequentially: the next would not find what this one has locked.
    this.#starting = this.#starting.then(() => this.#start(startCount));
    return this.#starting;
  }

  async #start(startCount: number): Promise<void> {
    if (startCount !== this.#startCount) return;
    try {
      await Promise.all(closingForms);
      this.#code = await this.#dependencies.editor();
      this.#finder = new WorkingCopyFinder(this.#account, this.#dependencies, this.#code);
      const isTyped = Object.keys(this.#early).length > 0;
      const found = await this.#finder.find(this.#blog, await this.#entries(), isTyped);
      if (startCount !== this.#startCount) return found.locks.release();
      const { work, lostPictures } = found;
      const isRestored =
        lostPictures.length > 0 || (work.isNew && !found.waiting && !this.#finder.isBlank(found));
      this.#openWork(found, isRestored ? { kind: "restored", lost: lostPictures, isNew: work.isNew } : null);
      void this.#sendLeftovers();
    } catch {
      if (startCount === this.#startCount) this.show({ phase: { name: "broken" } });
    }
  }

  /** Closes the form: stores and sends pending changes. */
  stop(): void {
    this.#startCount++;
    clearTimeout(this.#timer);
    const open = this.#open;
    this.#open = null;
    if (open) this.#close(open);
    for (const replaced of this.#replaced.splice(0)) replaced.release();
  }

  attach(text: SyncedText): void {
    const open = this.#open;
    if (!open) return;
    if (!open.attach(text)) {
      open.detach();
      const { notice, others } = this.snapshot();
      return this.#openWork({ ...open.currentState(), others }, notice);
    }
    void this.#applyWaiting(open);
    // Fetches what came between the text and its subscription.
    this.resync();
  }

  handleEvent(event: LiveEvent, topic: LiveMessage["topic"]): void {
    if (event.kind === "reset") return this.resync();
    if (!this.#open || topic !== this.snapshot().topic) return;
    if (event.kind === "draft.committed")
      void this.#open
        .applyCommits(event.commits, event.seq)
        .then(() => this.show({ changesByOthers: this.snapshot().changesByOthers + 1 }));
    else if (event.kind === "draft.saved") {
      this.#open.recordSave(event.seq, event.draft);
      if (this.#open.isSaved && this.snapshot().notice?.kind === "restored") this.closeNotice();
      // A draft may be scheduled now.
      if (event.draft) void this.#open.fetchMissed();
    }
    // The response says why: the blog is deleted, or the session has ended.
    else if (event.kind === "accessLost") void this.#open.fetchMissed();
    else if (event.kind === "accessRestored") this.resync();
  }

  /** Fetches what may have been missed. */
  resync(): void {
    const open = this.#open;
    if (open?.state.name === "lost" && !this.snapshot().newer) void this.#showConflict(open);
    else void open?.resync();
    void this.#sendLeftovers();
  }

  /** Stores and sends again what failed. */
  async retry(): Promise<void> {
    await this.#open?.retry();
  }

  /** Sets whether the author is signed in; otherwise nothing is sent. */
  setSignedIn(isSignedIn: boolean): void {
    const isBack = isSignedIn && !this.#isSignedIn;
    this.#isSignedIn = isSignedIn;
    if (isBack) this.resync();
  }

  set(change: Partial<BlogFields>): void {
    if (this.#open) return this.#open.set(change);
    this.#early = { ...this.#early, ...change };
    this.show({ fields: { ...this.snapshot().fields, ...change } });
  }

  /** Records the blog's schedule on the server. */
  recordSchedule(schedule: Schedule | null): void {
    this.#open?.recordSchedule(schedule);
  }

  changed(): void {
    this.#open?.changed();
  }

  async storeNow(): Promise<void> {
    await this.#open?.storeNow();
  }

  storeAtUnload(): void {
    void this.#open?.storeAtUnload();
  }

  /** Sends pending changes. Returns whether the server has all of it. */
  async sendAll(): Promise<boolean> {
    return (await this.#open?.sendAll()) ?? false;
  }

  /** Publishes or saves what the server has, as this form's account only. */
  async publish(target: Parameters<SessionDependencies["api"]["publish"]>[0]): Promise<SavedBlog> {
    const open = this.#open;
    const saved = await this.#dependencies.api.publish(target);
    open?.recordSchedule(target.draft ? (target.schedule ?? null) : null);
    return saved;
  }

  get isEmptyNew(): boolean {
    return this.#open?.isEmptyNew ?? true;
  }

  isSettled(): boolean {
    // A closed form has sent it.
    return this.#open?.isSaved ?? true;
  }

  /** Removes the stored entry after a save. */
  async removeEntry(): Promise<void> {
    await this.#open?.removeEntry();
  }

  get blogId(): string | null {
    return this.#open?.work.blogId ?? null;
  }

  all(): BlogFields {
    return this.#open?.all() ?? { ...this.snapshot().fields, ...this.#early };
  }

  put({ draft: _draft, later: _later, ...fields }: BlogFields): void {
    this.#open?.put(fields);
  }

  closeNotice(): void {
    this.show({ notice: null });
  }

  /** Discards what readers do not see; deletes a new blog that was never saved. `onUndo` restores what the fields lack. */
  discard(onUndo?: () => void): Promise<void> {
    return (this.#discarding ??= this.#discard(onUndo).finally(() => (this.#discarding = undefined)));
  }

  async #discard(onUndo?: () => void): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const isUnsaved = open.work.isNew && open.work.isUnsaved;
    const before = await (isUnsaved ? this.#dropNew(open) : this.#discardChanges(open));
    if (before) this.show({ newer: null, notice: this.#undoNotice(before, "discarded", onUndo) });
  }

  /** Returns what it discarded, with what was typed meanwhile; null if the form has switched. */
  async #discardChanges(open: OpenWorkingCopy): Promise<BlogFields | null> {
    const { blogId: id } = open.work;
    await open.push();
    await open.fetchMissed();
    const resume = await open.pause();
    try {
      await this.#dependencies.api.discard({ id });
      // Also discards what could not be sent.
      if (!open.isSaved) return await this.#reopen(open, {}, null);
      let before = open.all();
      await open.fetchNow(() => (before = open.all()));
      return open === this.#open ? before : null;
    } finally {
      resume();
    }
  }

  /** Deletes a new blog and opens another; empties it on failure. One that was saved meanwhile stays as it was saved. */
  async #dropNew(open: OpenWorkingCopy): Promise<BlogFields | null> {
    const { blogId: id } = open.work;
    this.#deleting = open;
    try {
      if (open.isBegun) await this.#dependencies.api.remove({ id, begun: true });
    } catch (error) {
      this.#deleting = null;
      if (errorCode(error) === "CONFLICT") return this.#discardChanges(open);
      if (errorCode(error) !== "NOT_FOUND") {
        if (open !== this.#open) return null;
        const before = open.all();
        open.put(emptyFields());
        return before;
      }
    }
    const found = await this.#finder!.startNew();
    if (open !== this.#open) return (found.locks.release(), null);
    const before = open.all();
    open.suspend();
    this.#openWork({ ...found, others: this.snapshot().others }, null);
    await open.drop();
    return before;
  }

  /** Puts a version into the form; visibility and address stay. It can be undone. */
  restoreVersion(restores: string, version: Partial<BlogFields>, onUndo?: () => void): void {
    const open = this.#open;
    const before = this.all();
    open?.recordRestored(restores);
    this.put({ ...before, ...version });
    const undo = () => {
      open?.recordRestored(null);
      onUndo?.();
    };
    this.show({ notice: this.#undoNotice(before, "taken-up", undo) });
  }

  /** Switches to another new blog, or an empty one; keeps the current one. */
  async switchTo(id: string | null): Promise<void> {
    const [open, finder] = [this.#open, this.#finder];
    if (!open || !finder) return;
    await open.push();
    const found = await (id === null
      ? finder.startNew()
      : finder.resumeWork(id, true, await this.#entries()));
    if (open !== this.#open) return found.locks.release();
    this.#close(open);
    this.#openWork(found, null);
    void this.#listOthers();
    void this.#sendLeftovers();
  }

  /** If the blog is deleted, turns the form's content into a new draft. */
  continueAsDraft(): Promise<void> {
    return (this.#continuing ??= this.#continueAsDraft().finally(() => (this.#continuing = undefined)));
  }

  /** Continues on the server's version with the merged fields. */
  async applyMerge(fields: BlogFields): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const before = await this.#reopen(open, fields, null);
    if (!before) return;
    const isAll = sameFields(
      { ...before, address: before.address || fields.address, draft: fields.draft, later: fields.later },
      fields,
    );
    this.show({ newer: null, notice: isAll ? null : this.#undoNotice(before) });
  }

  async #continueAsDraft(): Promise<void> {
    const [open, finder] = [this.#open, this.#finder];
    if (
      !open?.isBegun ||
      open.work.isShared ||
      open === this.#deleting ||
      !finder ||
      !(await isGone(this.#dependencies.api, open.work.blogId))
    )
      return;
    const found = await finder.startNew();
    if (open !== this.#open) return found.locks.release();
    const { address: _address, ...fields } = open.all();
    // A draft left empty is deleted by the server.
    const notice = open.work.isNew && isBlank(open.all()) ? null : ({ kind: "deleted" } as const);
    this.#replace(open, found, { ...fields, draft: true, later: null }, notice);
  }

  /** Opens the server's version with `early` applied. Returns what it replaced; null if the form has switched meanwhile. */
  async #reopen(
    open: OpenWorkingCopy,
    early: Partial<BlogFields>,
    notice: FormNotice,
  ): Promise<BlogFields | null> {
    const { blogId, isNew, isDraft, isShared, schedule } = open.work;
    const found = await this.#finder!.openFromServer(blogId, isNew, {
      isDraft,
      isShared: isShared === true,
      schedule,
    });
    if (open !== this.#open) {
      found.locks.release();
      return null;
    }
    const before = open.all();
    this.#replace(open, found, early, notice);
    return before;
  }

  /** Replaces a working copy, which stays stored until the new one is. */
  #replace(open: OpenWorkingCopy, found: FoundWork, early: Partial<BlogFields>, notice: FormNotice): void {
    const { file, tags } = open.extras();
    const isTyped = tags.length > open.fields.tags.length;
    this.#replaced.push(open);
    open.suspend();
    const work = { ...found.work, file };
    this.#openWork({ ...found, work }, notice, isTyped ? { ...early, tags } : early);
  }

  #openWork(found: FoundWork, notice: FormNotice, early: Partial<BlogFields> = this.#early): void {
    const { work, waiting, others } = found;
    clearTimeout(this.#timer);
    this.#early = {};
    this.#waiting = waiting;
    const open: OpenWorkingCopy = new OpenWorkingCopy(this.#account, this.#dependencies, this.#code!, found, {
      early,
      extras: () => this.#extras(),
      callbacks: {
        changed: () => open === this.#open && this.#showOpen(open),
        stored: (state) => open === this.#open && this.show({ journalState: state }),
        stopped: (state) => open === this.#open && this.#onStopped(open, state),
      },
    });
    this.#open = open;
    const phase = { name: "writing", work, key: ++this.#key } as const;
    this.show({ phase, notice, others, newer: null, journalState: "idle" });
    this.#showOpen(open);
  }

  #showOpen(open: OpenWorkingCopy): void {
    const { fields, state: sync, isChanged, isBegun, isRemoved, work } = open;
    const removal = () => ({ unsentText: open.unsent(), mayBeDeleted: sync.name === "gone" });
    const removed = isRemoved ? (this.snapshot().removed ?? removal()) : null;
    const { guessedLanguage, schedule } = work;
    this.show({
      fields,
      sync,
      guessedLanguage,
      schedule,
      isChanged,
      removed,
      topic: isBegun ? `draft:${work.blogId}` : null,
    });
  }

  #onStopped(open: OpenWorkingCopy, { name }: SyncState): void {
    // The owner removed the author: the blog still exists, or the author is not to know.
    if (open.isRemoved) return;
    if (name === "ended" || name === "old") this.show({ notice: { kind: name } });
    else if (name === "gone")
      void this.continueAsDraft().then(() => {
        // It exists: another account is signed in, or the check failed.
        if (open === this.#open) this.#timer = setTimeout(() => this.resync(), retryAfterMs);
      });
    else if (name === "lost") void this.#showConflict(open);
  }

  /** With the text attached, applies waiting content and drops replaced working copies. */
  async #applyWaiting(open: OpenWorkingCopy): Promise<void> {
    const [waiting, replaced] = [this.#waiting, this.#replaced.splice(0)];
    this.#waiting = null;
    if (waiting) {
      open.put(waiting.fields);
      this.show({ notice: { kind: "restored", lost: [], isNew: open.work.isNew } });
    }
    if (!waiting && replaced.length === 0) return;
    await open.push();
    await open.storeNow();
    // If this device does not store it, the first one stays.
    const isStored = (open.isSaved && open.isBegun) || this.snapshot().journalState !== "failed";
    for (const one of replaced) await (isStored ? one.drop() : one.release());
    if (waiting && isStored)
      await this.#dependencies.store.removeWaiting(this.#account, waiting.blogId).catch(() => undefined);
  }

  /** On a conflict, shows both versions for the author to choose. */
  async #showConflict(open: OpenWorkingCopy): Promise<void> {
    const { blogId: id } = open.work;
    clearTimeout(this.#timer);
    try {
      const { epoch, document, fields, cover } = await this.#dependencies.api.open({ id });
      if (open !== this.#open) return;
      // No changes here conflict with it.
      if (open.fitsEpoch(epoch)) return void (await this.#reopen(open, {}, this.snapshot().notice));
      const mine = !open.work.isShared;
      const about = {
        id,
        mine,
        slug: fields.address,
        version: 0,
        document,
        updatedAt: new Date(serverTime()).toISOString(),
      };
      const schedule = toSchedule(open.fields.later);
      this.show({
        newer: {
          ...toFormFields({ ...fields, intent: null }, cover, open.fields),
          ...about,
          schedule,
        } satisfies BlogOnServer,
      });
    } catch (error) {
      if (open !== this.#open) return;
      if (errorCode(error) === "NOT_FOUND") return this.continueAsDraft();
      this.#timer = setTimeout(() => void this.#showConflict(open), retryAfterMs);
    }
  }

  /** Returns a notice with Undo for replaced content. */
  #undoNotice(
    before: BlogFields,
    kind: "discarded" | "taken-up" = "discarded",
    onUndo?: () => void,
  ): FormNotice {
    const open = this.#open;
    const undo = () => {
      this.show({ notice: null });
      if (open !== this.#open) return;
      onUndo?.();
      // Discard also ends the choice of draft and time; a restored version has none.
      if (kind === "discarded") open?.put(before);
      else this.put(before);
    };
    return { kind, undo };
  }

  #close(open: OpenWorkingCopy): void {
    const closing = open.close().finally(() => closingForms.delete(closing));
    closingForms.add(closing);
  }

  /** Sends what closed tabs left on this device. */
  #sendLeftovers(): Promise<void> {
    const [code, finder, open] = [this.#code, this.#finder, this.#open];
    if (!code || !finder || !open) return Promise.resolve();
    this.#isRequestedAgain = true;
    return (this.#sendingLeftovers ??= (async () => {
      while (this.#isRequestedAgain) {
        this.#isRequestedAgain = false;
        await Promise.all(closingForms);
        const hasSent = await sendLeftovers(
          this.#account,
          this.#dependencies,
          code,
          finder,
          open.work.at.client,
        );
        if (hasSent && !this.#blog) await this.#listOthers();
      }
    })().finally(() => (this.#sendingLeftovers = undefined)));
  }

  async #listOthers(): Promise<void> {
    const unfinished = await this.#dependencies.api.unfinished().catch(() => undefined);
    if (unfinished) this.show({ others: unfinished.filter(({ id }) => id !== this.blogId) });
  }

  #entries(): Promise<StoredWork[]> {
    return this.#dependencies.store.all(this.#account).catch((): StoredWork[] => {
      this.show({ journalState: "failed" });
      return [];
    });
  }
}
