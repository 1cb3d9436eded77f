import type { EditableBlog } from "../../../shared/blogs.ts";
import { isUnanswered } from "../../api/errors.ts";
import { newId } from "../../api/ids.ts";
import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { UnsavedBlog } from "../../../shared/writing.ts";
import type { Unconfirmed } from "../../editor/sync/sync.ts";
import { isUnknownToServer } from "./writing-server.ts";
import { fromSchedule } from "./schedule-time.ts";
import { isBlank, newWritingFields, toFormFields } from "./blog-fields.ts";
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
    const taken: (() => void)[] = [];
    for (const name of names) {
      const release = await this.#claim(name);
      if (release) taken.push(release);
      else {
        for (const back of taken) back();
        return false;
      }
    }
    this.#releases.push(...taken);
    return true;
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }
}

/** What a form starts with. */
export interface FoundWork {
  work: WorkingCopy;
  holds: WorkLocks;
  /** Names of pictures that were not uploaded. */
  lost: readonly string[];
  /** Content from outside the editor, to be applied to the work. */
  waiting: WaitingContent | null;
  others: readonly UnsavedBlog[];
}

/** A form's blog as of its opening; null for a new one. */
export type FormBlog =
  | (Pick<EditableBlog, "id" | "draft" | "version"> & Partial<Pick<EditableBlog, "schedule" | "mine">>)
  | null;

/** Whether the blog is a draft now, and what the form will make of it. */
export type PublishIntent = Pick<WorkingCopy, "isDraft" | "draft" | "later" | "isShared">;

/** Returns the initial state: a new blog is public, others stay as they are. */
function initialIntent(blog: FormBlog): PublishIntent {
  const later = fromSchedule(blog?.schedule);
  const isShared = blog?.mine === false;
  return { isDraft: blog?.draft ?? true, draft: Boolean(blog?.draft) && !later, later, isShared };
}

/** Finds the work to start with: unsent changes on this device, a blog begun elsewhere, or a new one. */
export class WorkingCopyFinder {
  readonly #account: string;
  readonly #around: SessionDependencies;
  readonly #code: EditorCode;

  constructor(account: string, around: SessionDependencies, code: EditorCode) {
    this.#account = account;
    this.#around = around;
    this.#code = code;
  }

  /** `entries`: stored on this device, newest first. `isTyped`: the form already has input. */
  async find(blog: FormBlog, entries: readonly StoredWork[], isTyped: boolean): Promise<FoundWork> {
    const waiting = await this.#waitingFor(blog);
    if (blog) {
      const found =
        (await this.#kept(blog.id, entries)) ??
        (await this.openFromServer(blog.id, false, initialIntent(blog)));
      return { ...found, waiting, work: waiting ? onBaseVersion(found, waiting, blog) : found.work };
    }
    if (waiting) return this.#shared(waiting, entries);
    return (isTyped ? undefined : await this.#begun(entries)) ?? this.startNew();
  }

  /** Returns one blog as stored on this device, otherwise as on the server. */
  async resumeWork(id: string, isNew: boolean, entries: readonly StoredWork[]): Promise<FoundWork> {
    return (await this.#kept(id, entries)) ?? this.openFromServer(id, isNew);
  }

  async openFromServer(
    id: string,
    isNew: boolean,
    meant: PublishIntent = initialIntent(null),
  ): Promise<FoundWork> {
    const { epoch, seq, since, document, fields, cover } = await this.#around.api.open({ id });
    const holds = this.#holds();
    // Not exclusive: other tabs that have it open write in it too.
    await holds.acquire(blogLockName(id));
    const at = await newPosition(holds, epoch, seq);
    const about = { isNew, fields, cover, at, since, ...meant };
    return foundOf({ blogId: id, document: document as NodeJson, file: null, ...about }, holds);
  }

  async startNew(id = newId()): Promise<FoundWork> {
    const holds = this.#holds();
    await holds.acquire(blogLockName(id));
    const work = {
      blogId: id,
      isNew: true,
      document: this.#code.normalDocument(emptyDocument()),
      fields: newWritingFields(),
      cover: null,
      at: await newPosition(holds, "", firstCommit),
      since: firstCommit,
      file: null,
      ...initialIntent(null),
    };
    return foundOf(work, holds);
  }

  /** Rereads a locked entry. Undefined, with the locks released, if it is gone or cannot be parsed. */
  async readLocked(client: string, holds: WorkLocks): Promise<StoredWork | undefined> {
    const entries = await this.#around.store.all(this.#account).catch((): StoredWork[] => []);
    const entry = entries.find((one) => one.client === client);
    try {
      if (entry) this.#code.headless(entry.document, entry.at);
      if (entry) return entry;
    } catch {
      // Stays in the store.
    }
    holds.release();
    return undefined;
  }

  #holds = (): WorkLocks => new WorkLocks(this.#around.claim);

  async #kept(id: string, entries: readonly StoredWork[]): Promise<FoundWork | undefined> {
    for (const { client, blogId } of entries) {
      if (blogId !== id) continue;
      const holds = this.#holds();
      const entry = (await holds.acquire(client)) && (await this.readLocked(client, holds));
      if (!entry) continue;
      await holds.acquire(blogLockName(id));
      return foundOf(entry, holds, entry.pictures);
    }
    return undefined;
  }

  /** Finds the new blog changed last, here or elsewhere, that no other tab has open. */
  async #begun(entries: readonly StoredWork[]): Promise<FoundWork | undefined> {
    const { api } = this.#around;
    const begun = await api.unfinished().catch(() => undefined);
    const isBegun = (id: string) => !begun || begun.some((one) => one.id === id);
    // A blog that was published or deleted meanwhile is not new any more.
    const kept = entries.filter(
      (entry) => entry.isNew && (isUnknownToServer(entry) || isBegun(entry.blogId)),
    );
    const candidates = [
      ...kept.map(({ blogId, changedAt }) => ({ id: blogId, changedAt })),
      ...(begun ?? []).map(({ id, changedAt }) => ({ id, changedAt: Date.parse(changedAt) })),
    ].toSorted((one, other) => other.changedAt - one.changedAt);
    for (const id of new Set(candidates.map((one) => one.id))) {
      const probe = this.#holds();
      if (!(await probe.acquire(blogLockName(id)))) continue;
      probe.release();
      try {
        const found = await this.resumeWork(id, true, kept);
        return { ...found, others: (begun ?? []).filter((one) => one.id !== id) };
      } catch (error) {
        if (isUnanswered(error)) throw error;
      }
    }
    return undefined;
  }

  /** Opens shared content as a new blog under its id, however often. */
  async #shared(waiting: WaitingContent, entries: readonly StoredWork[]): Promise<FoundWork> {
    const { blogId } = waiting;
    const known = await this.#around.api.unfinished().catch(() => []);
    const begun =
      (await this.#kept(blogId, entries)) ??
      (known.some(({ id }) => id === blogId) ? await this.openFromServer(blogId, true) : undefined);
    if (!begun || this.isBlank(begun)) return { ...(begun ?? (await this.startNew(blogId))), waiting };
    await this.#around.store.removeWaiting(this.#account, blogId).catch(() => undefined);
    return begun;
  }

  isBlank({ work }: FoundWork): boolean {
    const { document, at, fields, cover, file } = work;
    const written = { ...fields, ...at.underway?.fields, ...at.fields };
    const text = this.#code.headless(document, at).state().doc.toJSON() as NodeJson;
    return file === null && isBlank({ ...toFormFields(written, cover, work), document: text });
  }

  async #waitingFor(blog: FormBlog): Promise<WaitingContent | null> {
    const all = await this.#around.store.waiting(this.#account).catch((): WaitingContent[] => []);
    return all.find(({ blogId, base }) => (blog ? blogId === blog.id : base === null)) ?? null;
  }
}

const foundOf = (work: WorkingCopy, holds: WorkLocks, lost: readonly string[] = []): FoundWork => ({
  work,
  holds,
  lost,
  waiting: null,
  others: [],
});

/** Returns a new position of this page in the commit history. */
async function newPosition(holds: WorkLocks, epoch: string, seq: number): Promise<Unconfirmed> {
  const client = newId();
  await holds.acquire(client);
  return { epoch, seq, client, number: 1, steps: [], fields: {}, underway: null };
}

/** If the waiting content was not based on the server's state, clears the epoch: the author then chooses between both. */
function onBaseVersion(
  { work }: FoundWork,
  { base }: WaitingContent,
  blog: NonNullable<FormBlog>,
): WorkingCopy {
  const isOnIt = base === blog.version && work.at.seq === work.since;
  return isOnIt ? work : { ...work, at: { ...work.at, epoch: "" } };
}
