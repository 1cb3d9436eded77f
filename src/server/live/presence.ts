import type { Commenter, LiveMessage, PresenceEvent } from "../../shared/live.ts";
import type { Bus } from "./bus.ts";
import { Rooms, silentTopic, type EphemeralTopic } from "./ephemeral-topics.ts";
import type { OtherServers, SharedRooms } from "./other-servers.ts";
import { rightsTopic } from "./signals.ts";

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
interface BlogRoom {
  reading: Map<string, Reading>;
  replying: Map<string, Replying>;
}
/** What a server knows of a blog. */
interface BlogPart {
  reading: number;
  /** Some of the members among them, whom another server may count, too. */
  members: string[];
  replying: Commenter[];
  replyingCount: number;
}
/** A person who stopped replying, on any server. */
type Stopped = string;

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
/** The number of people who are named as replying, and of members whom servers name to each other. */
const maxNamed = { replying: 5, members: 50 };

/** Knows who is at each blog: how many read it, and who is replying. It is kept in the memory of the servers alone. */
export class Presence {
  readonly #bus: Bus;
  readonly #blogs: SharedRooms<BlogPart, Stopped>;
  readonly #members: SharedRooms<true>;
  readonly #times: Times;
  readonly #rooms: Rooms<BlogRoom>;
  /** The number of visible pages of each member. */
  readonly #active = new Map<string, number>();

  /** `others`: times for tests. */
  constructor(bus: Bus, servers: OtherServers, others: Partial<Times> = {}) {
    this.#bus = bus;
    this.#blogs = servers.open("blog", {
      onChange: (blogId) => this.#rooms.publish(blogId),
      onMessage: (blogId, personId: Stopped) => this.#stopReplying(blogId, personId),
    });
    this.#members = servers.open("member");
    this.#times = { ...times, ...others };
    const { pause, each, pauseMost } = this.#times;
    this.#rooms = new Rooms({
      create: () => ({ reading: new Map(), replying: new Map() }),
      describe: (blogId, room) => this.#describe(blogId, room),
      isEmpty: ({ reading, replying }) => reading.size + replying.size === 0,
      pause: (listeners) => Math.min(Math.max(pause, each * listeners), pauseMost),
    });
  }

  /** Returns the topic of who is at a blog. */
  topicOf(blogId: string): EphemeralTopic {
    return this.#rooms.topicOf(blogId);
  }

  /** Returns a topic that counts a reader of a blog while it is joined. It sends nothing. */
  joinReaders(blogId: string, { key, from }: Reader): EphemeralTopic {
    return silentTopic(() => {
      const { reading } = this.#rooms.open(blogId);
      const page = reading.get(key) ?? { from, since: performance.now(), pages: 0, lastClosedAt: 0 };
      reading.set(key, page);
      page.pages++;
      this.#rooms.publish(blogId, this.#times.settle);
      return () => {
        page.pages--;
        page.lastClosedAt = performance.now();
        this.#rooms.publish(blogId, this.#times.linger);
      };
    });
  }

  /** Returns a topic that marks a member as active while it is joined. It sends nothing, to nobody. */
  markActive(userId: string): EphemeralTopic {
    return silentTopic(() => {
      const add = (change: number) => {
        const pages = (this.#active.get(userId) ?? 0) + change;
        if (pages > 0) this.#active.set(userId, pages);
        else this.#active.delete(userId);
        this.#members.share(userId, pages > 0 ? [["", true]] : []);
      };
      add(1);
      return () => add(-1);
    });
  }

  /** Returns whether the member has a visible page of the site. */
  isActive(userId: string): boolean {
    return this.#active.has(userId) || this.#members.others(userId).length > 0;
  }

  /** Shows a person as replying for a while; ends it at once when what they can read or show changes. */
  startReplying(blogId: string, person: Commenter): void {
    const { replying } = this.#rooms.open(blogId);
    const until = performance.now() + this.#times.reply;
    const current = replying.get(person.id);
    const stopReplying = () => this.#stopReplying(blogId, person.id);
    const stop = current?.stop ?? this.#bus.listen(rightsTopic(person.id), stopReplying);
    replying.set(person.id, { person, until, stop });
    this.#rooms.publish(blogId);
  }

  stopReplying(blogId: string, personId: string): void {
    this.#stopReplying(blogId, personId);
    const others = this.#blogs.others(blogId);
    if (others.some(({ replyingCount }) => replyingCount > 0)) this.#blogs.send(blogId, personId);
  }

  #stopReplying(blogId: string, personId: string): void {
    const replying = this.#rooms.get(blogId)?.replying;
    replying?.get(personId)?.stop();
    if (replying?.delete(personId)) this.#rooms.publish(blogId);
  }

  /** The number of blogs with somebody there, for tests and metrics. */
  get rooms(): number {
    return this.#rooms.size;
  }

  /** Forgets who stopped replying without saying so. */
  #describe(blogId: string, room: BlogRoom): { message: LiveMessage; changesIn?: number } {
    const now = performance.now();
    for (const { person, until } of room.replying.values())
      if (until <= now) this.#stopReplying(blogId, person.id);
    const { reading, members, next } = this.#count(room, now);
    const replying = [...room.replying.values()].map(({ person }) => person);
    const own: BlogPart = {
      reading,
      members,
      replying: replying.slice(0, maxNamed.replying),
      replyingCount: replying.length,
    };
    this.#blogs.share(blogId, reading + replying.length > 0 ? [["", own]] : []);
    const message = presenceMessage(blogId, sumOf([own, ...this.#blogs.others(blogId)]));
    const due = Math.min(next, ...[...room.replying.values()].map(({ until }) => until));
    return due < Infinity ? { message, changesIn: due - now } : { message };
  }

  /** Counts the readers, and returns when that number may change by itself. Readers who have just come do not count yet. */
  #count({ reading }: BlogRoom, now: number): { reading: number; members: string[]; next: number } {
    const { settle, linger } = this.#times;
    const byAddress = new Map<string, number>();
    const members: string[] = [];
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
      else if (members.length < maxNamed.members) members.push(key);
      total++;
    }
    return { reading: total, members, next };
  }
}

/** Returns what the servers know together. A person counts once, on however many of them. */
function sumOf(parts: BlogPart[]): Omit<BlogPart, "members"> {
  const members = new Set(parts.flatMap((part) => part.members));
  const replying = new Map(parts.flatMap((part) => part.replying.map((person) => [person.id, person])));
  const total = (numberOf: (part: BlogPart) => number) =>
    parts.reduce((sum, part) => sum + numberOf(part), 0);
  return {
    reading: members.size + total((part) => part.reading - part.members.length),
    replying: [...replying.values()].slice(0, maxNamed.replying),
    replyingCount: replying.size + total((part) => part.replyingCount - part.replying.length),
  };
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
function presenceMessage(blogId: string, { reading, ...replying }: Omit<BlogPart, "members">): LiveMessage {
  const step = 10 ** Math.max(0, String(reading).length - 2);
  const event: PresenceEvent = { kind: "presence", reading: reading - (reading % step), ...replying };
  return { topic: `presence:${blogId}`, event };
}
