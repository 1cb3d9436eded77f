import type { LiveMessage, WritersEvent } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { maxWriters, type Caret } from "../../shared/drafts.ts";
import type { Bus } from "./bus.ts";
import { Rooms, silentTopic, type EphemeralTopic } from "./ephemeral-topics.ts";
import type { OtherServers, SharedRooms } from "./other-servers.ts";
import { peopleTopic } from "./signals.ts";

/** A page that has a text open, as all servers know it. */
interface SharedPage {
  client: string;
  userId: string;
  /** Its place among the writers, from 0 on; null while there is none free and it only reads. */
  place: number | null;
  /** A number that grows with each page: a page that sees a new number sends its caret again. */
  arrived: number;
  caret: Caret | null;
  /** When it last did something, in milliseconds. */
  active: number;
  isLeaving: boolean;
}
/** One of this server. */
interface Page extends SharedPage {
  /** The number of its streams; it is removed a while after the last of them ended. */
  streams: number;
  leaving: ReturnType<typeof setTimeout> | undefined;
}
/** A caret that another server was sent for a page. */
interface MovedCaret {
  page: string;
  caret: Caret;
}
interface DraftRoom {
  pages: Map<string, Page>;
  /** Undefined if the account is gone. */
  people: Map<string, Person | undefined>;
  /** Whether `people` has to be read again, and whether that is under way. */
  isStale: boolean;
  isReading: boolean;
}

/** Milliseconds: how long a closed page keeps its place, as it may be reloading; the time between two messages about a text. */
const times = { linger: 4_000, pause: 100 };
type Times = typeof times;

/** The number of pages of one person that are known at one text: others only read, and are not shown. */
export const maxPagesPerWriter = 2 * maxWriters;

const keyOf = ({ userId, client }: Pick<SharedPage, "userId" | "client">): string => `${userId} ${client}`;

/**
 * Knows who has a text open, and where their carets are (docs/decisions/0021-co-authors-and-carets.md). It is kept in the
 * memory of the servers alone. Few pages write at once; a person's second page takes no place that another person needs. Each server gives
 * places to its own pages. Where two have given the same one, both see which page keeps it.
 */
export class DraftPresence {
  readonly #personOf: (id: string) => Promise<Person | undefined>;
  readonly #times: Times;
  readonly #onEmpty: (blogId: string) => void;
  readonly #rooms: Rooms<DraftRoom>;
  readonly #shared: SharedRooms<SharedPage, MovedCaret>;
  #lastArrival = 0;

  /** `others`: times for tests. `onEmpty` is called once the last page of a text has left. */
  constructor(
    bus: Bus,
    servers: OtherServers,
    personOf: (id: string) => Promise<Person | undefined>,
    others: Partial<Times> = {},
    onEmpty: (blogId: string) => void = () => undefined,
  ) {
    this.#personOf = personOf;
    this.#times = { ...times, ...others };
    this.#onEmpty = onEmpty;
    this.#rooms = new Rooms<DraftRoom>({
      create: () => ({ pages: new Map(), people: new Map(), isStale: false, isReading: false }),
      describe: (blogId, room) => this.#describe(blogId, room),
      isEmpty: ({ pages }) => pages.size === 0,
      pause: () => this.#times.pause,
    });
    this.#shared = servers.open("draft", {
      onChange: (blogId) => this.#rooms.publish(blogId),
      onMessage: (blogId, { page, caret }: MovedCaret) => this.#setCaret(blogId, page, caret),
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

  /** Moves the caret of a page of any server. Returns false where the page is not known. */
  moveCaret(blogId: string, userId: string, client: string, caret: Caret): boolean {
    const page = keyOf({ userId, client });
    if (this.#setCaret(blogId, page, caret)) return true;
    const isElsewhere = this.#shared.others(blogId).some((other) => keyOf(other) === page);
    if (isElsewhere) this.#shared.send(blogId, { page, caret });
    return isElsewhere;
  }

  #setCaret(blogId: string, key: string, caret: Caret): boolean {
    const page = this.#rooms.get(blogId)?.pages.get(key);
    if (!page || page.streams === 0) return false;
    page.active = Date.now();
    // The caret of a page that only reads is not shown.
    if (page.place === null) return true;
    page.caret = caret;
    this.#rooms.publish(blogId);
    return true;
  }

  /** Returns whether a page's changes are accepted: it has a place, or one is free. */
  mayWrite(blogId: string, userId: string, client: string): boolean {
    const key = keyOf({ userId, client });
    const pages = this.#pagesOf(blogId);
    const page = pages.find((one) => keyOf(one) === key);
    if (page) page.active = Date.now();
    return page ? page.place !== null : withPlace(pages).length < maxWriters;
  }

  /**
   * Returns the pages of all servers that have a text open, in the order in which they came. One that has just moved to another server
   * is there.
   */
  #pagesOf(blogId: string): SharedPage[] {
    const own = this.#rooms.get(blogId)?.pages.values() ?? [];
    // Those of others are theirs to change.
    const others = this.#shared.others(blogId).map((page) => ({ ...page }));
    const pages = [...own, ...others].toSorted(byArrival);
    return [...new Map(pages.map((page) => [keyOf(page), page])).values()];
  }

  #describe(blogId: string, room: DraftRoom): { message: LiveMessage } {
    const others = this.#shared.others(blogId);
    if (others.length > 0) this.#yieldPlaces(blogId, room);
    if (others.some(({ userId }) => !room.people.has(userId))) room.isStale = true;
    if (room.isStale && !room.isReading) void this.#readPeople(blogId, room);
    const shared = [...room.pages].map(
      ([key, { streams: _streams, leaving: _leaving, ...page }]) => [key, page] as const,
    );
    this.#shared.share(blogId, shared);
    return { message: writersMessage(blogId, this.#pagesOf(blogId), room.people) };
  }

  /** The number of texts that are open, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  #join(blogId: string, userId: string, client: string): (isBarred?: boolean) => void {
    const room = this.#rooms.open(blogId);
    const key = keyOf({ userId, client });
    let existing = room.pages.get(key);
    if (!existing) {
      const pages = this.#pagesOf(blogId);
      const { place = null, caret = null } = pages.find((other) => keyOf(other) === key) ?? {};
      const ownPages = pages.filter((other) => other.userId === userId && keyOf(other) !== key);
      if (ownPages.length >= maxPagesPerWriter) return () => this.#rooms.publish(blogId);
      const active = Date.now();
      const arrived = (this.#lastArrival = Math.max(active, this.#lastArrival + 1));
      existing = {
        client,
        userId,
        place,
        arrived,
        caret,
        active,
        isLeaving: false,
        streams: 0,
        leaving: undefined,
      };
      room.pages.set(key, existing);
      if (!room.people.has(userId)) room.isStale = true;
      this.#assignPlaces(blogId, room);
    }
    const page = existing;
    clearTimeout(page.leaving);
    page.streams++;
    page.isLeaving = false;
    this.#rooms.publish(blogId);
    const remove = () => {
      room.pages.delete(key);
      this.#assignPlaces(blogId, room);
      this.#rooms.publish(blogId);
      if (this.#pagesOf(blogId).length === 0) this.#onEmpty(blogId);
    };
    return (isBarred = false) => {
      page.isLeaving = --page.streams === 0;
      if (!page.isLeaving) return;
      // A page whose viewer lost access is not reloading.
      if (isBarred) return remove();
      page.leaving = setTimeout(remove, this.#times.linger).unref();
      this.#rooms.publish(blogId);
    };
  }

  /** Gives free places to the pages that wait longest. A person without any place gets one from a person who has several. */
  #assignPlaces(blogId: string, room: DraftRoom): void {
    const pages = this.#pagesOf(blogId);
    for (const page of pages) {
      if (page.place !== null || room.pages.get(keyOf(page)) !== page) continue;
      const placed = withPlace(pages);
      const free = Array.from({ length: maxWriters }, (_none, at) => at).find(
        (at) => !placed.some(({ place }) => place === at),
      );
      if (free !== undefined) page.place = free;
      else if (placesOf(page.userId, placed) === 0) {
        const [longestIdle] = placed
          .filter(({ userId }) => placesOf(userId, placed) > 1)
          .toSorted((a, b) => placesOf(b.userId, placed) - placesOf(a.userId, placed) || a.active - b.active);
        if (!longestIdle) continue;
        page.place = longestIdle.place;
        // One of another server yields there.
        longestIdle.place = longestIdle.caret = null;
      }
    }
  }

  /** Takes its place from each page that has the same as one of another server, and less right to it. */
  #yieldPlaces(blogId: string, room: DraftRoom): void {
    const placed = withPlace(this.#pagesOf(blogId));
    for (const page of placed) {
      const isOwn = room.pages.get(keyOf(page)) === page;
      const mustYield = (other: SharedPage) =>
        other !== page && other.place === page.place && yieldsTo(page, other, placed);
      if (isOwn && placed.some(mustYield)) page.place = page.caret = null;
    }
    this.#assignPlaces(blogId, room);
  }

  /** Reads the names and pictures of those who are there, and publishes them. After a failure the next change tries again. */
  async #readPeople(blogId: string, room: DraftRoom): Promise<void> {
    room.isStale = false;
    room.isReading = true;
    const ids = [...new Set(this.#pagesOf(blogId).map(({ userId }) => userId))];
    try {
      const people = await Promise.all(ids.map(this.#personOf));
      room.people = new Map(ids.map((id, index) => [id, people[index]]));
      this.#rooms.publish(blogId);
    } catch {
      room.isStale = true;
    } finally {
      room.isReading = false;
    }
  }
}

const withPlace = (pages: SharedPage[]): SharedPage[] => pages.filter(({ place }) => place !== null);
const placesOf = (id: string, placed: SharedPage[]): number =>
  placed.filter(({ userId }) => userId === id).length;

/** Whether a page leaves its place to another: that of a person with fewer places, then that which came first. */
function yieldsTo(page: SharedPage, other: SharedPage, placed: SharedPage[]): boolean {
  const difference = placesOf(page.userId, placed) - placesOf(other.userId, placed);
  return (difference || byArrival(page, other)) > 0;
}

/** The same on all servers. */
const byArrival = (a: SharedPage, b: SharedPage): number =>
  a.arrived - b.arrived || (a.client < b.client ? -1 : 1);

function writersMessage(blogId: string, pages: SharedPage[], people: DraftRoom["people"]): LiveMessage {
  const event: WritersEvent = { kind: "writers", writers: [], waiting: [] };
  for (const { client, userId, place, arrived, caret, isLeaving } of pages) {
    const person = people.get(userId);
    if (place === null) event.waiting.push(client);
    else if (person)
      event.writers.push({ client, person, place, arrived, caret, ...(isLeaving && { isLeaving }) });
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
