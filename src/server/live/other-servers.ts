import type { ServerConnection } from "../database/connection.ts";
import { oneAtATime } from "../runtime/concurrency.ts";
import { newId } from "../runtime/ids.ts";

/** What one server sends to all. */
interface Packet {
  from: string;
  /** A server that has just connected asks for what the others have. */
  asks?: true;
  /** From this packet to that which `completes` it, it sends all its parts: others may have ended unseen. */
  renews?: true;
  completes?: true;
  /** It stops. */
  leaves?: true;
  /** The parts that changed: of a room, by name; null where there is none any more. */
  parts?: [room: string, name: string, part: unknown][];
  messages?: [room: string, message: unknown][];
}

/** The bytes of a packet: PostgreSQL takes 7,999. */
const maxBytes = 7_900;
/** Milliseconds: a server says at least so often that it is there; one from which nothing came for so long is gone. */
const times = { beat: 5_000, gone: 15_000 };
type Times = typeof times;

/** What one kind of room shares. A room has parts of several servers; each server changes its own. */
export interface SharedRooms<Part, Message = never> {
  /** Sets this server's parts of a room, by name. */
  share(id: string, parts: Iterable<readonly [name: string, part: Part]>): void;
  /** Returns the parts of the other servers. */
  others(id: string): Part[];
  /** Sends a message about a room to the other servers. */
  send(id: string, message: Message): void;
}

interface RoomListener<Message> {
  /** Parts of other servers have changed. */
  onChange?(id: string): void;
  onMessage?(id: string, message: Message): void;
}

/**
 * What the servers of a site know of each other and nobody stores: who is where. Each sends the parts of rooms that it knows itself, when
 * they change, and all of them to a server that has just connected. The parts of a server that is gone are dropped.
 */
export class OtherServers {
  readonly #connection: ServerConnection | undefined;
  readonly #onError: (error: unknown, what: string) => void;
  readonly #times: Times;
  readonly #id = newId();
  readonly #kinds = new Map<string, RoomListener<unknown>>();
  /** The own parts as they were shared, by room and name. */
  readonly #own = new Map<string, Map<string, string>>();
  /** By room, then by server and name. */
  readonly #foreign = new Map<string, Map<string, unknown>>();
  /** When something last came from each server, and the parts that came since it began to send all. */
  readonly #seen = new Map<string, { at: number; renewed: Set<string> | undefined }>();
  /** What is not sent yet: each part as it is now, by room and name; messages. */
  readonly #parts = new Map<string, string>();
  #messages: string[] = [];
  #asks = false;
  #renews = false;
  /** Whether all parts are being sent, or have to be since some were lost. */
  #isRenewing = false;
  /** Whether the last packet could not be sent: then only what connects, and the next beat, tries again. */
  #hasFailed = true;
  #stop: (() => void) | undefined;

  /** `others`: times for tests. */
  constructor(
    connection: ServerConnection | undefined,
    onError: (error: unknown, what: string) => void = () => undefined,
    others: Partial<Times> = {},
  ) {
    this.#connection = connection;
    this.#onError = onError;
    this.#times = { ...times, ...others };
  }

  /** Connects to the other servers, until `close`. */
  start(): void {
    if (!this.#connection) return;
    const stopListening = this.#connection.listen({
      onMessage: (text) => this.#read(text),
      onConnect: () => this.#ask(),
    });
    const timer = setInterval(() => {
      this.#send();
      this.#dropGone();
    }, this.#times.beat);
    timer.unref();
    this.#stop = () => {
      stopListening();
      clearInterval(timer);
    };
  }

  async close(): Promise<void> {
    if (!this.#stop) return;
    this.#stop();
    this.#stop = undefined;
    // Others notice its absence otherwise.
    await this.#connection?.send(JSON.stringify({ from: this.#id, leaves: true })).catch(() => undefined);
  }

  /** Opens a kind of rooms, whose name is its own. */
  open<Part, Message = never>(
    kind: string,
    listener: RoomListener<Message> = {},
  ): SharedRooms<Part, Message> {
    this.#kinds.set(kind, listener);
    const roomOf = (id: string) => `${kind} ${id}`;
    return {
      share: (id, parts) => this.#stop && this.#share(roomOf(id), parts),
      others: (id) => [...(this.#foreign.get(roomOf(id))?.values() ?? [])] as Part[],
      send: (id, message) => {
        if (!this.#stop || this.#hasFailed) return;
        this.#messages.push(JSON.stringify([roomOf(id), message]));
        this.#send();
      },
    };
  }

  /** The number of other servers, for tests and metrics. */
  get count(): number {
    return this.#seen.size;
  }

  #share(room: string, parts: Iterable<readonly [name: string, part: unknown]>): void {
    const before = this.#own.get(room);
    const now = new Map([...parts].map(([name, part]) => [name, JSON.stringify(part)]));
    const changed = [...now].filter(([name, part]) => before?.get(name) !== part);
    for (const name of before?.keys() ?? []) if (!now.has(name)) changed.push([name, "null"]);
    if (now.size > 0) this.#own.set(room, now);
    else this.#own.delete(room);
    for (const [name, part] of changed) this.#queue(room, name, part);
    if (changed.length > 0 && !this.#hasFailed) this.#send();
  }

  #queue(room: string, name: string, part: string): void {
    const key = JSON.stringify([room, name]);
    this.#parts.set(key, `${key.slice(0, -1)},${part}]`);
  }

  #ask(): void {
    this.#queueAll();
    this.#asks = true;
    this.#send();
  }

  #queueAll(): void {
    this.#renews = this.#isRenewing = true;
    this.#parts.clear();
    for (const [room, parts] of this.#own) for (const [name, part] of parts) this.#queue(room, name, part);
  }

  /** Sends what waits, at least that this server is there. */
  readonly #send = oneAtATime(async () => {
    // What changes in the same turn of the event loop shares a packet.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#hasFailed) {
      this.#queueAll();
      this.#asks = true;
    }
    while (this.#stop) {
      let bytes = 200;
      const fits = (text: string) => (bytes += Buffer.byteLength(text) + 1) <= maxBytes;
      const parts = takeWhile(this.#parts, ([, text]) => fits(text));
      const messages = takeWhile(this.#messages, fits);
      for (const [key] of parts) this.#parts.delete(key);
      this.#messages.splice(0, messages.length);
      const completes = this.#isRenewing && this.#parts.size === 0;
      const flags = { asks: this.#asks, renews: this.#renews, completes };
      const named = Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [`"${name}":true,`] : []));
      if (completes) this.#isRenewing = false;
      this.#asks = this.#renews = false;
      const lists = `"parts":[${parts.map(([, text]) => text).join()}],"messages":[${messages.join()}]`;
      try {
        await this.#connection?.send(`{"from":"${this.#id}",${named.join("")}${lists}}`);
        this.#hasFailed = false;
      } catch (error) {
        // All is sent again once it can be.
        if (!this.#hasFailed) this.#onError(error, "other servers could not be sent who is where");
        this.#hasFailed = true;
        this.#messages = [];
        return;
      }
      if (this.#parts.size + this.#messages.length === 0) return;
    }
  });

  #read(text: string): void {
    try {
      this.#receive(JSON.parse(text) as Packet);
    } catch (error) {
      this.#onError(error, "a message of another server could not be read");
    }
  }

  #receive({ from, asks, renews, completes, leaves, parts = [], messages = [] }: Packet): void {
    if (from === this.#id) return;
    if (leaves) return this.#drop(from);
    const server = this.#seen.get(from) ?? { at: 0, renewed: undefined };
    // One that was thought to be gone, or whose parts came before this server listened.
    if (!this.#seen.has(from) && !asks && !renews) this.#ask();
    server.at = performance.now();
    this.#seen.set(from, server);
    if (renews) server.renewed = new Set();
    if (asks) {
      this.#queueAll();
      this.#send();
    }
    const changed = new Set<string>();
    for (const [room, name, part] of parts) {
      this.#setForeign(room, `${from} ${name}`, part);
      server.renewed?.add(`${room}\n${name}`);
      changed.add(room);
    }
    if (completes && server.renewed) {
      const { renewed } = server;
      for (const room of this.#dropParts(from, (place, name) => !renewed.has(`${place}\n${name}`)))
        changed.add(room);
      server.renewed = undefined;
    }
    for (const room of changed) this.#notify(room);
    for (const [room, message] of messages) {
      const [kind, id] = splitRoom(room);
      this.#kinds.get(kind)?.onMessage?.(id, message);
    }
  }

  #setForeign(room: string, key: string, part: unknown): void {
    const parts = this.#foreign.get(room) ?? new Map<string, unknown>();
    if (part === null) parts.delete(key);
    else parts.set(key, part);
    if (parts.size > 0) this.#foreign.set(room, parts);
    else this.#foreign.delete(room);
  }

  #notify(room: string): void {
    const [kind, id] = splitRoom(room);
    this.#kinds.get(kind)?.onChange?.(id);
  }

  #dropGone(): void {
    const oldest = performance.now() - this.#times.gone;
    for (const [server, { at }] of this.#seen) if (at < oldest) this.#drop(server);
  }

  #drop(server: string): void {
    this.#seen.delete(server);
    for (const room of this.#dropParts(server)) this.#notify(room);
  }

  /** Drops parts of a server. Returns their rooms. */
  #dropParts(server: string, isDropped: (room: string, name: string) => boolean = () => true): string[] {
    const rooms: string[] = [];
    for (const [room, parts] of this.#foreign) {
      const keys = [...parts.keys()].filter(
        (key) => key.startsWith(`${server} `) && isDropped(room, key.slice(server.length + 1)),
      );
      for (const key of keys) this.#setForeign(room, key, null);
      if (keys.length > 0) rooms.push(room);
    }
    return rooms;
  }
}

function takeWhile<Item>(items: Iterable<Item>, isTaken: (item: Item) => boolean): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (!isTaken(item)) break;
    taken.push(item);
  }
  return taken;
}

/** Returns the kind and the id of a room. */
const splitRoom = (room: string): [kind: string, id: string] => {
  const at = room.indexOf(" ");
  return [room.slice(0, at), room.slice(at + 1)];
};
