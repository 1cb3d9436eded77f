import type { EditableBlog } from "../../../shared/blogs.ts";
import { isUnanswered } from "../../api/errors.ts";
import { newId } from "../../api/ids.ts";
import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { UnsavedBlog } from "../../../shared/drafts.ts";
import type { Unconfirmed } from "../../editor/sync/sync.ts";
import { isUnknownToServer } from "./draft-server.ts";
import { blogIntentOf, isBlank, newDraftFields, toFormFields } from "./blog-fields.ts";
import type {
  EditorCode,
  StoredWork,
  SessionDependencies,
  WaitingContent,
  WorkingCopy,
} from "./working-copy.ts";

/** The number of a working copy's first commit. */
export const firstCommit = 1;

/** The lock name of a blog, beside those of the pages that write in it. */
const blogLockName = (id: string): string => `blog-${id}`;

/** The locks of a page: no other tab of this browser resumes the same work. */
export class WorkLocks {
  readonly #claim: SessionDependencies["claim"];
  readonly #releases: (() => void)[] = [];

  constructor(claim: SessionDependencies["claim"]) {
    this.#claim = claim;
  }

  /** Acquires all of these locks or none; returns false if another tab has one. */
  async acquire(...names: string[]): Promise<boolean> {
    const releases: (() => void)[] = [];
    for (const name of names) {
      const release = await this.#claim(name);
      if (release) releases.push(release);
      else {
        for (const releaseLock of releases) releaseLock();
        return false;
      }
    }
    this.#releases.push(...releases);
    return true;
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }
}

/** What a form starts with. */
export interface FoundWork {
  work: WorkingCopy;
  locks: WorkLocks;
  /** Names of pictures that were not uploaded. */
  lostPictures: readonly string[];
  /** Content from outside the editor, to be applied to the work. */
  waiting: WaitingContent | null;
  others: readonly UnsavedBlog[];
}

/** A form's blog as of its opening; null for a new one. */
export type FormBlog =
  | (Pick<EditableBlog, "id" | "draft" | "version"> & Partial<Pick<EditableBlog, "schedule" | "mine">>)
  | null;

/** The blog on the server, of a working copy. */
type BlogState = Pick<WorkingCopy, "isDraft" | "schedule" | "isShared">;

const stateOf = (blog: FormBlog): BlogState => ({
  isDraft: blog?.draft ?? true,
  schedule: blog?.schedule ?? null,
  isShared: blog?.mine === false,
});

/** Finds the work to start with: unsent changes on this device, a blog begun elsewhere, or a new one. */
export class WorkingCopyFinder {
  readonly #account: string;
  readonly #dependencies: SessionDependencies;
  readonly #code: EditorCode;

  constructor(account: string, dependencies: SessionDependencies, code: EditorCode) {
    this.#account = account;
    this.#dependencies = dependencies;
    this.#code = code;
  }

  /** `entries`: stored on this device, newest first. `isTyped`: the form already has input. */
  async find(blog: FormBlog, entries: readonly StoredWork[], isTyped: boolean): Promise<FoundWork> {
    const waiting = await this.#findWaiting(blog);
    if (blog) {
      const found =
        (await this.#findStored(blog.id, entries)) ??
        (await this.openFromServer(blog.id, false, stateOf(blog)));
      return { ...found, waiting, work: waiting ? onBaseVersion(found, waiting, blog) : found.work };
    }
    if (waiting) return this.#openShared(waiting, entries);
    return (isTyped ? undefined : await this.#findUnsaved(entries)) ?? this.startNew();
  }

  /** Returns one blog as stored on this device, otherwise as on the server. */
  async resumeWork(id: string, isNew: boolean, entries: readonly StoredWork[]): Promise<FoundWork> {
    return (await this.#findStored(id, entries)) ?? this.openFromServer(id, isNew);
  }

  async openFromServer(id: string, isNew: boolean, state: BlogState = stateOf(null)): Promise<FoundWork> {
    const { epoch, seq, since, document, ...opened } = await this.#dependencies.api.open({ id });
    const { fields, cover, isUnsaved } = opened;
    const guessedLanguage = "";
    const locks = this.#newLocks();
    // Not exclusive: other tabs that have it open write in it too.
    await locks.acquire(blogLockName(id));
    const at = await newPosition(locks, epoch, seq);
    const about = { isNew, isUnsaved, guessedLanguage, fields, cover, at, since, ...state };
    return foundOf({ blogId: id, document: document as NodeJson, file: null, ...about }, locks);
  }

  async startNew(id = newId()): Promise<FoundWork> {
    const locks = this.#newLocks();
    await locks.acquire(blogLockName(id));
    const work = {
      blogId: id,
      isNew: true,
      isUnsaved: true,
      guessedLanguage: "",
      document: this.#code.normalDocument(emptyDocument()),
      fields: newDraftFields(),
      cover: null,
      at: await newPosition(locks, "", firstCommit),
      since: firstCommit,
      file: null,
      ...stateOf(null),
    };
    return foundOf(work, locks);
  }

  /** Rereads a locked entry. Undefined, with the locks released, if it is gone or cannot be parsed. */
  async readLocked(client: string, locks: WorkLocks): Promise<StoredWork | undefined> {
    const entries = await this.#dependencies.store.all(this.#account).catch((): StoredWork[] => []);
    const entry = entries.find((one) => one.client === client);
    try {
      if (entry) this.#code.headless(entry.document, entry.at);
      if (entry) return entry;
    } catch {
      // Stays in the store.
    }
    locks.release();
    return undefined;
  }

  #newLocks = (): WorkLocks => new WorkLocks(this.#dependencies.claim);

  async #findStored(id: string, entries: readonly StoredWork[]): Promise<FoundWork | undefined> {
    for (const { client, blogId } of entries) {
      if (blogId !== id) continue;
      const locks = this.#newLocks();
      const entry = (await locks.acquire(client)) && (await this.readLocked(client, locks));
      if (!entry) continue;
      await locks.acquire(blogLockName(id));
      return foundOf(entry, locks, entry.pictures);
    }
    return undefined;
  }

  /** Finds the new blog changed last, here or elsewhere, that no other tab has open. */
  async #findUnsaved(entries: readonly StoredWork[]): Promise<FoundWork | undefined> {
    const { api } = this.#dependencies;
    const unfinished = await api.unfinished().catch(() => undefined);
    const isUnfinished = (id: string) => !unfinished || unfinished.some((one) => one.id === id);
    // A blog that was published or deleted meanwhile is not new any more.
    const unfinishedEntries = entries.filter(
      (entry) => entry.isNew && (isUnknownToServer(entry) || isUnfinished(entry.blogId)),
    );
    const candidates = [
      ...unfinishedEntries.map(({ blogId, changedAt }) => ({ id: blogId, changedAt })),
      ...(unfinished ?? []).map(({ id, changedAt }) => ({ id, changedAt: Date.parse(changedAt) })),
    ].toSorted((one, other) => other.changedAt - one.changedAt);
    for (const id of new Set(candidates.map((one) => one.id))) {
      const probe = this.#newLocks();
      if (!(await probe.acquire(blogLockName(id)))) continue;
      probe.release();
      try {
        const found = await this.resumeWork(id, true, unfinishedEntries);
        return { ...found, others: (unfinished ?? []).filter((one) => one.id !== id) };
      } catch (error) {
        if (isUnanswered(error)) throw error;
      }
    }
    return undefined;
  }

  /** Opens shared content as a new blog under its id, however often. */
  async #openShared(waiting: WaitingContent, entries: readonly StoredWork[]): Promise<FoundWork> {
    const { blogId } = waiting;
    const unfinished = await this.#dependencies.api.unfinished().catch(() => []);
    const found =
      (await this.#findStored(blogId, entries)) ??
      (unfinished.some(({ id }) => id === blogId) ? await this.openFromServer(blogId, true) : undefined);
    if (!found || this.isBlank(found)) return { ...(found ?? (await this.startNew(blogId))), waiting };
    await this.#dependencies.store.removeWaiting(this.#account, blogId).catch(() => undefined);
    return found;
  }

  isBlank({ work }: FoundWork): boolean {
    const { document, at, fields, cover, file } = work;
    const latestFields = { ...fields, ...at.underway?.fields, ...at.fields };
    const text = this.#code.headless(document, at).state().doc.toJSON() as NodeJson;
    return (
      file === null && isBlank({ ...toFormFields(latestFields, cover, blogIntentOf(work)), document: text })
    );
  }

  async #findWaiting(blog: FormBlog): Promise<WaitingContent | null> {
    const all = await this.#dependencies.store.waiting(this.#account).catch((): WaitingContent[] => []);
    return all.find(({ blogId, base }) => (blog ? blogId === blog.id : base === null)) ?? null;
  }
}

const foundOf = (work: WorkingCopy, locks: WorkLocks, lost: readonly string[] = []): FoundWork => ({
  work,
  locks,
  lostPictures: lost,
  waiting: null,
  others: [],
});

/** Returns a new position of this page in the commit history. */
async function newPosition(locks: WorkLocks, epoch: string, seq: number): Promise<Unconfirmed> {
  const client = newId();
  await locks.acquire(client);
  return { epoch, seq, client, number: 1, steps: [], fields: {}, underway: null };
}

/** If the waiting content was not based on the server's state, clears the epoch: the author then chooses between both. */
function onBaseVersion(
  { work }: FoundWork,
  { base }: WaitingContent,
  blog: NonNullable<FormBlog>,
): WorkingCopy {
  const isCurrent = base === blog.version && work.at.seq === work.since;
  return isCurrent ? work : { ...work, at: { ...work.at, epoch: "" } };
}
