import type { EditableBlog } from "../../../shared/blogs.ts";
import { isUnanswered } from "../../api/errors.ts";
import { newId } from "../../api/ids.ts";
import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { Unfinished } from "../../../shared/writing.ts";
import type { Unconfirmed } from "../../editor/sync/sync.ts";
import { isUnbegun } from "./server.ts";
import { asLater } from "./later.ts";
import { isBlank, newFields, shownAs } from "./values.ts";
import type { EditorCode, Entry, Surroundings, Waiting, Work } from "./work.ts";

/** The commit that every working copy begins with. */
export const firstCommit = 1;

/** A blog as what is held, beside the pages that write in it. */
const blogName = (id: string): string => `blog-${id}`;

/** Names that a page holds, so that no other tab of this browser takes up the same. */
export class Holds {
  readonly #claim: Surroundings["claim"];
  readonly #releases: (() => void)[] = [];

  constructor(claim: Surroundings["claim"]) {
    this.#claim = claim;
  }

  /** Holds these, or none of them: false where another has one. */
  async take(...names: string[]): Promise<boolean> {
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

/** What a form goes on with. */
export interface Found {
  work: Work;
  holds: Holds;
  /** Names of pictures that did not arrive. */
  lost: readonly string[];
  /** What came without an editor and is to be put over it. */
  waiting: Waiting | null;
  others: readonly Unfinished[];
}

/** The blog of a form, as the server had it when the form was opened; null for a new one. */
export type FormBlog =
  | (Pick<EditableBlog, "id" | "draft" | "version"> & Partial<Pick<EditableBlog, "schedule" | "mine">>)
  | null;

/** For whom it is: whether the blog is a draft now, and what the form is to make of it. */
export type Meaning = Pick<Work, "isDraft" | "draft" | "later" | "isShared">;

/** As a form begins to mean it: a new blog is for everybody, another one for those who have it. */
function meantOf(blog: FormBlog): Meaning {
  const later = asLater(blog?.schedule);
  const isShared = blog?.mine === false;
  return { isDraft: blog?.draft ?? true, draft: Boolean(blog?.draft) && !later, later, isShared };
}

/** Finds what a form goes on with: what this device could not send the last time, what was begun elsewhere, or a new blog. */
export class WorkFinder {
  readonly #account: string;
  readonly #around: Surroundings;
  readonly #code: EditorCode;

  constructor(account: string, around: Surroundings, code: EditorCode) {
    this.#account = account;
    this.#around = around;
    this.#code = code;
  }

  /** `entries`: what this device has kept, the last changed first. `isTyped`: something stands in the form already. */
  async find(blog: FormBlog, entries: readonly Entry[], isTyped: boolean): Promise<Found> {
    const waiting = await this.#waitingFor(blog);
    if (blog) {
      const found =
        (await this.#kept(blog.id, entries)) ?? (await this.opened(blog.id, false, meantOf(blog)));
      return { ...found, waiting, work: waiting ? onItsBase(found, waiting, blog) : found.work };
    }
    if (waiting) return this.#shared(waiting, entries);
    return (isTyped ? undefined : await this.#begun(entries)) ?? this.fresh();
  }

  /** What is known of one blog: what this device kept of it, or what stands on the server. */
  async takeUp(id: string, isNew: boolean, entries: readonly Entry[]): Promise<Found> {
    return (await this.#kept(id, entries)) ?? this.opened(id, isNew);
  }

  /** As the server has it. */
  async opened(id: string, isNew: boolean, meant: Meaning = meantOf(null)): Promise<Found> {
    const { epoch, seq, since, document, fields, cover } = await this.#around.api.open({ id });
    const holds = this.#holds();
    // Whoever else has it open writes in it, too.
    await holds.take(blogName(id));
    const at = await position(holds, epoch, seq);
    const about = { isNew, fields, cover, at, since, ...meant };
    return foundOf({ blogId: id, document: document as NodeJson, file: null, ...about }, holds);
  }

  /** A new blog. */
  async fresh(id = newId()): Promise<Found> {
    const holds = this.#holds();
    await holds.take(blogName(id));
    const work = {
      blogId: id,
      isNew: true,
      document: this.#code.normalDocument(emptyDocument()),
      fields: newFields(),
      cover: null,
      at: await position(holds, "", firstCommit),
      since: firstCommit,
      file: null,
      ...meantOf(null),
    };
    return foundOf(work, holds);
  }

  /** What was kept, where no other tab has it and this editor understands it. It is as it was written last. */
  async held(client: string, holds: Holds): Promise<Entry | undefined> {
    const entries = await this.#around.store.all(this.#account).catch((): Entry[] => []);
    const entry = entries.find((one) => one.client === client);
    try {
      if (entry) this.#code.headless(entry.document, entry.at);
      if (entry) return entry;
    } catch {
      // Left as it is.
    }
    holds.release();
    return undefined;
  }

  #holds = (): Holds => new Holds(this.#around.claim);

  async #kept(id: string, entries: readonly Entry[]): Promise<Found | undefined> {
    for (const { client, blogId } of entries) {
      if (blogId !== id) continue;
      const holds = this.#holds();
      const entry = (await holds.take(client)) && (await this.held(client, holds));
      if (!entry) continue;
      await holds.take(blogName(id));
      return foundOf(entry, holds, entry.pictures);
    }
    return undefined;
  }

  /** The new blog that was written in last, here or elsewhere, and that no other tab has. */
  async #begun(entries: readonly Entry[]): Promise<Found | undefined> {
    const { api } = this.#around;
    const begun = await api.unfinished().catch(() => undefined);
    const isBegun = (id: string) => !begun || begun.some((one) => one.id === id);
    // What was published or deleted meanwhile is no new blog any more.
    const kept = entries.filter((entry) => entry.isNew && (isUnbegun(entry) || isBegun(entry.blogId)));
    const candidates = [
      ...kept.map(({ blogId, changedAt }) => ({ id: blogId, changedAt })),
      ...(begun ?? []).map(({ id, changedAt }) => ({ id, changedAt: Date.parse(changedAt) })),
    ].toSorted((one, other) => other.changedAt - one.changedAt);
    for (const id of new Set(candidates.map((one) => one.id))) {
      const probe = this.#holds();
      if (!(await probe.take(blogName(id)))) continue;
      probe.release();
      try {
        const found = await this.takeUp(id, true, kept);
        return { ...found, others: (begun ?? []).filter((one) => one.id !== id) };
      } catch (error) {
        if (isUnanswered(error)) throw error;
      }
    }
    return undefined;
  }

  /** What was shared is a new blog under the name it has got, however often it is taken up. */
  async #shared(waiting: Waiting, entries: readonly Entry[]): Promise<Found> {
    const { blogId } = waiting;
    const known = await this.#around.api.unfinished().catch(() => []);
    const begun =
      (await this.#kept(blogId, entries)) ??
      (known.some(({ id }) => id === blogId) ? await this.opened(blogId, true) : undefined);
    if (!begun || this.isBlank(begun)) return { ...(begun ?? (await this.fresh(blogId))), waiting };
    await this.#around.store.removeWaiting(this.#account, blogId).catch(() => undefined);
    return begun;
  }

  /** Whether nothing is written in it. */
  isBlank({ work }: Found): boolean {
    const { document, at, fields, cover, file } = work;
    const written = { ...fields, ...at.underway?.fields, ...at.fields };
    const text = this.#code.headless(document, at).state().doc.toJSON() as NodeJson;
    return file === null && isBlank({ ...shownAs(written, cover, work), document: text });
  }

  async #waitingFor(blog: FormBlog): Promise<Waiting | null> {
    const all = await this.#around.store.waiting(this.#account).catch((): Waiting[] => []);
    return all.find(({ blogId, base }) => (blog ? blogId === blog.id : base === null)) ?? null;
  }
}

const foundOf = (work: Work, holds: Holds, lost: readonly string[] = []): Found => ({
  work,
  holds,
  lost,
  waiting: null,
  others: [],
});

/** A page's own place in a history of commits. */
async function position(holds: Holds, epoch: string, seq: number): Promise<Unconfirmed> {
  const client = newId();
  await holds.take(client);
  return { epoch, seq, client, number: 1, steps: [], fields: {}, underway: null };
}

/** Where what waits was written on something else than stands now, the writer chooses between both, as where a history ends. */
function onItsBase({ work }: Found, { base }: Waiting, blog: NonNullable<FormBlog>): Work {
  const isOnIt = base === blog.version && work.at.seq === work.since;
  return isOnIt ? work : { ...work, at: { ...work.at, epoch: "" } };
}
