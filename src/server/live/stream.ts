import { tracked, type TrackedEnvelope } from "@trpc/server";
import type { StreamEnd } from "../../shared/events.ts";
import { limits } from "../../shared/limits.ts";
import type { Database } from "../database/connection.ts";
import type { Bus } from "./bus.ts";
import type { Place, Streams } from "./crowd.ts";
import { factsAfter, formatCursor, resumeFrom, type StoredRow } from "./outbox.ts";

interface Presented<E> {
  seq: number;
  /** Null where the fact has nothing to show any more. */
  event: E | null;
  /** Where it is not for everybody who may listen: whom `isAmong` is asked about. */
  among?: string | undefined;
}

export interface StreamOptions<E> {
  database: Database;
  bus: Bus;
  topic: string;
  /** Rung when the reader's right may have changed. */
  rights: string[];
  /** The cursor of the page, or of the last event that the client applied. */
  from: string | undefined;
  /** Asked at the start, and again before anything is sent after a ring of `rights`. */
  mayRead: () => Promise<boolean>;
  /** Whether this reader is one of those whom an event is for. */
  isAmong?: (among: string) => Promise<boolean>;
  /** Facts to events: the same for every reader, so it is done once for all of them. */
  present: (facts: StoredRow[]) => Promise<Presented<E>[]>;
  signal: AbortSignal | undefined;
  /** The streams of the line that it runs over, which are bounded. */
  streams: Streams | undefined;
}

/**
 * The stream of a topic (design, live layer): listens first, replays second, then goes on; ends with `gone` as soon as the
 * reader may not read, and asks for a refetch with `reset` where the backlog does not reach back.
 * Throws `too_many` where its line has too many already.
 */
export const openStream = <E extends { kind: string }>(options: StreamOptions<E>): Stream<E> =>
  run(options, options.streams?.open(options.topic));

type Stream<E> = AsyncGenerator<TrackedEnvelope<E | StreamEnd>, void, unknown>;

async function* run<E extends { kind: string }>(
  options: StreamOptions<E>,
  place: Place | undefined,
): Stream<E> {
  const { database, bus, topic, signal } = options;
  let news = true;
  let rightsInDoubt = true;
  let wake: (() => void) | undefined;
  const hear = () => {
    news = true;
    if (wake) bus.later(wake);
    wake = undefined;
  };
  const doubt = () => {
    rightsInDoubt = true;
    hear();
  };
  const mayStillRead = async () => {
    while (rightsInDoubt) {
      // Set before asking: what changes while the answer is on its way is asked about again.
      rightsInDoubt = false;
      if (!(await options.mayRead())) return false;
    }
    return true;
  };
  // Listen before looking: an event committed between the two would be missed.
  const stops = [bus.listen(topic, hear), ...options.rights.map((right) => bus.listen(right, doubt))];
  const abort = () => wake?.();
  signal?.addEventListener("abort", abort, { once: true });
  if (place) place.onEnd = abort;
  const isOver = () => signal?.aborted || place?.ended;
  try {
    const start = await resumeFrom(database.read, [options.from]);
    let { seq } = start;
    const cursor = (at: number) => formatCursor(start.epoch, at);
    const gone = () => tracked(cursor(seq), { kind: "gone" } as const);
    if (!(await mayStillRead())) {
      yield gone();
      return;
    }
    if (start.lost) yield tracked(cursor(seq), { kind: "reset" });
    let replayed = 0;
    while (!isOver()) {
      if (!news) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      news = false;
      const batch = await shared(options, seq);
      for (const { seq: at, event, among } of batch) {
        const isForMe = among === undefined || ((await options.isAmong?.(among)) ?? false);
        if (rightsInDoubt && !(await mayStillRead())) {
          yield gone();
          return;
        }
        seq = at;
        if (event && isForMe) yield tracked(cursor(at), event);
        if (isOver()) return;
      }
      if (rightsInDoubt && !(await mayStillRead())) {
        yield gone();
        return;
      }
      replayed = batch.length === limits.live.batch ? replayed + batch.length : 0;
      if (replayed > 0) news = true;
      if (replayed >= limits.live.replay) {
        // So far behind that fetching again is cheaper than reading everything that happened.
        seq = (await resumeFrom(database.read, [])).seq;
        replayed = 0;
        yield tracked(cursor(seq), { kind: "reset" });
      }
    }
  } finally {
    place?.leave();
    for (const stop of stops) stop();
    signal?.removeEventListener("abort", abort);
  }
}

/** The newest batch of each topic: a crowd that waits at the same place reads and presents it once. */
const newest = new WeakMap<
  Bus,
  Map<string, { rings: number; from: number; batch: Promise<Presented<unknown>[]> }>
>();

function shared<E>(options: StreamOptions<E>, from: number): Promise<Presented<E>[]> {
  let topics = newest.get(options.bus);
  if (!topics) newest.set(options.bus, (topics = new Map()));
  const rings = options.bus.rings(options.topic);
  const known = topics.get(options.topic);
  if (known && known.rings === rings && known.from === from) return known.batch as Promise<Presented<E>[]>;
  const batch = factsAfter(options.database.read, options.topic, from, limits.live.batch).then((facts) =>
    facts.length > 0 ? options.present(facts) : [],
  );
  topics.set(options.topic, { rings, from, batch });
  const drop = () => {
    if (topics.get(options.topic)?.batch === batch) topics.delete(options.topic);
  };
  batch.then(() => setTimeout(drop, 1_000).unref(), drop);
  return batch;
}
