import { setTimeout as pause } from "node:timers/promises";
import { and, asc, eq, gt, inArray, lt, max, sql } from "drizzle-orm";
import { formatCursor, parseCursor } from "../../shared/cursor.ts";
import { limits } from "../../shared/limits.ts";
import { preparedQuery, type Connection, type Database } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import { liveEvents } from "../database/schema/live.ts";
import { oneAtATime } from "../runtime/concurrency.ts";
import type { Bus } from "./bus.ts";

export interface LogEntry {
  seq: number;
  event: unknown;
}

const after = preparedQuery((db) =>
  db
    .select({ seq: liveEvents.seq, event: liveEvents.event })
    .from(liveEvents)
    .where(and(eq(liveEvents.topic, sql.placeholder("topic")), gt(liveEvents.seq, sql.placeholder("seq"))))
    .orderBy(asc(liveEvents.seq))
    .limit(sql.placeholder("limit")),
);
const last = preparedQuery((db) => db.select({ seq: max(liveEvents.seq) }).from(liveEvents));
/** Returns the events of a topic after `seq`, oldest first, at most `limit`. */
export const eventsAfter = async (
  connection: Connection,
  topic: string,
  seq: number,
  limit: number,
): Promise<LogEntry[]> => after(connection).all({ topic, seq, limit });

/** Returns the newest sequence number; never lower than the floor, up to which events were deleted. */
export async function newestSeq(connection: Connection): Promise<number> {
  return (await last(connection).get())?.seq ?? (await floorSeq(connection));
}

const floorSeq = async (connection: Connection): Promise<number> =>
  Number((await siteValue(connection, "live_floor")) ?? 0);

export const epochOf = async (connection: Connection): Promise<string> =>
  (await siteValue(connection, "live_epoch")) ?? "0";

const position = preparedQuery((db) =>
  db
    .select({
      epoch: sql<string>`coalesce((select value from meta where key = 'live_epoch'), '0')`,
      seq: sql<number>`coalesce((select max(seq) from live_events), (select cast(value as bigint) from meta where key = 'live_floor'), 0)`,
    })
    .from(sql`(select 1) as one`),
);

/** Returns the cursor `epoch.seq` of now. Read it before the answer that gets it: events applied twice change nothing. */
export async function cursorNow(connection: Connection): Promise<string> {
  const now = await position(connection).get();
  return formatCursor(now?.epoch ?? "0", now?.seq ?? 0);
}

/**
 * Returns the sequence number after which a stream resumes; `lost` where the log does not reach back to it. Of several
 * cursors the latest counts; those of another epoch are ignored.
 */
export async function resumeFrom(
  connection: Connection,
  cursors: (string | undefined)[],
): Promise<{ epoch: string; seq: number; lost: boolean }> {
  const current = await epochOf(connection);
  const [newest, oldest] = [await newestSeq(connection), await floorSeq(connection)];
  const givenCursors = cursors.filter((cursor) => cursor !== undefined);
  const usableSeqs = givenCursors.flatMap((cursor) => {
    const { epoch, seq = -1, isPartial } = parseCursor(cursor) ?? {};
    // An event that was sent in part is sent again.
    return epoch === current && seq >= oldest && seq <= newest ? [isPartial ? seq - 1 : seq] : [];
  });
  const lost = givenCursors.length > 0 && usableSeqs.length === 0;
  return { epoch: current, seq: usableSeqs.length > 0 ? Math.max(...usableSeqs) : newest, lost };
}

/** The number of events that one transaction deletes. */
const pruned = 1_000;

/** Deletes events that are too old, some in each transaction, and stores up to which sequence number. */
export async function pruneEventLog(database: Database, now: number): Promise<void> {
  await runInSteps(database, async (tx) => {
    const outdated = tx.drizzle
      .select({ seq: liveEvents.seq })
      .from(liveEvents)
      .where(lt(liveEvents.createdAt, now - limits.live.keptFor))
      .orderBy(asc(liveEvents.createdAt), asc(liveEvents.seq))
      .limit(pruned);
    const deleted = await tx.drizzle
      .delete(liveEvents)
      .where(inArray(liveEvents.seq, outdated))
      .returning({ seq: liveEvents.seq });
    if (deleted.length === 0) return true;
    const highest = Math.max(...deleted.map(({ seq }) => seq), await floorSeq(tx));
    await setSiteValue(tx, "live_floor", String(highest));
    return deleted.length < pruned;
  });
}

const distinctSince = preparedQuery((db) =>
  db
    .selectDistinct({ topic: liveEvents.topic })
    .from(liveEvents)
    .where(gt(liveEvents.seq, sql.placeholder("seq"))),
);

/** Returns the topics that have events after `seq`. */
export const topicsSince = async (connection: Connection, seq: number): Promise<string[]> =>
  (await distinctSince(connection).all({ seq })).map(({ topic }) => topic);

const since = preparedQuery((db) =>
  db
    .select({ seq: liveEvents.seq, topic: liveEvents.topic })
    .from(liveEvents)
    .where(gt(liveEvents.seq, sql.placeholder("seq")))
    .orderBy(asc(liveEvents.seq))
    .limit(sql.placeholder("limit")),
);
/** Events that are read at once. */
const readAtOnce = 1_000;

/** Milliseconds between readings of what other processes have written, and for one: a store that hangs is away. */
const reading = { every: 1_000, timeout: 900 };

/**
 * Signals the topics that other processes wrote to (an import beside the running server, another server of the site): at once where the
 * store says so, and at most a second late. Returns the function that stops it.
 */
export function signalForeignWrites(
  database: Database,
  bus: Pick<Bus, "signal" | "noteRead">,
  onError: (error: unknown) => void,
): () => void {
  let seq = -1;
  const readNew = async () => {
    if (seq < 0) seq = await newestSeq(database.read);
    for (;;) {
      const rows = await since(database.read).all({ seq, limit: readAtOnce });
      bus.signal(new Set(rows.flatMap((row) => (database.isOwn(row.seq) ? [] : [row.topic]))));
      database.forgetOwn(rows.map((row) => row.seq));
      seq = Math.max(seq, rows.at(-1)?.seq ?? seq);
      if (rows.length < readAtOnce) return;
    }
  };
  let pending: Promise<void> | undefined;
  const check = oneAtATime(async () => {
    const timeout = pause(reading.timeout, "late", { ref: false });
    pending ??= readNew().finally(() => (pending = undefined));
    try {
      if ((await Promise.race([pending, timeout])) === "late") throw new Error("The store did not answer.");
      if (database.servers) bus.noteRead(true);
    } catch (error) {
      bus.noteRead(false);
      onError(error);
    }
  });
  check();
  const stop = database.servers?.listen({ onWritten: check, onConnect: check });
  const timer = setInterval(check, reading.every);
  timer.unref();
  return () => {
    stop?.();
    clearInterval(timer);
  };
}

/** Sets a new epoch, after an older copy of the store was restored: pages refetch everything. */
export async function renewEpoch(database: Database, epoch: string): Promise<void> {
  await database.write((tx) => setSiteValue(tx, "live_epoch", epoch));
}
