import { and, asc, eq, gt, inArray, lt, max, sql } from "drizzle-orm";
import { formatCursor, parseCursor } from "../../shared/cursor.ts";
import { limits } from "../../shared/limits.ts";
import { hot, type Connection, type Database } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";
import { inSteps } from "../database/steps.ts";
import { liveEvents } from "../database/schema/live.ts";
import { jobsTopic, peopleTopic } from "./facts.ts";

export interface StoredRow {
  seq: number;
  fact: unknown;
}

const after = hot((db) =>
  db
    .select({ seq: liveEvents.seq, fact: liveEvents.fact })
    .from(liveEvents)
    .where(and(eq(liveEvents.topic, sql.placeholder("topic")), gt(liveEvents.seq, sql.placeholder("seq"))))
    .orderBy(asc(liveEvents.seq))
    .limit(sql.placeholder("limit"))
    .prepare(),
);
const last = hot((db) =>
  db
    .select({ seq: max(liveEvents.seq) })
    .from(liveEvents)
    .prepare(),
);
/** Facts of a topic after `seq`, oldest first, at most `limit`. */
export const factsAfter = async (
  connection: Connection,
  topic: string,
  seq: number,
  limit: number,
): Promise<StoredRow[]> => after(connection).all({ topic, seq, limit });

/** The newest sequence number; never lower than the floor, below which events are no longer kept. */
export async function newestSeq(connection: Connection): Promise<number> {
  return (await last(connection).get())?.seq ?? (await floorSeq(connection));
}

const floorSeq = async (connection: Connection): Promise<number> =>
  Number((await siteValue(connection, "live_floor")) ?? 0);

export const epochOf = async (connection: Connection): Promise<string> =>
  (await siteValue(connection, "live_epoch")) ?? "0";

const place = hot((db) =>
  db
    .select({
      epoch: sql<string>`coalesce((select value from meta where key = 'live_epoch'), '0')`,
      seq: sql<number>`coalesce((select max(seq) from live_events), (select cast(value as integer) from meta where key = 'live_floor'), 0)`,
    })
    .from(sql`(select 1) as one`)
    .prepare(),
);

/** Where an answer stands: `epoch.seq`. Read it before what the answer holds; events applied twice change nothing. */
export async function cursorNow(connection: Connection): Promise<string> {
  const now = await place(connection).get();
  return formatCursor(now?.epoch ?? "0", now?.seq ?? 0);
}

/**
 * The sequence number that a stream goes on after, and whether the backlog does not reach back to it. Of several cursors the
 * one that is further on counts, those of another history of the site aside.
 */
export async function resumeFrom(
  connection: Connection,
  cursors: (string | undefined)[],
): Promise<{ epoch: string; seq: number; lost: boolean }> {
  const name = await epochOf(connection);
  const [newest, floor] = [await newestSeq(connection), await floorSeq(connection)];
  const given = cursors.filter((cursor) => cursor !== undefined);
  const known = given.flatMap((cursor) => {
    const { epoch, seq = -1, isPart } = parseCursor(cursor) ?? {};
    // What is only told in part is told again.
    return epoch === name && seq >= floor && seq <= newest ? [isPart ? seq - 1 : seq] : [];
  });
  const lost = given.length > 0 && known.length === 0;
  return { epoch: name, seq: known.length > 0 ? Math.max(...known) : newest, lost };
}

/** How many events are dropped in one transaction. */
const pruned = 1_000;

/** Drops events older than they are kept, some in each transaction, and remembers up to where. */
export async function pruneOutbox(database: Database, now: number): Promise<void> {
  await inSteps(database, async (tx) => {
    const old = tx.drizzle
      .select({ seq: liveEvents.seq })
      .from(liveEvents)
      .where(lt(liveEvents.createdAt, now - limits.live.keptFor))
      .orderBy(asc(liveEvents.createdAt), asc(liveEvents.seq))
      .limit(pruned);
    const gone = await tx.drizzle
      .delete(liveEvents)
      .where(inArray(liveEvents.seq, old))
      .returning({ seq: liveEvents.seq })
      .all();
    if (gone.length === 0) return true;
    const highest = Math.max(...gone.map(({ seq }) => seq), await floorSeq(tx));
    await setSiteValue(tx, "live_floor", String(highest));
    return gone.length < pruned;
  });
}

const distinctSince = hot((db) =>
  db
    .selectDistinct({ topic: liveEvents.topic })
    .from(liveEvents)
    .where(gt(liveEvents.seq, sql.placeholder("seq")))
    .prepare(),
);

/** The topics that have facts after `seq`. */
export const topicsSince = async (connection: Connection, seq: number): Promise<string[]> =>
  (await distinctSince(connection).all({ seq })).map(({ topic }) => topic);

/**
 * Rings for what other processes wrote (an import beside the running server), at most a second late. Returns what stops it.
 */
export function ringForOthers(
  database: Database,
  ring: (topics: string[]) => void,
  onError: (error: unknown) => void,
): () => void {
  // Where the outbox stands is read before the version, each time: what is written between the two is then told of twice, not never.
  let seq: number | Promise<number> = newestSeq(database.read);
  let version = database.foreignVersion();
  const look = async () => {
    const newest = await newestSeq(database.read);
    const now = database.foreignVersion();
    const topics =
      now === version ? [] : [...(await topicsSince(database.read, await seq)), peopleTopic, jobsTopic];
    version = now;
    seq = newest;
    ring(topics);
  };
  const timer = setInterval(() => void look().catch(onError), 1_000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Begins a new history of events, after an older copy of the store was put back: pages that saw the other one start afresh. */
export async function renewEpoch(database: Database, name: string): Promise<void> {
  await database.write((tx) => setSiteValue(tx, "live_epoch", name));
}
