import type { Action } from "./actions.ts";
import { initialData, type Act, type PersonIndex } from "./generator.ts";

interface Secret {
  blog: number;
  entry: number | null;
  /** Who may read it beside the blog's authors: in a private blog, who may follow them. */
  followers: ReadonlySet<number>;
}

/** Whether a blog or an entry is surely closed to readers, and how many acts about that began, and are not over. */
interface Lock {
  begun: number;
  underway: number;
  closed: "private" | "draft" | "withdrawn" | null;
  /** It opens by itself at some moment. */
  isPlanned: boolean;
}

const opening = [
  "publish",
  "visibility",
  "publish the draft",
  "publish later",
  "save as a draft",
  "delete blog",
];

/**
 * The words of entries that not everybody may read: of a withdrawn one, and of a blog that is private or a draft. A word is kept
 * from when it is written in what is surely closed, until something begins that may open it.
 */
export class SecretEntries {
  readonly #secrets = new Map<string, Secret>();
  readonly #locks = new Map<string, Lock>();
  /** The authors of each blog, and who ever was one. */
  readonly #authors: ReadonlyMap<number, ReadonlySet<number>>;
  /** For each person, who may follow them at any time. */
  readonly #followers = new Map<number, Set<number>>();

  constructor(acts: readonly Act[], authors: ReadonlyMap<number, ReadonlySet<number>>) {
    this.#authors = authors;
    const follow = (by: number, person: number): void => {
      this.#followers.set(person, (this.#followers.get(person) ?? new Set()).add(by));
    };
    for (const [by, person] of initialData.follows) follow(by, person);
    for (const act of acts) if (act.kind === "follow") follow(act.by, act.person);
  }

  /** Notes what an action may open and what it writes. Returns a function for when it is over. */
  begin(act: Action & { blog: number }): (outcome: string) => void {
    if (!opening.includes(act.kind) && act.kind !== "withdraw entry") {
      if ("value" in act && this.#authors.get(act.blog)?.has(act.by)) this.#write(act);
      return () => undefined;
    }
    const entry = act.kind === "withdraw entry" ? act.entry : null;
    const lock = this.#lockOf(act.blog, entry);
    for (const [word, secret] of this.#secrets)
      if (secret.blog === act.blog && (entry === null || secret.entry === entry)) this.#secrets.delete(word);
    lock.closed = null;
    lock.isPlanned ||= "seconds" in act;
    lock.underway++;
    const number = ++lock.begun;
    return (outcome) => {
      lock.underway--;
      if (outcome !== "done" || lock.underway > 0 || lock.begun !== number || lock.isPlanned) return;
      if (act.kind === "withdraw entry" && act.on) lock.closed = "withdrawn";
      if (act.kind === "visibility" && act.as !== "public") lock.closed = act.as;
    };
  }

  #lockOf(blog: number, entry: number | null): Lock {
    const key = `${blog} ${entry ?? ""}`;
    const lock = this.#locks.get(key) ?? { begun: 0, underway: 0, closed: null, isPlanned: false };
    this.#locks.set(key, lock);
    return lock;
  }

  #write(act: Action & { blog: number; value: string }): void {
    if (act.kind !== "post entry" && act.kind !== "edit entry" && act.kind !== "summary") return;
    const entry = act.kind === "summary" ? null : act.entry;
    const ofBlog = this.#lockOf(act.blog, null).closed;
    const isWithdrawn = act.kind === "edit entry" && this.#lockOf(act.blog, act.entry).closed !== null;
    if (ofBlog === null && !isWithdrawn) return;
    const isForFollowers = ofBlog !== "draft" && !isWithdrawn;
    const authors = isForFollowers ? [...(this.#authors.get(act.blog) ?? [])] : [];
    const followers = authors.flatMap((author) => [...(this.#followers.get(author) ?? [])]);
    this.#secrets.set(act.value, { blog: act.blog, entry, followers: new Set(followers) });
  }

  /** Returns the blog of a word that this person must not get. */
  secretBlog(word: string, who: PersonIndex): number | undefined {
    const secret = this.#secrets.get(word);
    const mayRead = (person: number): boolean =>
      secret!.followers.has(person) || this.#authors.get(secret!.blog)!.has(person);
    return secret && (who === null || !mayRead(who)) ? secret.blog : undefined;
  }
}
