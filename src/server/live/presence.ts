import type { Commenter, LiveMessage, PresenceEvent } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { rightsTopic } from "./signals.ts";

/** A topic whose current state is sent when a stream joins and after each change, and which is never stored. */
export interface EphemeralTopic {
  /**
   * Calls `onChange` after each change, until the returned function is called: with `isBarred` where the viewer lost access
   * to the topic.
   */
  join(onChange: () => void): (isBarred?: boolean) => void;
  /** Returns the current state, the same object for everybody; undefined where there is none. */
  current(): LiveMessage | undefined;
}

/** Who a reader is counted as: a member once, however many pages they have open; a guest by the key of the page. */
export interface Reader {
  key: string;
  /** The network address that a guest's page counts for, which has a limit. */
  from?: string;
}

interface Reading {
  from: string | undefined;
  since: number;
  /** The number of open pages, and when the last of them was closed. */
  pages: number;
  lastClosedAt: number;
}
interface Replying {
  person: Commenter;
  until: number;
  stop: () => void;
}
interface Room {
  reading: Map<string, Reading>;
  replying: Map<string, Replying>;
  listeners: Set<() => void>;
  message: LiveMessage;
  publishedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends. */
  dueAt: number;
}

/** Times in milliseconds. */
const times = {
  /** A page counts after it was open for so long, */
  settle: 5_000,
  /** and until so long after it was closed: it may be reloading. */
  linger: 4_000,
  /** A person counts as replying until so long after their page last said so. */
  reply: 10_000,
  /** The least time between two messages about a blog: longer by `each` for every listener. */
  pause: 1_500,
  each: 2,
  pauseMost: 10_000,
};
type Times = typeof times;

/** The number of guests' pages that count at one blog from one network address. */
export const guestsPerAddress = 20;
/** The number of people who are named as replying. */
const maxNamed = 5;

/** Knows who is at each blog: how many read it, and who is replying. It is kept in memory alone. */
export class Presence {
  readonly #bus: Bus;
  readonly #times: Times;
  readonly #rooms = new Map<string, Room>();
  /** The number of visible pages of each member. */
  readonly #active = new Map<string, number>();

  /** `others`: times for tests. */
  constructor(bus: Bus, others: Partial<Times> = {}) {
    this.#bus = bus;
    this.#times = { ...times, ...others };
  }

  /** Returns the topic of who is at a blog. */
  topicOf(blogId: string): EphemeralTopic {
    return {
      join: (onChange) => {
        const { listeners } = this.#room(blogId);
        listeners.add(onChange);
        return () => {
          listeners.delete(onChange);
          this.#schedulePublish(blogId, 0);
        };
      },
      current: () => this.#room(blogId).message,
    };
  }

  /** Returns a topic that counts a reader of a blog while it is joined. It sends nothing. */
  joinReaders(blogId: string, { key, from }: Reader): EphemeralTopic {
    const join = () => {
      const { reading } = this.#room(blogId);
      const page = reading.get(key) ?? { from, since: performance.now(), pages: 0, lastClosedAt: 0 };
      reading.set(key, page);
      page.pages++;
      this.#schedulePublish(blogId, this.#times.settle);
      return () => {
        page.pages--;
        page.lastClosedAt = performance.now();
        this.#schedulePublish(blogId, this.#times.linger);
      };
    };
    return { join, current: () => undefined };
  }

  /** Returns a topic that marks a member as active while it is joined. It sends nothing, to nobody. */
  markActive(userId: string): EphemeralTopic {
    const join = () => {
      this.#active.set(userId, (this.#active.get(userId) ?? 0) + 1);
      return () => {
        const remaining = (this.#active.get(userId) ?? 0) - 1;
        if (remaining > 0) this.#active.set(userId, remaining);
        else this.#active.delete(userId);
      };
    };
    return { join, current: () => undefined };
  }

  /** Returns whether the member has a visible page of the site. */
  isActive(userId: string): boolean {
    return this.#active.has(userId);
  }

  /** Shows a person as replying for a while; ends it at once when what they can read or show changes. */
  startReplying(blogId: string, person: Commenter): void {
    const { replying } = this.#room(blogId);
    const until = performance.now() + this.#times.reply;
    const current = replying.get(person.id);
    const stopReplying = () => this.stopReplying(blogId, person.id);
    const stop = current?.stop ?? this.#bus.listen(rightsTopic(person.id), stopReplying);
    replying.set(person.id, { person, until, stop });
    this.#schedulePublish(blogId, 0);
  }

  stopReplying(blogId: string, personId: string): void {
    const replying = this.#rooms.get(blogId)?.replying;
    replying?.get(personId)?.stop();
    if (replying?.delete(personId)) this.#schedulePublish(blogId, 0);
  }

  /** The number of blogs with somebody there, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  #room(blogId: string): Room {
    let room = this.#rooms.get(blogId);
    if (!room) {
      const message = presenceMessage(blogId, 0, []);
      const [reading, replying, listeners] = [new Map(), new Map(), new Set<() => void>()];
      room = {
        reading,
        replying,
        listeners,
        message,
        publishedAt: -Infinity,
        timer: undefined,
        dueAt: Infinity,
      };
      this.#rooms.set(blogId, room);
      this.#schedulePublish(blogId, 0);
    }
    return room;
  }

  /** Publishes in `ms` milliseconds, or when the pause after the last message is over. */
  #schedulePublish(blogId: string, ms: number): void {
    const room = this.#rooms.get(blogId);
    if (!room) return;
    const { pause, each: perListener, pauseMost } = this.#times;
    const paused = Math.min(Math.max(pause, perListener * room.listeners.size), pauseMost);
    const now = performance.now();
    const at = Math.max(now + ms, room.publishedAt + paused);
    if (room.dueAt <= at) return;
    clearTimeout(room.timer);
    room.dueAt = at;
    room.timer = setTimeout(() => this.#publish(blogId, room), at - now).unref();
  }

  #publish(blogId: string, room: Room): void {
    room.dueAt = Infinity;
    const now = performance.now();
    const [total, next] = this.#count(room, now);
    const replying = [...room.replying.values()].flatMap((entry) =>
      entry.until > now ? [entry.person] : [],
    );
    for (const { person, until } of room.replying.values())
      if (until <= now) this.stopReplying(blogId, person.id);
    const message = presenceMessage(blogId, total, replying);
    if (JSON.stringify(message) !== JSON.stringify(room.message)) {
      room.message = message;
      room.publishedAt = now;
      for (const onChange of room.listeners) onChange();
    }
    if (room.reading.size + room.replying.size + room.listeners.size === 0) {
      clearTimeout(room.timer);
      this.#rooms.delete(blogId);
      return;
    }
    const untils = [...room.replying.values()].map(({ until }) => until);
    const due = Math.min(next, ...untils);
    if (due < Infinity) this.#schedulePublish(blogId, due - now);
  }

  /** Counts the readers, and returns when that number may change by itself. Readers who have just come do not count yet. */
  #count({ reading }: Room, now: number): [total: number, next: number] {
    const { settle, linger } = this.#times;
    const byAddress = new Map<string, number>();
    let total = 0;
    let next = Infinity;
    for (const [key, { from, since, pages, lastClosedAt }] of reading) {
      const isOpen = pages > 0;
      if (!isOpen && lastClosedAt + linger <= now) {
        reading.delete(key);
        continue;
      }
      if (!isOpen) next = Math.min(next, lastClosedAt + linger);
      const isCounted = (isOpen ? now : lastClosedAt) - since >= settle;
      if (isOpen && !isCounted) next = Math.min(next, since + settle);
      const sameAddress = from === undefined ? 0 : (byAddress.get(from) ?? 0);
      if (!isCounted || sameAddress >= guestsPerAddress) continue;
      if (from !== undefined) byAddress.set(from, sameAddress + 1);
      total++;
    }
    return [total, next];
  }
}

/** Returns the message without people who are hidden from its reader. */
export function withoutRepliers(message: LiveMessage, isHidden: (id: string) => boolean): LiveMessage {
  if (message.event.kind !== "presence") return message;
  const replying = message.event.replying.filter(({ id }) => !isHidden(id));
  const hiddenCount = message.event.replying.length - replying.length;
  if (hiddenCount === 0) return message;
  const replyingCount = message.event.replyingCount - hiddenCount;
  return { ...message, event: { ...message.event, replying, replyingCount } };
}

/** Rounds large numbers of readers down to two digits: a message for each reader who comes or goes would be too many. */
function presenceMessage(blogId: string, total: number, replying: Commenter[]): LiveMessage {
  const step = 10 ** Math.max(0, String(total).length - 2);
  const event: PresenceEvent = {
    kind: "presence",
    reading: total - (total % step),
    replying: replying.slice(0, maxNamed),
    replyingCount: replying.length,
  };
  return { topic: `presence:${blogId}`, event };
}
