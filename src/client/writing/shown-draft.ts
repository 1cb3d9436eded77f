import { emptyFields } from "./draft-fields.ts";
import type { BlogFields } from "./draft-fields.ts";
import { restrictToAccount } from "./draft-server.ts";
import type { Draft, EditorCode, FormExtras, FormNotice, SessionDependencies, Snapshot } from "./draft.ts";
import type { SyncState } from "./commits.ts";
import type { DraftFinder, FoundDraft } from "./find-draft.ts";
import { OpenDraft } from "./open-draft.ts";
import { ExternalStore } from "../ui/external-store.ts";

const firstSnapshot = (): Snapshot => ({
  phase: { name: "starting" },
  notice: null,
  fields: emptyFields(),
  schedule: null,
  isChanged: false,
  deviceState: "idle",
  sync: { name: "saved" },
  removed: null,
  changesByOthers: 0,
  topic: null,
});

/** What a form shows: one draft after another, as a snapshot for React. */
export abstract class ShownDraft {
  readonly store = new ExternalStore<Snapshot>(firstSnapshot());
  protected readonly account: string;
  protected readonly dependencies: SessionDependencies;
  protected code: EditorCode | undefined;
  protected finder: DraftFinder | undefined;
  /** Returns what the form holds beside its fields. */
  protected extras: () => FormExtras = () => ({ file: null, pictures: [], tags: [] });
  /** The draft in the form; null before it is open, and once the form is closed. */
  open: OpenDraft | null = null;
  protected isSignedIn = true;
  #key = 0;

  constructor(account: string, dependencies: SessionDependencies) {
    this.account = account;
    const isOwn = () => this.isSignedIn && dependencies.signedIn() === account;
    this.dependencies = { ...dependencies, api: restrictToAccount(dependencies.api, isOwn) };
  }

  /** The draft cannot be synced any more. */
  protected abstract onStopped(open: OpenDraft, state: SyncState): void;

  readonly snapshot = (): Snapshot => this.store.get();

  /** Changes the state; equal values render nothing. */
  show(change: Partial<Snapshot>): void {
    const before = this.snapshot();
    if (Object.entries(change).every(([name, value]) => before[name as keyof Snapshot] === value)) return;
    this.store.set({ ...before, ...change });
  }

  /** Shows a draft, with what the form holds already. */
  protected openDraft(found: FoundDraft, notice: FormNotice, early: Partial<BlogFields> = {}): OpenDraft {
    const open: OpenDraft = new OpenDraft(
      this.account,
      this.dependencies,
      this.code!,
      found,
      () => this.extras(),
      {
        changed: () => open === this.open && this.#showOpen(open),
        stored: (deviceState) => open === this.open && this.show({ deviceState }),
        stopped: (state) => open === this.open && this.onStopped(open, state),
      },
    );
    this.open = open;
    const phase = { name: "writing", draft: found.draft, key: ++this.#key } as const;
    this.show({ phase, notice, deviceState: "idle", removed: null });
    if (Object.keys(early).length > 0) open.put(early);
    this.#showOpen(open);
    return open;
  }

  /** Shows another draft and ends this one. Returns what it replaced; null if the form has switched meanwhile. */
  protected async replace(
    open: OpenDraft,
    found: FoundDraft,
    notice: FormNotice,
  ): Promise<BlogFields | null> {
    if (open !== this.open) {
      found.locks.release();
      return null;
    }
    const before = open.all();
    open.detach();
    this.openDraft(found, notice);
    await open.drop();
    return before;
  }

  /** Opens the server's version of a draft. Throws what the server answers. */
  protected openFromServer({ blogId, isNew, isDraft, isShared, schedule }: Draft): Promise<FoundDraft> {
    return this.finder!.openFromServer(blogId, isNew, { isDraft, isShared: isShared === true, schedule });
  }

  #showOpen(open: OpenDraft): void {
    const { fields, state: sync, isChanged, isBegun, draft } = open;
    const topic = isBegun ? (`draft:${draft.blogId}` as const) : null;
    this.show({ fields, sync, schedule: draft.schedule, isChanged, topic });
  }
}
