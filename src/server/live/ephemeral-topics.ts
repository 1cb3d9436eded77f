import type { LiveMessage } from "../../shared/live.ts";

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

/** Creates a topic that sends nothing: it notes that somebody is there while it is joined. */
export const silentTopic = (join: () => (isBarred?: boolean) => void): EphemeralTopic => ({
  join,
  current: () => undefined,
});

/** What differs between kinds of rooms. `State` is what is known of one room. */
interface RoomKind<State> {
  create: () => State;
  /** Returns the message about a room, and in how many milliseconds it may change by itself. */
  describe: (id: string, state: State) => { message: LiveMessage; changesIn?: number };
  isEmpty: (state: State) => boolean;
  /** Returns the least milliseconds between two descriptions for so many listeners. */
  pause: (listeners: number) => number;
}

interface Room<State> {
  state: State;
  listeners: Set<() => void>;
  message: LiveMessage;
  describedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends. */
  dueAt: number;
}

/** Knows who is where, such as at each blog. It is kept in memory alone, and forgotten once nobody is there. */
export class Rooms<State> {
  readonly #kind: RoomKind<State>;
  readonly #rooms = new Map<string, Room<State>>();

  constructor(kind: RoomKind<State>) {
    this.#kind = kind;
  }

  get size(): number {
    return this.#rooms.size;
  }

  /** Returns the topic that sends the message about a room. */
  topicOf(id: string): EphemeralTopic {
    return {
      join: (onChange) => {
        const { listeners } = this.#open(id);
        listeners.add(onChange);
        return () => {
          listeners.delete(onChange);
          this.publish(id);
        };
      },
      current: () => this.#rooms.get(id)?.message,
    };
  }

  /** Changes the state of every room, and publishes it. */
  changeAll(change: (state: State) => void): void {
    for (const [id, { state }] of this.#rooms) {
      change(state);
      this.publish(id);
    }
  }

  get(id: string): State | undefined {
    return this.#rooms.get(id)?.state;
  }

  /** Returns the state of a room, which is created where there is none; call `publish` after a change. */
  open(id: string): State {
    return this.#open(id).state;
  }

  /** Sends the message about a room if it has changed: in `ms` milliseconds, or when the pause after the last one is over. */
  publish(id: string, ms = 0): void {
    const room = this.#rooms.get(id);
    if (!room) return;
    const now = performance.now();
    const at = Math.max(now + ms, room.describedAt + this.#kind.pause(room.listeners.size));
    if (room.dueAt <= at) return;
    clearTimeout(room.timer);
    room.dueAt = at;
    room.timer = setTimeout(() => this.#publish(id, room), at - now).unref();
  }

  #open(id: string): Room<State> {
    let room = this.#rooms.get(id);
    if (!room) {
      const state = this.#kind.create();
      const { message } = this.#kind.describe(id, state);
      const [listeners, timing] = [new Set<() => void>(), { describedAt: -Infinity, dueAt: Infinity }];
      room = { state, listeners, message, timer: undefined, ...timing };
      this.#rooms.set(id, room);
      this.publish(id);
    }
    return room;
  }

  #publish(id: string, room: Room<State>): void {
    room.dueAt = Infinity;
    room.describedAt = performance.now();
    const { message, changesIn } = this.#kind.describe(id, room.state);
    if (JSON.stringify(message) !== JSON.stringify(room.message)) {
      room.message = message;
      for (const onChange of room.listeners) onChange();
    }
    if (room.listeners.size === 0 && this.#kind.isEmpty(room.state)) {
      clearTimeout(room.timer);
      this.#rooms.delete(id);
    } else if (changesIn !== undefined) this.publish(id, changesIn);
  }
}
