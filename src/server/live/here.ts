import type { HereEvent, Told } from "../../shared/live.ts";
import type { Person } from "../../shared/users.ts";
import { writersAtOnce, type Caret } from "../../shared/writing.ts";
import type { Bus } from "./bus.ts";
import { peopleTopic } from "./facts.ts";
import type { Moment } from "./presence.ts";

/** A page that has a text open. */
interface Page {
  client: string;
  userId: string;
  /** Which of the few who write it is, from 0 on; null while it reads along until there is room. */
  place: number | null;
  /** Counts those who came: who sees a new one says anew where it is. */
  arrived: number;
  caret: Caret | null;
  /** When it last did something, by the clock of `performance`. */
  active: number;
  /** Its streams; it is forgotten a while after the last of them. */
  streams: number;
  leaving: ReturnType<typeof setTimeout> | undefined;
}
interface Room {
  /** In the order in which they came. */
  pages: Map<string, Page>;
  listeners: Set<() => void>;
  people: Map<string, Person>;
  /** Those people are to be asked about, again or for the first time. */
  isStale: boolean;
  told: Told;
  look: ReturnType<typeof setTimeout> | undefined;
  leave: () => void;
}

/** Milliseconds: so long a page that was left keeps its place, as it may be on its way back; so often it is told who is where. */
const times = { linger: 4_000, pause: 100 };
type Times = typeof times;

/** Of one person so many pages are known at one text: beyond that they read along unseen. */
export const pagesOfOne = 2 * writersAtOnce;

const keyOf = (userId: string, client: string): string => `${userId} ${client}`;

/**
 * Who has a text open, and where in it their carets are (docs/decisions/0046). In memory alone, told as it stands to those who
 * follow the text, and gone with the pages. A few may write at once; nobody is kept out by another's second page.
 */
export class Here {
  readonly #bus: Bus;
  readonly #personOf: (id: string) => Promise<Person | undefined>;
  readonly #times: Times;
  readonly #rooms = new Map<string, Room>();
  #arrivals = 0;

  /** `others`: times for tests. */
  constructor(bus: Bus, personOf: (id: string) => Promise<Person | undefined>, others: Partial<Times> = {}) {
    this.#bus = bus;
    this.#personOf = personOf;
    this.#times = { ...times, ...others };
  }

  /** What is told of a text to those who follow it. */
  of(blogId: string): Moment {
    return {
      join: (stir) => {
        const { listeners } = this.#room(blogId);
        listeners.add(stir);
        return () => {
          listeners.delete(stir);
          this.#soon(blogId);
        };
      },
      now: () => this.#rooms.get(blogId)?.told,
    };
  }

  /** Somebody has the text open in a page, for as long as it is joined. It tells nothing by itself. */
  pageOf(blogId: string, userId: string, client: string): Moment {
    return { join: () => this.#come(blogId, userId, client), now: () => undefined };
  }

  /** A page says where its caret is. False where the page is not known to be there. */
  move(blogId: string, userId: string, client: string, caret: Caret): boolean {
    const page = this.#rooms.get(blogId)?.pages.get(keyOf(userId, client));
    if (!page || page.streams === 0) return false;
    page.active = performance.now();
    // Who reads along has no place to be seen at.
    if (page.place === null) return true;
    page.caret = caret;
    this.#soon(blogId);
    return true;
  }

  /** Whether what this page has written is taken now: it has a place, or there is one. */
  mayWrite(blogId: string, userId: string, client: string): boolean {
    const pages = this.#rooms.get(blogId)?.pages;
    if (!pages) return true;
    const page = pages.get(keyOf(userId, client));
    if (page) page.active = performance.now();
    return page ? page.place !== null : placed(pages).length < writersAtOnce;
  }

  /** How many texts are looked after, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  #room(blogId: string): Room {
    let room = this.#rooms.get(blogId);
    if (!room) {
      const leave = this.#bus.listen(peopleTopic, () => {
        room!.isStale = true;
        this.#soon(blogId);
      });
      const [pages, listeners, people] = [new Map(), new Set<() => void>(), new Map()];
      const told = telling(blogId, pages, people);
      room = { pages, listeners, people, isStale: false, told, look: undefined, leave };
      this.#rooms.set(blogId, room);
    }
    return room;
  }

  #come(blogId: string, userId: string, client: string): (isBarred?: boolean) => void {
    const room = this.#room(blogId);
    const key = keyOf(userId, client);
    let page = room.pages.get(key);
    if (!page) {
      const own = [...room.pages.values()].filter((other) => other.userId === userId);
      if (own.length >= pagesOfOne) return () => this.#soon(blogId);
      const [arrived, active] = [++this.#arrivals, performance.now()];
      page = { client, userId, place: null, arrived, caret: null, active, streams: 0, leaving: undefined };
      room.pages.set(key, page);
      if (!room.people.has(userId)) room.isStale = true;
      this.#settle(room);
    }
    const here = page;
    clearTimeout(here.leaving);
    here.streams++;
    this.#soon(blogId);
    const forget = () => {
      room.pages.delete(key);
      this.#settle(room);
      this.#soon(blogId);
    };
    return (isBarred = false) => {
      if (--here.streams > 0) return;
      // Who may not be there any more is not on their way back.
      if (isBarred) forget();
      else here.leaving = setTimeout(forget, this.#times.linger).unref();
    };
  }

  /** Gives the places that are free to those who wait longest. Who has none at all gets one of whoever has several. */
  #settle({ pages }: Room): void {
    for (const page of pages.values()) {
      if (page.place !== null) continue;
      const taken = placed(pages);
      const free = Array.from({ length: writersAtOnce }, (_none, at) => at).find(
        (at) => !taken.some(({ place }) => place === at),
      );
      const of = (userId: string) => taken.filter((one) => one.userId === userId).length;
      if (free !== undefined) page.place = free;
      else if (of(page.userId) === 0) {
        const [longestSilent] = taken
          .filter(({ userId }) => of(userId) > 1)
          .toSorted((one, other) => of(other.userId) - of(one.userId) || one.active - other.active);
        if (!longestSilent) continue;
        page.place = longestSilent.place;
        longestSilent.place = longestSilent.caret = null;
      }
    }
  }

  /** What changes within a pause is told together. */
  #soon(blogId: string): void {
    const room = this.#rooms.get(blogId);
    if (!room || room.look) return;
    room.look = setTimeout(() => void this.#look(blogId, room), this.#times.pause).unref();
  }

  async #look(blogId: string, room: Room): Promise<void> {
    if (room.isStale) {
      room.isStale = false;
      const ids = [...new Set([...room.pages.values()].map(({ userId }) => userId))];
      try {
        const people = await Promise.all(ids.map(this.#personOf));
        room.people = new Map(people.flatMap((person) => (person ? [[person.id, person]] : [])));
      } catch {
        // Asked again with what changes next.
        room.isStale = true;
      }
    }
    room.look = undefined;
    if (room.pages.size + room.listeners.size === 0) {
      room.leave();
      if (this.#rooms.get(blogId) === room) this.#rooms.delete(blogId);
      return;
    }
    const told = telling(blogId, room.pages, room.people);
    if (JSON.stringify(told) === JSON.stringify(room.told)) return;
    room.told = told;
    for (const stir of room.listeners) stir();
  }
}

const placed = (pages: Map<string, Page>): Page[] =>
  [...pages.values()].filter(({ place }) => place !== null);

function telling(blogId: string, pages: Map<string, Page>, people: Map<string, Person>): Told {
  const event: HereEvent = { kind: "here", writers: [], waiting: [] };
  for (const { client, userId, place, arrived, caret } of pages.values()) {
    const person = people.get(userId);
    if (place === null) event.waiting.push(client);
    else if (person) event.writers.push({ client, person, place, arrived, caret });
  }
  return { topic: `writing:${blogId}`, event };
}

/** The same for somebody for whom some of those who write are not there. */
export function withoutWriters(told: Told, isHidden: (id: string) => boolean): Told {
  if (told.event.kind !== "here" || !told.event.writers.some(({ person }) => isHidden(person.id)))
    return told;
  const writers = told.event.writers.filter(({ person }) => !isHidden(person.id));
  return { ...told, event: { ...told.event, writers } };
}
