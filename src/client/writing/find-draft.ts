import type { EditableBlog } from "../../shared/blogs.ts";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { isUnanswered } from "../api/errors.ts";
import { newId } from "../api/ids.ts";
import type { Unconfirmed } from "./commits.ts";
import { newDraftFields } from "../../shared/drafts.ts";
import { isUnknownToServer } from "./draft.ts";
import type { Draft, EditorCode, SessionDependencies, StoredDraft } from "./draft.ts";

/** The number of a draft's first commit. */
const firstCommit = 1;

/** The lock name of a blog, beside those of the pages that write in it. */
export const blogLockName = (id: string): string => `blog-${id}`;

/** The locks of a page: no other tab of this browser resumes the same draft. */
export class DraftLocks {
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
export interface FoundDraft {
  draft: Draft;
  locks: DraftLocks;
  /** Names of pictures that were not uploaded. */
  lostPictures: readonly string[];
}

/** A form's blog as of its opening; null for a new one. */
export type FormBlog =
  | (Pick<EditableBlog, "id" | "draft" | "etag"> & Partial<Pick<EditableBlog, "schedule" | "mine">>)
  | null;

/** The blog on the server, of a draft. */
type BlogState = Pick<Draft, "isDraft" | "schedule" | "isShared">;

const stateOf = (blog: FormBlog): BlogState => ({
  isDraft: blog?.draft ?? true,
  schedule: blog?.schedule ?? null,
  isShared: blog?.mine === false,
});

/** Finds the draft to start with: unsent changes on this device, a blog begun elsewhere, or a new one. */
export class DraftFinder {
  readonly #account: string;
  readonly #dependencies: SessionDependencies;
  readonly #code: EditorCode;

  constructor(account: string, dependencies: SessionDependencies, code: EditorCode) {
    this.#account = account;
    this.#dependencies = dependencies;
    this.#code = code;
  }

  /**
   * Returns the draft of a blog, or of the newest new one that no other tab has open. `stored`: on this device, newest first.
   * `isTyped`: the form already has input, which needs a new blog. Throws if the server does not answer.
   */
  async find(blog: FormBlog, stored: readonly StoredDraft[], isTyped: boolean): Promise<FoundDraft> {
    if (blog)
      return (await this.#findStored(blog.id, stored)) ?? this.openFromServer(blog.id, false, stateOf(blog));
    return (isTyped ? undefined : await this.#findUnsaved(stored)) ?? this.startNew();
  }

  /** Returns a blog's draft as the server has it, for a new page. Throws what the server answers. */
  async openFromServer(id: string, isNew: boolean, state: BlogState = stateOf(null)): Promise<FoundDraft> {
    const { epoch, seq, since, document, fields, cover, isUnsaved } = await this.#dependencies.api.open({
      id,
    });
    const locks = this.#newLocks();
    // Not exclusive: other tabs that have it open write in it too.
    await locks.acquire(blogLockName(id));
    const at = await newPosition(locks, epoch, seq);
    const text = { document: document as NodeJson, fields, cover, at, since, file: null };
    return { draft: { blogId: id, isNew, isUnsaved, ...text, ...state }, locks, lostPictures: [] };
  }

  /** Returns an empty draft of a new blog. */
  async startNew(): Promise<FoundDraft> {
    const locks = this.#newLocks();
    const id = newId();
    await locks.acquire(blogLockName(id));
    const draft = { ...emptyDraft(id, await newPosition(locks, "", firstCommit)), ...stateOf(null) };
    return { draft, locks, lostPictures: [] };
  }

  /** Rereads a locked draft. Undefined, with the locks released, if it is gone or cannot be parsed. */
  async readLocked(client: string, locks: DraftLocks): Promise<StoredDraft | undefined> {
    const all = await this.#dependencies.store.all(this.#account).catch((): StoredDraft[] => []);
    const stored = all.find((one) => one.client === client);
    try {
      if (stored) this.#code.headless(stored.document, stored.at);
      if (stored) return stored;
    } catch {
      // Stays in the store.
    }
    locks.release();
    return undefined;
  }

  #newLocks = (): DraftLocks => new DraftLocks(this.#dependencies.claim);

  async #findStored(id: string, all: readonly StoredDraft[]): Promise<FoundDraft | undefined> {
    for (const { client, blogId } of all) {
      if (blogId !== id) continue;
      const locks = this.#newLocks();
      const draft = (await locks.acquire(client)) && (await this.readLocked(client, locks));
      if (!draft) continue;
      await locks.acquire(blogLockName(id));
      return { draft, locks, lostPictures: draft.pictures };
    }
    return undefined;
  }

  /** Finds the new blog changed last, here or elsewhere, that no other tab has open. */
  async #findUnsaved(stored: readonly StoredDraft[]): Promise<FoundDraft | undefined> {
    const unfinished = await this.#dependencies.api.unfinished().catch(() => undefined);
    const isUnfinished = (id: string) => !unfinished || unfinished.some((one) => one.id === id);
    // A blog that was published or deleted meanwhile is not new any more.
    const here = stored.filter(
      (draft) => draft.isNew && (isUnknownToServer(draft) || isUnfinished(draft.blogId)),
    );
    const candidates = [
      ...here.map(({ blogId, changedAt }) => ({ id: blogId, changedAt })),
      ...(unfinished ?? []).map(({ id, changedAt }) => ({ id, changedAt: Date.parse(changedAt) })),
    ].toSorted((one, other) => other.changedAt - one.changedAt);
    for (const id of new Set(candidates.map((one) => one.id))) {
      const probe = this.#newLocks();
      if (!(await probe.acquire(blogLockName(id)))) continue;
      probe.release();
      try {
        return (await this.#findStored(id, here)) ?? (await this.openFromServer(id, true));
      } catch (error) {
        if (isUnanswered(error)) throw error;
      }
    }
    return undefined;
  }
}

/** Returns a draft of a new blog without content. */
export const emptyDraft = (blogId: string, at: Unconfirmed): Draft => ({
  blogId,
  isNew: true,
  isUnsaved: true,
  document: emptyDocument(),
  fields: newDraftFields(),
  cover: null,
  at,
  since: firstCommit,
  file: null,
  isShared: false,
  isDraft: true,
  schedule: null,
});

/** Returns a position before a page's first commit. */
export const firstPosition = (client: string, epoch = "", seq = firstCommit): Unconfirmed => ({
  epoch,
  seq,
  client,
  number: 1,
  steps: [],
  fields: {},
  underway: null,
});

/** Returns a new position of this page in the commit history. */
async function newPosition(locks: DraftLocks, epoch: string, seq: number): Promise<Unconfirmed> {
  const client = newId();
  await locks.acquire(client);
  return firstPosition(client, epoch, seq);
}
