import { compareEntries } from "../../src/client/entries/apply-entry-event.ts";
import { entryLimits } from "../../src/shared/entries.ts";
import type { EntryList, EntryOrder, EntryPosition, ViewerEntry } from "../../src/shared/entries.ts";
import type { LiveEvent, TopicName } from "../../src/shared/live.ts";
import type { Person } from "../../src/shared/users.ts";
import { ana, atMinute, listedEntry } from "./live-queries.ts";

interface Stored {
  entry: ViewerEntry;
  isWithdrawn: boolean;
}

/** What the server stores of an event: entries are sent as they are when somebody gets it. */
type StoredEvent =
  | { kind: "entry.posted" | "entry.edited" | "entry.withdrawn" | "entry.liked"; entryId: string }
  | Extract<LiveEvent, { kind: "viewer.entryLike" | "person.changed" | "person.gone" }>;

export interface SentEvent {
  topic: TopicName;
  event: LiveEvent;
}

/** A small model of the server: the entries of the live blog `b` as Ana sees them, and the events of its pages. */
export class EntryModel {
  readonly events: StoredEvent[] = [];
  readonly #entries = new Map<string, Stored>();
  readonly #people = new Map<string, Person | null>([
    ["ana", ana],
    ["ben", { ...ana, id: "ben", username: "ben", name: "Ben" }],
  ]);
  #count = 0;
  #clock = 0;

  get cursor(): string {
    return `e.${this.events.length}`;
  }

  /** Times repeat, as in entries of one minute. */
  get now(): string {
    return atMinute(Math.floor(++this.#clock / 3));
  }

  newId(): string {
    return `e${String(++this.#count).padStart(4, "0")}`;
  }

  /** Posts an entry, a key moment by chance. A known id posts nothing. */
  post(author: string, chance: number, id = this.newId(), isKey = chance % 3 === 0): void {
    if (this.#entries.has(id)) return;
    const entry = listedEntry(id, { at: this.now, author: this.#people.get(author) ?? null, isKey });
    this.#entries.set(id, { entry, isWithdrawn: false });
    this.events.push({ kind: "entry.posted", entryId: id });
  }

  /** Changes an entry's words; by chance also its time, and whether it is a key moment. */
  edit(which: number | string, chance: number): void {
    this.#change(which, ({ entry }) => {
      const title = `${entry.id} edited ${++this.#clock}`;
      const moved = chance % 2 === 0 ? atMinute(chance % 40) : entry.at;
      const isKey = chance % 5 === 0 ? !entry.isKey : entry.isKey;
      const words = { title, headline: title, editedAt: atMinute(1_000 + this.#clock) };
      return { entry: { ...entry, ...words, at: moved, isKey } };
    });
    this.#publish("entry.edited", which);
  }

  withdraw(which: number | string, isWithdrawn: boolean): void {
    const stored = this.#pick(which);
    if (!stored || stored.isWithdrawn === isWithdrawn) return;
    stored.isWithdrawn = isWithdrawn;
    this.events.push({ kind: isWithdrawn ? "entry.withdrawn" : "entry.posted", entryId: stored.entry.id });
  }

  /** Others like an entry, or no longer. */
  like(which: number, by: number): void {
    this.#change(which, ({ entry }) => ({
      entry: { ...entry, likesCount: Math.max(entry.liked ? 1 : 0, entry.likesCount + by) },
    }));
    this.#publish("entry.liked", which);
  }

  /** Ana likes an entry, or no longer. A withdrawn one cannot be liked. */
  likeAsViewer(which: number | string, wanted?: boolean): void {
    const stored = this.#pick(which);
    if (!stored || stored.isWithdrawn) return;
    const { id: entryId, liked: before, likesCount } = stored.entry;
    const liked = wanted ?? !before;
    if (liked === before) return;
    stored.entry = { ...stored.entry, liked, likesCount: likesCount + (liked ? 1 : -1) };
    this.events.push({ kind: "entry.liked", entryId });
    this.events.push({ kind: "viewer.entryLike", entryId, blogId: "b", liked });
  }

  rename(id: string): void {
    const before = this.#people.get(id);
    if (!before) return;
    const person = { ...before, name: `${before.name}${++this.#clock}` };
    this.#people.set(id, person);
    this.#signAll(id, person);
    this.events.push({ kind: "person.changed", person });
  }

  deleteAccount(id: string): void {
    this.#people.set(id, null);
    this.#signAll(id, null);
    this.events.push({ kind: "person.gone", personId: id, jitterMs: 0 });
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Returns an entry as Ana sees it, also a withdrawn one. */
  entry(id: string): ViewerEntry {
    return this.#entries.get(id)!.entry;
  }

  /** Returns an event as the server sends it now; null if there is nothing to show any more. */
  sent(event: StoredEvent): SentEvent | null {
    if (event.kind === "viewer.entryLike") return { topic: "me", event };
    if (!("entryId" in event)) return { topic: "feed", event };
    const topic = "blog:b";
    const { kind, entryId } = event;
    const total = this.shown("oldest").length;
    if (kind === "entry.withdrawn") return { topic, event: { kind, entryId, total } };
    const { entry, isWithdrawn } = this.#entries.get(entryId)!;
    if (isWithdrawn) return null;
    const { liked: _, ...shared } = entry;
    if (kind === "entry.liked") return { topic, event: { kind, entryId, likesCount: entry.likesCount } };
    return { topic, event: { kind, entry: shared, total } };
  }

  /** Returns what readers see, in an order. */
  shown(order: EntryOrder): ViewerEntry[] {
    const oldest = [...this.#entries.values()]
      .flatMap(({ entry, isWithdrawn }) => (isWithdrawn ? [] : [entry]))
      .toSorted(compareEntries);
    return order === "oldest" ? oldest : oldest.toReversed();
  }

  page(order: EntryOrder, after: EntryPosition | null, size = 3): EntryList {
    const isAfter = (entry: EntryPosition) =>
      !after || (order === "oldest" ? compareEntries(entry, after) > 0 : compareEntries(entry, after) < 0);
    const left = this.shown(order).filter(isAfter);
    const entries = left.slice(0, size);
    const { at, id } = entries.at(-1) ?? { at: "", id: "" };
    const keys = this.shown("oldest")
      .filter(({ isKey }) => isKey)
      .slice(-entryLimits.keys)
      .map((entry) => ({ id: entry.id, at: entry.at, headline: entry.headline }));
    return {
      entries,
      more: left.length > size ? { at, id } : null,
      keys,
      total: this.shown(order).length,
      cursor: this.cursor,
    };
  }

  #pick(which: number | string): Stored | undefined {
    if (typeof which === "string") return this.#entries.get(which);
    return [...this.#entries.values()][which % Math.max(1, this.#entries.size)];
  }

  #change(which: number | string, change: (stored: Stored) => Partial<Stored>): void {
    const stored = this.#pick(which);
    if (stored) Object.assign(stored, change(stored));
  }

  /** A withdrawn entry changes without an event. */
  #publish(kind: "entry.edited" | "entry.liked", which: number | string): void {
    const stored = this.#pick(which);
    if (stored && !stored.isWithdrawn) this.events.push({ kind, entryId: stored.entry.id });
  }

  #signAll(id: string, author: Person | null): void {
    for (const stored of this.#entries.values())
      if (stored.entry.author?.id === id) stored.entry = { ...stored.entry, author };
  }
}
