import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "../../../../src/server/database/connection.ts";
import { openDrizzle } from "../../../../src/server/database/sqlite/drizzle.ts";
import { rowsAtOnce } from "../../../support/rows-at-once.ts";
import { Snapshots } from "../../../../src/server/database/sqlite/snapshots.ts";

let folder: string;
let writer: Sqlite.Database;
let opened: Sqlite.Database[];
let complaints: string[];
let snapshots: Snapshots;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "reprise-snapshots-"));
  const file = path.join(folder, "store.db");
  writer = new Sqlite(file);
  writer.pragma("journal_mode = WAL");
  writer.exec("create table numbers (number integer)");
  opened = [];
  complaints = [];
  const open = () => {
    const sqlite = new Sqlite(file, { readonly: true });
    opened.push(sqlite);
    return { sqlite, drizzle: openDrizzle(sqlite) };
  };
  snapshots = new Snapshots(open, (_error, what) => void complaints.push(what));
});
afterEach(async () => {
  vi.useRealTimers();
  snapshots.close();
  writer.close();
  await rm(folder, { recursive: true, force: true });
});

const count = (connection: Connection): number =>
  rowsAtOnce<{ count: number }>(connection, "select count(*) as count from numbers")[0]!.count;

function write(): void {
  writer.exec("insert into numbers values (1)");
  snapshots.renew();
}

/** Counts at once, and again when it is released. */
function startRead() {
  let release = () => {};
  let first: Connection | undefined;
  const counts = snapshots.take(async (read) => {
    first = read;
    const firstCount = count(read);
    await new Promise<void>((resolve) => (release = resolve));
    return [firstCount, count(read)];
  });
  return { counts, release: () => release(), read: first as Connection };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("shares one snapshot within a turn, and takes another after a commit or in a later turn", async () => {
  const [one, two] = [startRead(), startRead()];
  expect(two.read).toBe(one.read);
  write();
  const three = startRead();
  expect(three.read).not.toBe(one.read);
  await nextTurn();
  await nextTurn();
  const four = startRead();
  expect(four.read).not.toBe(three.read);
  write();
  for (const openRead of [one, two, three, four]) openRead.release();
  expect(await Promise.all([one, two, three, four].map(({ counts }) => counts))).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
  ]);
});

test("shares a snapshot within a turn after the first read has ended, too, until a commit", async () => {
  const reading = () => snapshots.take(async (read) => [read, count(read)] as const);
  const [first] = await reading();
  expect(await reading()).toEqual([first, 0]);
  write();
  const [after, numbers] = await reading();
  expect(after).not.toBe(first);
  expect(numbers).toBe(1);
  await nextTurn();
  expect((await reading())[0]).not.toBe(after);
});

test("reuses connections, and keeps three of them open", async () => {
  for (let times = 0; times < 20; times++) {
    expect(await snapshots.take(async (read) => count(read))).toBe(times);
    write();
  }
  expect(opened).toHaveLength(3);
  const many = Array.from({ length: 10 }, () => {
    write();
    return startRead();
  });
  expect(opened).toHaveLength(10);
  for (const { release } of many) release();
  await Promise.all(many.map(({ counts }) => counts));
  await nextTurn();
  expect(opened.filter(({ open }) => open)).toHaveLength(3);
});

test("keeps no snapshot after a read, so that the WAL can be written into the file", async () => {
  await snapshots.take(async (read) => count(read));
  await nextTurn();
  for (let times = 0; times < 5; times++) write();
  expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
});

test("ends the snapshot of a read that fails, and refuses reads after its end", async () => {
  let endedRead: Connection | undefined;
  await expect(
    snapshots.take(async (read) => {
      endedRead = read;
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await nextTurn();
  expect(() => endedRead?.drizzle).toThrow("This took too long");
});

test("reports a read after one second and ends it after ten, without stopping others", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const openRead = startRead();
  const rejection = openRead.counts.catch((error: unknown) => error);
  await nextTurn();
  await nextTurn();
  write();
  vi.advanceTimersByTime(1_000);
  expect(complaints).toEqual(["a read transaction is open for too long"]);
  expect(await snapshots.take(async (read) => count(read))).toBe(1);
  vi.advanceTimersByTime(9_000);
  openRead.release();
  expect(await rejection).toMatchObject({ code: "unavailable" });
  await nextTurn();
  expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
  expect(await snapshots.take(async (read) => count(read))).toBe(1);
});
