import type { PresenceEvent, Told } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { rightsTopic } from "./facts.ts";

/** What is told as it stands, and never stored: whoever begins to follow it is told at once, and after each change. */
export interface Moment {
  /** Calls `stir` when it has changed, until the function that it returns is called: `isBarred` where it may be read no more. */
  join(stir: () => void): (isBarred?: boolean) => void;
  /** The same object for everybody. Undefined where there is nothing to tell. */
  now(): Told | undefined;
}

/** Whom a reader counts as: somebody with an account once, however many pages they have; a guest's page by its own key. */
export interface Reader {
  key: string;
  /** The address that a guest's page counts for: one has room for a few. */
  from?: string;
}

interface Reading {
  from: string | undefined;
  since: number;
  /** Pages that are open, and when the last of them was left. */
  pages: number;
  left: number;
}
interface Replying {
  person: { id: string; name: string };
  until: number;
  stop: () => void;
}
interface Room {
  reading: Map<string, Reading>;
  replying: Map<string, Replying>;
  listeners: Set<() => void>;
  told: Told;
  toldAt: number;
  look: ReturnType<typeof setTimeout> | undefined;
  lookAt: number;
}

/** Times in milliseconds, of one page or person: */
const times = {
  /** so long it is open before it counts, */
  settle: 5_000,
  /** so long it still counts when it is left: it may be on its way back, */
  linger: 4_000,
  /** and so long somebody is said to reply after their page has told it last. */
  reply: 10_000,
  /** It is told again after a pause, longer by `each` for everybody who hears it. */
  pause: 1_500,
  each: 2,
  pauseMost: 10_000,
};
type Times = typeof times;

/** So many pages of guests count at one blog from one address. */
export const guestsFromOne = 20;
/** Of those who reply at once, so many are named. */
const mostNamed = 5;

/** Who is at each blog: how many read it, and who replies there. In memory alone, and gone with whoever it is about. */
export class Presence {
  readonly #bus: Bus;
  readonly #times: Times;
  readonly #rooms = new Map<string, Room>();
  /** Pages that somebody looks at, by whose they are. */
  readonly #looking = new Map<string, number>();

  /** `others`: times for tests. */
  constructor(bus: Bus, others: Partial<Times> = {}) {
    this.#bus = bus;
    this.#times = { ...times, ...others };
  }

  /** What is told of a blog. */
  of(blogId: string): Moment {
    return {
      join: (stir) => {
        const { listeners } = this.#room(blogId);
        listeners.add(stir);
        return () => {
          listeners.delete(stir);
          this.#lookIn(blogId, 0);
        };
      },
      now: () => this.#room(blogId).told,
    };
  }

  /** Counts a reader of a blog, for as long as it is joined. It tells nothing by itself. */
  readingOf(blogId: string, { key, from }: Reader): Moment {
    const join = () => {
      const { reading } = this.#room(blogId);
      const reader = reading.get(key) ?? { from, since: performance.now(), pages: 0, left: 0 };
      reading.set(key, reader);
      reader.pages++;
      this.#lookIn(blogId, this.#times.settle);
      return () => {
        reader.pages--;
        reader.left = performance.now();
        this.#lookIn(blogId, this.#times.linger);
      };
    };
    return { join, now: () => undefined };
  }

  /** Somebody looks at a page of the site, for as long as it is joined. It tells nothing, and nobody else hears of it. */
  lookingOf(userId: string): Moment {
    const join = () => {
      this.#looking.set(userId, (this.#looking.get(userId) ?? 0) + 1);
      return () => {
        const left = (this.#looking.get(userId) ?? 0) - 1;
        if (left > 0) this.#looking.set(userId, left);
        else this.#looking.delete(userId);
      };
    };
    return { join, now: () => undefined };
  }

  isLooking(userId: string): boolean {
    return this.#looking.has(userId);
  }

  /** Somebody is writing a comment there. They are forgotten soon, and at once when what they may read or show changes. */
  reply(blogId: string, person: { id: string; name: string }): void {
    const { replying } = this.#room(blogId);
    const until = performance.now() + this.#times.reply;
    const known = replying.get(person.id);
    const forget = () => this.replied(blogId, person.id);
    const stop = known?.stop ?? this.#bus.listen(rightsTopic(person.id), forget);
    replying.set(person.id, { person, until, stop });
    this.#lookIn(blogId, 0);
  }

  /** They have sent it. */
  replied(blogId: string, personId: string): void {
    const replying = this.#rooms.get(blogId)?.replying;
    replying?.get(personId)?.stop();
    if (replying?.delete(personId)) this.#lookIn(blogId, 0);
  }

  /** How many blogs are looked after, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  #room(blogId: string): Room {
    let room = this.#rooms.get(blogId);
    if (!room) {
      const told = telling(blogId, 0, []);
      const [reading, replying, listeners] = [new Map(), new Map(), new Set<() => void>()];
      room = { reading, replying, listeners, told, toldAt: -Infinity, look: undefined, lookAt: Infinity };
      this.#rooms.set(blogId, room);
      this.#lookIn(blogId, 0);
    }
    return room;
  }

  /** Looks who is there in so many milliseconds, or when it may be told of again: a crowd hears of itself less often. */
  #lookIn(blogId: string, ms: number): void {
    const room = this.#rooms.get(blogId);
    if (!room) return;
    const { pause, each, pauseMost } = this.#times;
    const paused = Math.min(Math.max(pause, each * room.listeners.size), pauseMost);
    const now = performance.now();
    const at = Math.max(now + ms, room.toldAt + paused);
    if (room.lookAt <= at) return;
    clearTimeout(room.look);
    room.lookAt = at;
    room.look = setTimeout(() => this.#look(blogId, room), at - now).unref();
  }

  #look(blogId: string, room: Room): void {
    room.lookAt = Infinity;
    const now = performance.now();
    const [total, next] = this.#count(room, now);
    const replying = [...room.replying.values()].flatMap((one) => (one.until > now ? [one.person] : []));
    for (const { person, until } of room.replying.values()) if (until <= now) this.replied(blogId, person.id);
    const told = telling(blogId, total, replying);
    if (JSON.stringify(told) !== JSON.stringify(room.told)) {
      room.told = told;
      room.toldAt = now;
      for (const stir of room.listeners) stir();
    }
    if (room.reading.size + room.replying.size + room.listeners.size === 0) {
      clearTimeout(room.look);
      this.#rooms.delete(blogId);
      return;
    }
    const untils = [...room.replying.values()].map(({ until }) => until);
    const due = Math.min(next, ...untils);
    if (due < Infinity) this.#lookIn(blogId, due - now);
  }

  /** How many read it by now, and when that may change by itself. Whoever has just come or gone is not counted yet, or still. */
  #count({ reading }: Room, now: number): [total: number, next: number] {
    const { settle, linger } = this.#times;
    const fromThere = new Map<string, number>();
    let total = 0;
    let next = Infinity;
    for (const [key, { from, since, pages, left }] of reading) {
      const isThere = pages > 0;
      if (!isThere && left + linger <= now) {
        reading.delete(key);
        continue;
      }
      if (!isThere) next = Math.min(next, left + linger);
      const isSettled = (isThere ? now : left) - since >= settle;
      if (isThere && !isSettled) next = Math.min(next, since + settle);
      const others = from === undefined ? 0 : (fromThere.get(from) ?? 0);
      if (!isSettled || others >= guestsFromOne) continue;
      if (from !== undefined) fromThere.set(from, others + 1);
      total++;
    }
    return [total, next];
  }
}

/** The same for somebody for whom some of those who reply are not there. */
export function withoutThose(told: Told, isHidden: (id: string) => boolean): Told {
  if (told.event.kind !== "presence") return told;
  const replying = told.event.replying.filter(({ id }) => !isHidden(id));
  const fewer = told.event.replying.length - replying.length;
  if (fewer === 0) return told;
  return { ...told, event: { ...told.event, replying, replyingCount: told.event.replyingCount - fewer } };
}

/** Few are named, and of many readers two digits are said: else each who comes or goes would be told to all of them. */
function telling(blogId: string, total: number, replying: { id: string; name: string }[]): Told {
  const step = 10 ** Math.max(0, String(total).length - 2);
  const event: PresenceEvent = {
    kind: "presence",
    reading: total - (total % step),
    replying: replying.slice(0, mostNamed),
    replyingCount: replying.length,
  };
  return { topic: `presence:${blogId}`, event };
}
