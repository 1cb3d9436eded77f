import type { LiveMessage, WritersEvent } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { maxWriters, type Caret } from "../../shared/drafts.ts";
import type { Bus } from "./bus.ts";
import { Rooms, silentTopic, type EphemeralTopic } from "./ephemeral-topics.ts";
import { peopleTopic } from "./signals.ts";

/** A page that has a text open. */
interface Page {
  client: string;
  userId: string;
  /** Its place among the writers, from 0 on; null while there is none free and it only reads. */
  place: number | null;
  /** A number that grows with each page: a page that sees a new number sends its caret again. */
  arrived: number;
  caret: Caret | null;
  /** When it last did something, by the clock of `performance`. */
  active: number;
  /** The number of its streams; it is removed a while after the last of them ended. */
  streams: number;
  leaving: ReturnType<typeof setTimeout> | undefined;
}
interface DraftRoom {
  /** In the order in which they came. */
  pages: Map<string, Page>;
  people: Map<string, Person>;
  /** Whether `people` has to be read again, and whether that is under way. */
  isStale: boolean;
  isReading: boolean;
}

/** Milliseconds: how long a closed page keeps its place, as it may be reloading; the time between two messages about a text. */
const times = { linger: 4_000, pause: 100 };
type Times = typeof times;

/** The number of pages of one person that are known at one text: others only read, and are not shown. */
export const maxPagesPerWriter = 2 * maxWriters;

const keyOf = (userId: string, client: string): string => `${userId} ${client}`;

/**
 * Knows who has a text open, and where their carets are (docs/decisions/0021-co-authors-and-carets.md). It is kept in memory
 * alone. Few pages write at once; a person's second page takes no place that another person needs.
 */
export class DraftPresence {
  readonly #personOf: (id: string) => Promise<Person | undefined>;
  readonly #times: Times;
  readonly #onEmpty: (blogId: string) => void;
  readonly #rooms: Rooms<DraftRoom>;
  #arrivals = 0;

  /** `others`: times for tests. `onEmpty` is called once the last page of a text has left. */
  constructor(
    bus: Bus,
    personOf: (id: string) => Promise<Person | undefined>,
    others: Partial<Times> = {},
    onEmpty: (blogId: string) => void = () => undefined,
  ) {
    this.#personOf = personOf;
    this.#times = { ...times, ...others };
    this.#onEmpty = onEmpty;
    this.#rooms = new Rooms<DraftRoom>({
      create: () => ({ pages: new Map(), people: new Map(), isStale: false, isReading: false }),
      describe: (blogId, room) => {
        if (room.isStale && !room.isReading) void this.#readPeople(blogId, room);
        return { message: writersMessage(blogId, room.pages, room.people) };
      },
      isEmpty: ({ pages }) => pages.size === 0,
      pause: () => this.#times.pause,
    });
    bus.listen(peopleTopic, () => this.#rooms.changeAll((room) => (room.isStale = true)));
  }

  /** Returns the topic of who writes a text. */
  topicOf(blogId: string): EphemeralTopic {
    return this.#rooms.topicOf(blogId);
  }

  /** Returns a topic that adds a page to those that have the text open, while it is joined. It sends nothing. */
  joinWriters(blogId: string, userId: string, client: string): EphemeralTopic {
    return silentTopic(() => this.#join(blogId, userId, client));
  }

  /** Moves the caret of a page. Returns false where the page is not known. */
  moveCaret(blogId: string, userId: string, client: string, caret: Caret): boolean {
    const page = this.#rooms.get(blogId)?.pages.get(keyOf(userId, client));
    if (!page || page.streams === 0) return false;
    page.active = performance.now();
    // The caret of a page that only reads is not shown.
    if (page.place === null) return true;
    page.caret = caret;
    this.#rooms.publish(blogId);
    return true;
  }

  /** Returns whether a page's changes are accepted: it has a place, or one is free. */
  mayWrite(blogId: string, userId: string, client: string): boolean {
    const pages = this.#rooms.get(blogId)?.pages;
    if (!pages) return true;
    const page = pages.get(keyOf(userId, client));
    if (page) page.active = performance.now();
    return page ? page.place !== null : pagesWithPlace(pages).length < maxWriters;
  }

  /** The number of texts that are open, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  #join(blogId: string, userId: string, client: string): (isBarred?: boolean) => void {
    const room = this.#rooms.open(blogId);
    const key = keyOf(userId, client);
    let existing = room.pages.get(key);
    if (!existing) {
      const ownPages = [...room.pages.values()].filter((other) => other.userId === userId);
      if (ownPages.length >= maxPagesPerWriter) return () => this.#rooms.publish(blogId);
      const [arrived, active] = [++this.#arrivals, performance.now()];
      const unplaced = { place: null, caret: null, streams: 0, leaving: undefined };
      existing = { client, userId, arrived, active, ...unplaced };
      room.pages.set(key, existing);
      if (!room.people.has(userId)) room.isStale = true;
      this.#assignPlaces(room);
    }
    const page = existing;
    clearTimeout(page.leaving);
    page.streams++;
    this.#rooms.publish(blogId);
    const remove = () => {
      room.pages.delete(key);
      this.#assignPlaces(room);
      this.#rooms.publish(blogId);
      if (room.pages.size === 0) this.#onEmpty(blogId);
    };
    return (isBarred = false) => {
      if (--page.streams > 0) return;
      // A page whose viewer lost access is not reloading.
      if (isBarred) return remove();
      page.leaving = setTimeout(remove, this.#times.linger).unref();
      this.#rooms.publish(blogId);
    };
  }

  /** Gives free places to the pages that wait longest. A person without any place gets one from a person who has several. */
  #assignPlaces({ pages }: DraftRoom): void {
    for (const page of pages.values()) {
      if (page.place !== null) continue;
      const placedPages = pagesWithPlace(pages);
      const free = Array.from({ length: maxWriters }, (_none, at) => at).find(
        (at) => !placedPages.some(({ place }) => place === at),
      );
      const placesOf = (userId: string) => placedPages.filter((other) => other.userId === userId).length;
      if (free !== undefined) page.place = free;
      else if (placesOf(page.userId) === 0) {
        const [longestIdle] = placedPages
          .filter(({ userId }) => placesOf(userId) > 1)
          .toSorted((a, b) => placesOf(b.userId) - placesOf(a.userId) || a.active - b.active);
        if (!longestIdle) continue;
        page.place = longestIdle.place;
        longestIdle.place = longestIdle.caret = null;
      }
    }
  }

  /** Reads the names and pictures of those who are there, and publishes them. After a failure the next change tries again. */
  async #readPeople(blogId: string, room: DraftRoom): Promise<void> {
    room.isStale = false;
    room.isReading = true;
    const ids = [...new Set([...room.pages.values()].map(({ userId }) => userId))];
    try {
      const people = await Promise.all(ids.map(this.#personOf));
      room.people = new Map(people.flatMap((person) => (person ? [[person.id, person]] : [])));
      this.#rooms.publish(blogId);
    } catch {
      room.isStale = true;
    } finally {
      room.isReading = false;
    }
  }
}

const pagesWithPlace = (pages: Map<string, Page>): Page[] =>
  [...pages.values()].filter(({ place }) => place !== null);

function writersMessage(blogId: string, pages: Map<string, Page>, people: Map<string, Person>): LiveMessage {
  const event: WritersEvent = { kind: "writers", writers: [], waiting: [] };
  for (const { client, userId, place, arrived, caret, streams } of pages.values()) {
    const person = people.get(userId);
    if (place === null) event.waiting.push(client);
    else if (person)
      event.writers.push({
        client,
        person,
        place,
        arrived,
        caret,
        ...(streams === 0 && { isLeaving: true }),
      });
  }
  return { topic: `draft:${blogId}`, event };
}

/** Returns the message without people who are hidden from its reader. */
export function withoutWriters(message: LiveMessage, isHidden: (id: string) => boolean): LiveMessage {
  if (message.event.kind !== "writers" || !message.event.writers.some(({ person }) => isHidden(person.id)))
    return message;
  const writers = message.event.writers.filter(({ person }) => !isHidden(person.id));
  return { ...message, event: { ...message.event, writers } };
}
