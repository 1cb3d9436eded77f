import type { LiveEvent, LiveMessage } from "../../../shared/live.ts";
import { errorCode } from "../../api/errors.ts";
import type { SyncState } from "../../editor/sync/sync.ts";
import type { Text } from "../../editor/sync/text.ts";
import { WorkFinder } from "./find-work.ts";
import type { FormBlog, Found } from "./find-work.ts";
import { asSchedule } from "./later.ts";
import { bringLeftovers, isGone } from "./leftovers.ts";
import { OpenWork } from "./open-work.ts";
import { forAccount } from "./server.ts";
import { Shown } from "./shown.ts";
import { emptyFields, sameFields, shownAs } from "./values.ts";
import type { BlogFields } from "./values.ts";
import type {
  EditorCode,
  Entry,
  Held,
  FormNotice,
  Snapshot,
  StandingBlog,
  Surroundings,
  Waiting,
} from "./work.ts";

/** Forms of this tab that are going away: the next one finds what they leave. */
const leaving = new Set<Promise<void>>();
/** Where it is not known what stands on the server it is asked again after so many milliseconds. */
const askAgain = 20_000;

/**
 * A form's life with a working copy (docs/decisions/0044): takes up what this device could not send the last time (`WorkFinder`),
 * shows one piece of work at a time (`OpenWork`), and goes on with another.
 */
export class WritingSession extends Shown<Snapshot> {
  readonly #account: string;
  readonly #blog: FormBlog;
  readonly #around: Surroundings;
  #code: EditorCode | undefined;
  #finder: WorkFinder | undefined;
  #held: () => Held = () => ({ file: null, pictures: [], tags: [] });
  /** Fields that were changed before there was anything to change. */
  #early: Partial<BlogFields> = {};
  #open: OpenWork | null = null;
  /** What waits to be put over the work that is open. */
  #waiting: Waiting | null = null;
  /** What stood here before: kept until what stands here now is. */
  #before: OpenWork[] = [];
  /** What is being deleted here: that it is gone is no news. */
  #dropped: OpenWork | null = null;
  #isSignedIn = true;
  #turn = 0;
  #key = 0;
  #starting: Promise<void> = Promise.resolve();
  #going: Promise<void> | undefined;
  #bringing: Promise<void> | undefined;
  /** It was asked for again meanwhile. */
  #isMoreLeft = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(account: string, blog: FormBlog, around: Surroundings) {
    super({
      phase: { name: "starting" },
      notice: null,
      fields: emptyFields(),
      isChanged: false,
      newer: null,
      others: [],
      kept: "idle",
      sync: { name: "saved" },
      removed: null,
      heard: 0,
      topic: null,
    });
    this.#account = account;
    this.#blog = blog;
    const isOwn = () => this.#isSignedIn && around.signedIn() === account;
    this.#around = { ...around, api: forAccount(around.api, isOwn) };
  }

  /** `held` gives what the form holds beside its fields at the time of the call. */
  start(held: () => Held): Promise<void> {
    this.#held = held;
    const turn = ++this.#turn;
    this.show({ phase: { name: "starting" } });
    // One after the other: what the one holds the next would not find.
    this.#starting = this.#starting.then(() => this.#start(turn));
    return this.#starting;
  }

  async #start(turn: number): Promise<void> {
    if (turn !== this.#turn) return;
    try {
      await Promise.all(leaving);
      this.#code = await this.#around.editor();
      this.#finder = new WorkFinder(this.#account, this.#around, this.#code);
      const isTyped = Object.keys(this.#early).length > 0;
      const found = await this.#finder.find(this.#blog, await this.#entries(), isTyped);
      if (turn !== this.#turn) return found.holds.release();
      const { work, lost } = found;
      const isRestored = lost.length > 0 || (work.isNew && !found.waiting && !this.#finder.isBlank(found));
      this.#go(found, isRestored ? { kind: "restored", lost, isNew: work.isNew } : null);
      void this.#bringLeftovers();
    } catch {
      if (turn === this.#turn) this.show({ phase: { name: "broken" } });
    }
  }

  /** The form goes away; what waits is written down, and sent. */
  stop(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    const open = this.#open;
    this.#open = null;
    if (open) this.#leave(open);
    for (const before of this.#before.splice(0)) before.release();
  }

  /** The editor is there, with the text of the work it was given. */
  attach(text: Text): void {
    const open = this.#open;
    if (!open) return;
    if (!open.attach(text)) {
      open.handOver();
      const { notice, others } = this.snapshot();
      return this.#go({ ...open.renewed(), others }, notice);
    }
    void this.#settleIn(open);
    // What came between the text and the stream that tells of it.
    this.lookAgain();
  }

  /** What this tab hears. */
  hear(event: LiveEvent, topic: LiveMessage["topic"]): void {
    if (event.kind === "reset") return this.lookAgain();
    if (!this.#open || topic !== this.snapshot().topic) return;
    if (event.kind === "writing.committed")
      void this.#open
        .hear(event.commits, event.seq)
        .then(() => this.show({ heard: this.snapshot().heard + 1 }));
    else if (event.kind === "writing.saved") this.#open.wasSaved(event.seq, event.draft);
    // Why, the server says to who asks: the blog is deleted, or the session over.
    else if (event.kind === "accessLost") void this.#open.ask();
    else if (event.kind === "accessRestored") this.lookAgain();
  }

  /** What may have been missed is asked for: the stream begins anew, or the network is back. */
  lookAgain(): void {
    const open = this.#open;
    if (open?.state.name === "lost" && !this.snapshot().newer) void this.#partWays(open);
    else void open?.lookAgain();
    void this.#bringLeftovers();
  }

  /** Whether its writer is signed in; where nobody is, or somebody else, nothing is sent. */
  signedIn(isSignedIn: boolean): void {
    const isBack = isSignedIn && !this.#isSignedIn;
    this.#isSignedIn = isSignedIn;
    if (isBack) this.lookAgain();
  }

  /** A field was changed here. */
  set(change: Partial<BlogFields>): void {
    if (this.#open) return this.#open.set(change);
    this.#early = { ...this.#early, ...change };
    this.show({ fields: { ...this.snapshot().fields, ...change } });
  }

  /** The text was changed here, or what is on its way. */
  changed(): void {
    this.#open?.changed();
  }

  /** Writes down at once what the server has not confirmed. */
  async keep(): Promise<void> {
    await this.#open?.keep();
  }

  /** Sends what there is. True where the server has all of it then. */
  async settle(): Promise<boolean> {
    return (await this.#open?.settle()) ?? false;
  }

  /** Whether it is a new blog in which nothing is written. */
  get isNothing(): boolean {
    return this.#open?.isNothing ?? true;
  }

  /** Whether the server has all of it. */
  isSettled(): boolean {
    // A form that has gone away has sent it.
    return this.#open?.isSaved ?? true;
  }

  /** It is saved as it was meant to be: nothing is kept of it here. */
  async saved(): Promise<void> {
    await this.#open?.forget();
  }

  get blogId(): string | null {
    return this.#open?.work.blogId ?? null;
  }

  /** The whole of it, with the text. */
  all(): BlogFields {
    return this.#open?.all() ?? { ...this.snapshot().fields, ...this.#early };
  }

  /** Puts these in place of what stands here, as one change. */
  put({ draft: _draft, later: _later, ...fields }: BlogFields): void {
    this.#open?.put(fields);
  }

  closeNotice(): void {
    this.show({ notice: null });
  }

  /** Takes back what readers do not see yet; a new blog that was never saved is none any more. */
  async discard(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const before = this.all();
    if (!open.work.isNew) await this.#takeBack(open);
    else if (!(await this.#dropNew(open)))
      open.put({ ...emptyFields(), draft: before.draft, later: before.later });
    this.show({ newer: null, notice: this.#leftOut(before) });
  }

  async #takeBack(open: OpenWork): Promise<void> {
    const { blogId: id } = open.work;
    await open.push();
    await this.#around.api.discard({ id });
    await open.ask();
    // What could not be sent is taken back, too.
    if (!open.isSaved) await this.#reopen(open, {}, null);
  }

  /** Deletes a new blog, and goes on with another one. False where that can't be just now, or it was saved meanwhile. */
  async #dropNew(open: OpenWork): Promise<boolean> {
    const { blogId: id } = open.work;
    this.#dropped = open;
    try {
      if (open.isBegun) await this.#around.api.remove({ id, begun: true });
    } catch (error) {
      this.#dropped = null;
      if (errorCode(error) !== "NOT_FOUND") return false;
    }
    const found = await this.#finder!.fresh();
    if (open !== this.#open) return (found.holds.release(), true);
    open.rest();
    const { draft, later } = open.fields;
    this.#go({ ...found, work: { ...found.work, draft, later }, others: this.snapshot().others }, null);
    await open.drop();
    return true;
  }

  /** Puts what the blog said once in the place of what stands here; who may read it and where stays. It can be taken back. */
  takeUpRevision(restores: string, said: Partial<BlogFields>): void {
    const open = this.#open;
    const before = this.all();
    open?.takesUp(restores);
    this.put({ ...before, ...said });
    this.show({ notice: this.#leftOut(before, "taken-up", () => open?.takesUp(null)) });
  }

  /** Goes on with another new blog: another one that was begun, or from nothing. What is being written stays where it is. */
  async turnTo(id: string | null): Promise<void> {
    const [open, finder] = [this.#open, this.#finder];
    if (!open || !finder) return;
    await open.push();
    const found = await (id === null ? finder.fresh() : finder.takeUp(id, true, await this.#entries()));
    if (open !== this.#open) return found.holds.release();
    this.#leave(open);
    this.#go(found, null);
    void this.#listOthers();
    void this.#bringLeftovers();
  }

  /** The blog is deleted: what stands here is a new one from now on, for nobody but its author until they say otherwise. */
  gone(): Promise<void> {
    return (this.#going ??= this.#goOn().finally(() => (this.#going = undefined)));
  }

  /** Goes on, on what stands now, with what was put together of both. */
  async choose(fields: BlogFields): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const before = this.all();
    const { draft: _draft, later: _later, ...chosen } = fields;
    const isAll = sameFields(
      { ...before, address: fields.address, draft: fields.draft, later: fields.later },
      fields,
    );
    if (await this.#reopen(open, chosen, null))
      this.show({ newer: null, notice: isAll ? null : this.#leftOut(before) });
  }

  async #goOn(): Promise<void> {
    const [open, finder] = [this.#open, this.#finder];
    if (
      !open?.isBegun ||
      open.work.isShared ||
      open === this.#dropped ||
      !finder ||
      !(await isGone(this.#around.api, open.work.blogId))
    )
      return;
    const found = await finder.fresh();
    if (open !== this.#open) return found.holds.release();
    const { address: _address, ...fields } = open.all();
    this.#replace(open, found, { ...fields, draft: true, later: null }, { kind: "deleted" });
  }

  /** Goes on with what stands on the server, with these in place of what it says. False where the form has gone on. */
  async #reopen(open: OpenWork, early: Partial<BlogFields>, notice: FormNotice): Promise<boolean> {
    const { work, fields } = open;
    const found = await this.#finder!.opened(work.blogId, work.isNew, {
      isDraft: work.isDraft,
      isShared: work.isShared === true,
      draft: fields.draft,
      later: fields.later,
    });
    if (open !== this.#open) {
      found.holds.release();
      return false;
    }
    this.#replace(open, found, early, notice);
    return true;
  }

  /** One piece of work becomes another, with what the form holds beside it. What is kept of the first is so until the other is. */
  #replace(open: OpenWork, found: Found, early: Partial<BlogFields>, notice: FormNotice): void {
    const { file, tags } = open.held();
    const isTyped = tags.length > open.fields.tags.length;
    this.#before.push(open);
    open.rest();
    this.#go({ ...found, work: { ...found.work, file } }, notice, isTyped ? { ...early, tags } : early);
  }

  #go(found: Found, notice: FormNotice, early: Partial<BlogFields> = this.#early): void {
    const { work, waiting, others } = found;
    clearTimeout(this.#timer);
    this.#early = {};
    this.#waiting = waiting;
    const open: OpenWork = new OpenWork(this.#account, this.#around, this.#code!, found, {
      early,
      held: () => this.#held(),
      tell: {
        changed: () => open === this.#open && this.#showOpen(open),
        kept: (kept) => open === this.#open && this.show({ kept }),
        stopped: (state) => open === this.#open && this.#hearStopped(open, state),
      },
    });
    this.#open = open;
    const phase = { name: "writing", work, key: ++this.#key } as const;
    this.show({ phase, notice, others, newer: null, kept: "idle" });
    this.#showOpen(open);
  }

  #showOpen(open: OpenWork): void {
    const { fields, state: sync, isChanged, isBegun, isRemoved, work } = open;
    const removal = () => ({ words: open.unsent(), mayBeDeleted: sync.name === "gone" });
    const removed = isRemoved ? (this.snapshot().removed ?? removal()) : null;
    this.show({ fields, sync, isChanged, removed, topic: isBegun ? `writing:${work.blogId}` : null });
  }

  #hearStopped(open: OpenWork, { name }: SyncState): void {
    // Whose it is has ended that: it is not deleted, or nobody is to know.
    if (open.isRemoved) return;
    if (name === "ended" || name === "old") this.show({ notice: { kind: name } });
    else if (name === "gone")
      void this.gone().then(() => {
        // It is not deleted: somebody else is signed in by now, or nobody could say.
        if (open === this.#open) this.#timer = setTimeout(() => this.lookAgain(), askAgain);
      });
    else if (name === "lost") void this.#partWays(open);
  }

  /** The text is there: what waits for it is put over it, and what was before it is not needed any more. */
  async #settleIn(open: OpenWork): Promise<void> {
    const [waiting, before] = [this.#waiting, this.#before.splice(0)];
    this.#waiting = null;
    if (waiting) {
      open.put(waiting.fields);
      this.show({ notice: { kind: "restored", lost: [], isNew: open.work.isNew } });
    }
    if (!waiting && before.length === 0) return;
    await open.push();
    await open.keep();
    // Where this device does not keep it the first one stays.
    const isKept = (open.isSaved && open.isBegun) || this.snapshot().kept !== "failed";
    for (const one of before) await (isKept ? one.drop() : one.release());
    if (waiting && isKept)
      await this.#around.store.removeWaiting(this.#account, waiting.blogId).catch(() => undefined);
  }

  /** What was written here can't be put onto what stands: both are shown, and the writer chooses. */
  async #partWays(open: OpenWork): Promise<void> {
    const { blogId: id } = open.work;
    clearTimeout(this.#timer);
    try {
      const { epoch, document, fields, cover } = await this.#around.api.open({ id });
      if (open !== this.#open) return;
      // Nothing of one's own is in the way.
      if (open.isNoneOf(epoch)) return void (await this.#reopen(open, {}, this.snapshot().notice));
      const mine = !open.work.isShared;
      const about = { id, mine, slug: "", version: 0, document, updatedAt: new Date().toISOString() };
      const schedule = asSchedule(open.fields.later);
      this.show({
        newer: { ...shownAs(fields, cover, open.fields), ...about, schedule } satisfies StandingBlog,
      });
    } catch (error) {
      if (open !== this.#open) return;
      if (errorCode(error) === "NOT_FOUND") return this.gone();
      this.#timer = setTimeout(() => void this.#partWays(open), askAgain);
    }
  }

  /** What stood here does not any more, until it is put back. */
  #leftOut(
    before: BlogFields,
    kind: "discarded" | "taken-up" = "discarded",
    undone?: () => void,
  ): FormNotice {
    const open = this.#open;
    const undo = () => {
      this.show({ notice: null });
      if (open !== this.#open) return;
      undone?.();
      this.put(before);
    };
    return { kind, undo };
  }

  #leave(open: OpenWork): void {
    const left = open.close().finally(() => leaving.delete(left));
    leaving.add(left);
  }

  /** What other tabs left here that are closed by now. */
  #bringLeftovers(): Promise<void> {
    const [code, finder, open] = [this.#code, this.#finder, this.#open];
    if (!code || !finder || !open) return Promise.resolve();
    this.#isMoreLeft = true;
    return (this.#bringing ??= (async () => {
      while (this.#isMoreLeft) {
        this.#isMoreLeft = false;
        await Promise.all(leaving);
        const some = await bringLeftovers(this.#account, this.#around, code, finder, open.work.at.client);
        if (some && !this.#blog) await this.#listOthers();
      }
    })().finally(() => (this.#bringing = undefined)));
  }

  async #listOthers(): Promise<void> {
    const begun = await this.#around.api.unfinished().catch(() => undefined);
    if (begun) this.show({ others: begun.filter(({ id }) => id !== this.blogId) });
  }

  #entries(): Promise<Entry[]> {
    return this.#around.store.all(this.#account).catch((): Entry[] => {
      this.show({ kept: "failed" });
      return [];
    });
  }
}
