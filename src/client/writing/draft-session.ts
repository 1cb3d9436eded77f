import type { SavedBlog } from "../../shared/blogs.ts";
import type { LiveEvent, LiveMessage } from "../../shared/live.ts";
import { errorCode } from "../api/errors.ts";
import type { SyncState } from "./commits.ts";
import { emptyFields, isBlank } from "./draft-fields.ts";
import type { BlogFields } from "./draft-fields.ts";
import { isGone } from "./draft-server.ts";
import type { FormExtras, FormNotice, SessionDependencies } from "./draft.ts";
import { DraftFinder, blogLockName } from "./find-draft.ts";
import type { FormBlog, FoundDraft } from "./find-draft.ts";
import { contentToKeep, keepUnfitting, newDraftInPlaceOf } from "./keep-as-new-draft.ts";
import type { OpenDraft } from "./open-draft.ts";
import { sendLeftovers } from "./send-leftovers.ts";
import { ShownDraft } from "./shown-draft.ts";
import type { SyncedText } from "./text.ts";

/** Milliseconds before the server is asked again for its version. */
const retryAfterMs = 20_000;

/**
 * A form's session (docs/decisions/0019-drafts-and-publishing.md): resumes unsent changes (`DraftFinder`) and shows one draft
 * after another (`OpenDraft`). Changes that no longer fit into a draft become a new one (`keepAsNewDraft`).
 */
export class DraftSession extends ShownDraft {
  readonly #blog: FormBlog;
  /** Fields changed before a draft was open. */
  #early: Partial<BlogFields> = {};
  /** The one being deleted here, for which `gone` is expected. */
  #deleting: OpenDraft | null = null;
  #startCount = 0;
  #starting: Promise<void> = Promise.resolve();
  #continuing: Promise<void> | undefined;
  #settling: Promise<void> = Promise.resolve();
  #discarding: Promise<void> | undefined;
  #sendingLeftovers: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(account: string, blog: FormBlog, dependencies: SessionDependencies) {
    super(account, dependencies);
    this.#blog = blog;
  }

  /** Starts or restarts. `extras` returns what the form holds beside its fields. Does not throw: the phase is `broken` then. */
  start(extras: () => FormExtras): Promise<void> {
    this.extras = extras;
    const startCount = ++this.#startCount;
    this.show({ phase: { name: "starting" } });
    // Sequentially: the next would not find what this one has locked.
    this.#starting = this.#starting.then(() => this.#start(startCount));
    return this.#starting;
  }

  async #start(startCount: number): Promise<void> {
    if (startCount !== this.#startCount) return;
    try {
      this.code = await this.dependencies.editor();
      this.finder = new DraftFinder(this.account, this.dependencies, this.code);
      const stored = await this.dependencies.store.all(this.account).catch(() => {
        this.show({ deviceState: "failed" });
        return [];
      });
      const isTyped = Object.keys(this.#early).length > 0;
      const found = await this.finder.find(this.#blog, stored, isTyped);
      if (startCount !== this.#startCount) return found.locks.release();
      const { isNew } = found.draft;
      const open = this.openDraft(found, null, this.#early);
      this.#early = {};
      const isResumed = isNew && !isTyped && !isBlank(open.all());
      if (isResumed || found.lostPictures.length > 0)
        this.show({ notice: { kind: "restored", lost: found.lostPictures, isNew } });
      this.#sendLeftovers();
    } catch {
      if (startCount === this.#startCount) this.show({ phase: { name: "broken" } });
    }
  }

  /** Closes the form: stores and sends pending changes. */
  stop(): void {
    this.#startCount++;
    clearTimeout(this.#timer);
    void this.open?.close();
    this.open = null;
  }

  /** Connects the editor's text with the open draft; if that has changed meanwhile, shows it to another editor. */
  attach(text: SyncedText): void {
    const open = this.open;
    if (!open) return;
    if (!open.attach(text)) {
      open.detach();
      return void this.openDraft(open.current(), this.snapshot().notice);
    }
    // Fetches what came between the text and its subscription.
    this.resync();
  }

  handleEvent(event: LiveEvent, topic: LiveMessage["topic"]): void {
    if (event.kind === "reset") return this.resync();
    if (!this.open || topic !== this.snapshot().topic) return;
    if (event.kind === "draft.committed")
      void this.open
        .applyCommits(event.commits, event.seq)
        .then(() => this.show({ changesByOthers: this.snapshot().changesByOthers + 1 }));
    else if (event.kind === "draft.saved") {
      this.open.record({ isDraft: event.draft, isUnsaved: false }, event.seq);
      if (this.open.isSaved && this.snapshot().notice?.kind === "restored") this.show({ notice: null });
      // A draft may be scheduled now.
      if (event.draft) void this.open.fetchMissed();
    }
    // The response says why: the blog is deleted, or the session has ended.
    else if (event.kind === "accessLost") void this.open.fetchMissed();
    else if (event.kind === "accessRestored") this.resync();
  }

  /** Fetches what may have been missed. */
  resync(): void {
    const open = this.open;
    if (open && (open.isRemoved || open.state.name === "lost")) void this.#settle(open);
    else void open?.resync();
    this.#sendLeftovers();
  }

  /** Sets whether the author is signed in; otherwise nothing is sent. */
  setSignedIn(isSignedIn: boolean): void {
    const isBack = isSignedIn && !this.isSignedIn;
    this.isSignedIn = isSignedIn;
    if (isBack) this.resync();
  }

  set(change: Partial<BlogFields>): void {
    if (this.open) return this.open.set(change);
    this.#early = { ...this.#early, ...change };
    this.show({ fields: { ...this.snapshot().fields, ...change } });
  }

  /** Sends pending changes. Returns whether the server has all of it. */
  async sendAll(): Promise<boolean> {
    return (await this.open?.sendAll()) ?? false;
  }

  /** Publishes or saves what the server has, as this form's account only. Throws what the server answers. */
  async publish(target: Parameters<SessionDependencies["api"]["publish"]>[0]): Promise<SavedBlog> {
    const open = this.open;
    const saved = await this.dependencies.api.publish(target);
    open?.record({ schedule: target.draft ? (target.schedule ?? null) : null });
    return saved;
  }

  get blogId(): string | null {
    return this.open?.draft.blogId ?? null;
  }

  /** Returns the form's fields with the text. */
  all(): BlogFields {
    return this.open?.all() ?? { ...this.snapshot().fields, ...this.#early };
  }

  /** Discards what readers do not see; deletes a new blog that was never saved. `onUndo` restores what the fields lack. */
  discard(onUndo?: () => void): Promise<void> {
    return (this.#discarding ??= this.#discard(onUndo).finally(() => (this.#discarding = undefined)));
  }

  async #discard(onUndo?: () => void): Promise<void> {
    const open = this.open;
    if (!open) return;
    const isUnsaved = open.draft.isNew && open.draft.isUnsaved;
    const before = await (isUnsaved ? this.#dropNew(open) : this.#discardChanges(open));
    if (before) this.show({ notice: this.#undoNotice(before, "discarded", onUndo) });
  }

  /** Returns what it discarded, with what was typed meanwhile; null if the form has switched. */
  async #discardChanges(open: OpenDraft): Promise<BlogFields | null> {
    const { blogId: id } = open.draft;
    await open.push();
    await open.fetchMissed();
    const resume = await open.pause();
    try {
      await this.dependencies.api.discard({ id });
      // Also discards what could not be sent.
      if (!open.isSaved) return await this.replace(open, await this.openFromServer(open.draft), null);
      let before = open.all();
      await open.fetchNow(() => (before = open.all()));
      return open === this.open ? before : null;
    } finally {
      resume();
    }
  }

  /** Deletes a new blog and opens another; empties it on failure. One that was saved meanwhile stays as it was saved. */
  async #dropNew(open: OpenDraft): Promise<BlogFields | null> {
    const { blogId: id } = open.draft;
    this.#deleting = open;
    try {
      if (open.isBegun) await this.dependencies.api.remove({ id, begun: true });
    } catch (error) {
      this.#deleting = null;
      if (errorCode(error) === "CONFLICT") return this.#discardChanges(open);
      if (errorCode(error) !== "NOT_FOUND") {
        if (open !== this.open) return null;
        const before = open.all();
        open.put(emptyFields());
        return before;
      }
    }
    return this.replace(open, await this.finder!.startNew(), null);
  }

  /** Puts a version into the form; visibility and address stay. It can be undone. */
  restoreVersion(restores: string, version: Partial<BlogFields>, onUndo?: () => void): void {
    const open = this.open;
    const before = this.all();
    open?.recordRestored(restores);
    const { draft: _draft, later: _later, ...fields } = { ...before, ...version };
    open?.put(fields);
    const undo = () => {
      open?.recordRestored(null);
      onUndo?.();
    };
    this.show({ notice: this.#undoNotice(before, "taken-up", undo) });
  }

  /** Opens another new blog; the current one stays among the viewer's drafts. */
  async startAnother(): Promise<void> {
    const [open, finder] = [this.open, this.finder];
    if (!open || !finder) return;
    await open.push();
    const found = await finder.startNew();
    if (open !== this.open) return found.locks.release();
    void open.close();
    this.openDraft(found, null);
  }

  /** If the blog is deleted, turns the form's content into a new draft. */
  continueAsNewDraft(): Promise<void> {
    return (this.#continuing ??= this.#continueAsNewDraft().finally(() => (this.#continuing = undefined)));
  }

  async #continueAsNewDraft(): Promise<void> {
    const [open, code] = [this.open, this.code];
    const isExpected = !open?.isBegun || open.draft.isShared || open === this.#deleting;
    if (!open || !code || isExpected || !(await isGone(this.dependencies.api, open.draft.blogId))) return;
    const draft = newDraftInPlaceOf(open.draft);
    await open.locks.acquire(blogLockName(draft.blogId));
    if (open !== this.open) return;
    const content = open.all();
    const { file, tags } = open.extras();
    open.detach();
    // A draft left empty is deleted by the server.
    const notice = open.draft.isNew && isBlank(content) ? null : ({ kind: "deleted" } as const);
    this.openDraft({ draft: { ...draft, file }, locks: open.locks, lostPictures: [] }, notice, {
      ...contentToKeep(content, false, content.document),
      ...(tags.length > content.tags.length && { tags }),
    });
  }

  #settle(open: OpenDraft): Promise<void> {
    // One after another: access may be restored while the first one ends.
    return (this.#settling = this.#settling.then(() =>
      open === this.open ? this.#settleUnfitting(open) : undefined,
    ));
  }

  /**
   * After the history was lost, or the viewer removed: keeps changes that no longer fit as a new draft. Then shows the server's
   * version if the viewer can open it.
   */
  async #settleUnfitting(open: OpenDraft): Promise<void> {
    clearTimeout(this.#timer);
    let theirs: FoundDraft | null = null;
    try {
      theirs = await this.openFromServer(open.draft);
    } catch (error) {
      if (open !== this.open) return;
      if (!open.isRemoved && errorCode(error) === "NOT_FOUND") return this.continueAsNewDraft();
      if (!open.isRemoved) return this.#settleLater();
    }
    const { removed } = this.snapshot();
    const kept =
      typeof removed?.kept === "object"
        ? removed.kept
        : await keepUnfitting(open, theirs?.draft ?? null, this.dependencies, this.code!);
    if (open !== this.open || kept === "nowhere" || !theirs) {
      theirs?.locks.release();
      if (open !== this.open) return;
      if (kept === "nowhere") this.#settleLater();
      if (open.isRemoved) this.show({ removed: { mayBeDeleted: open.state.name === "gone", kept } });
      return;
    }
    if (kept === "nothing") {
      theirs.draft.file = open.extras().file;
      await this.replace(open, theirs, this.snapshot().notice);
    } else this.openDraft(theirs, { kind: "kept", slug: kept.slug });
  }

  #settleLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.resync(), retryAfterMs);
  }

  protected onStopped(open: OpenDraft, { name }: SyncState): void {
    if (open.isRemoved) {
      // The owner removed the author: the blog still exists, or the author is not to know.
      const kept = open.isSaved ? "nothing" : "soon";
      this.show({ removed: this.snapshot().removed ?? { mayBeDeleted: name === "gone", kept } });
      void this.#settle(open);
    } else if (name === "ended" || name === "old") this.show({ notice: { kind: name } });
    else if (name === "lost") void this.#settle(open);
    else
      void this.continueAsNewDraft().then(() => {
        // It exists: another account is signed in, or the check failed.
        if (open === this.open) this.#settleLater();
      });
  }

  /** Returns a notice with Undo for replaced content. */
  #undoNotice(before: BlogFields, kind: "discarded" | "taken-up", onUndo?: () => void): FormNotice {
    const open = this.open;
    const undo = () => {
      this.show({ notice: null });
      if (open !== this.open) return;
      onUndo?.();
      const { draft: _draft, later: _later, ...fields } = before;
      // Discard also ends the choice of draft and time; a restored version has none.
      open?.put(kind === "discarded" ? before : fields);
    };
    return { kind, undo };
  }

  /** Sends what closed tabs left on this device. */
  #sendLeftovers(): void {
    const [code, finder] = [this.code, this.finder];
    if (!code || !finder) return;
    this.#sendingLeftovers = this.#sendingLeftovers.then(async () => {
      const client = this.open?.draft.at.client;
      if (!client) return;
      const kept = await sendLeftovers(this.account, this.dependencies, code, finder, client);
      const { notice } = this.snapshot();
      if (kept && !(notice && "undo" in notice)) this.show({ notice: { kind: "kept", slug: kept.slug } });
    });
  }
}
