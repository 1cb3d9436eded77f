import type { BlogEvent } from "../../shared/events.ts";

const kept = 1_000;

/**
 * The events that a blog's page has applied. Data that were read before some of them (an older page of threads, a refetch
 * that was under way) get those applied again, so that nothing heard meanwhile is lost: applying twice changes nothing.
 */
export class HeardEvents {
  #events: { cursor: string; event: BlogEvent }[] = [];

  add(cursor: string, event: BlogEvent): void {
    this.#events.push({ cursor, event });
    if (this.#events.length > kept) this.#events.splice(0, this.#events.length - kept);
  }

  /** After a `reset`: what was heard before it is no measure for what is fetched now. */
  clear(): void {
    this.#events = [];
  }

  /** The events behind a cursor, oldest first. */
  after(cursor: string): BlogEvent[] {
    return this.#events.filter((heard) => isBehind(cursor, heard.cursor)).map((heard) => heard.event);
  }

  /** The cursor that data are at once all this was applied to them. */
  latest(cursor: string): string {
    const last = this.#events.at(-1)?.cursor;
    return last !== undefined && isBehind(cursor, last) ? last : cursor;
  }
}

/** Whether the first cursor stands before the second. A cursor is `epoch.sequence`; those of two epochs can't be compared. */
export function isBehind(cursor: string, other: string): boolean {
  const [epoch, sequence] = cursor.split(".");
  const [otherEpoch, otherSequence] = other.split(".");
  return epoch === otherEpoch && Number(sequence) < Number(otherSequence);
}

/** The one that stands further back: where a stream starts that both data need. */
export function earlier(cursor: string, other: string): string {
  return isBehind(other, cursor) ? other : cursor;
}

const blogs = new Map<string, HeardEvents>();

/** What this tab has heard of a blog. The few blogs that were read last are remembered. */
export function heardOf(blogId: string): HeardEvents {
  const heard = blogs.get(blogId) ?? new HeardEvents();
  blogs.delete(blogId);
  blogs.set(blogId, heard);
  const oldest = blogs.keys().next();
  if (blogs.size > 20 && !oldest.done) blogs.delete(oldest.value);
  return heard;
}
