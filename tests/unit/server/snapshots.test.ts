import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Connection } from "../../../src/server/database/connection.ts";
import * as schema from "../../../src/server/database/schema/index.ts";
import { Snapshots } from "../../../src/server/database/snapshots.ts";

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
    return { sqlite, drizzle: drizzle(sqlite, { schema }) };
  };
  snapshots = new Snapshots(open, (_error, what) => void complaints.push(what));
});
afterEach(async () => {
  vi.useRealTimers();
  snapshots.close();
  writer.close();
  await rm(folder, { recursive: true, force: true });
});

const count = ({ drizzle: of }: Connection): number =>
  of.get<{ count: number }>(sql`select count(*) as count from numbers`).count;

function write(): void {
  writer.exec("insert into numbers values (1)");
  snapshots.renew();
}

/** Reads at once, and once more when it is let go. */
function hold() {
  let letGo = () => {};
  let first: Connection | undefined;
  const counts = snapshots.take(async (read) => {
    first = read;
    const before = count(read);
    await new Promise<void>((resolve) => (letGo = resolve));
    return [before, count(read)];
  });
  return { counts, letGo: () => letGo(), read: first as Connection };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("who begins in the same turn shares one; after a commit, or a turn later, one has another", async () => {
  const [one, two] = [hold(), hold()];
  expect(two.read).toBe(one.read);
  write();
  const three = hold();
  expect(three.read).not.toBe(one.read);
  await turn();
  await turn();
  const four = hold();
  expect(four.read).not.toBe(three.read);
  write();
  for (const held of [one, two, three, four]) held.letGo();
  expect(await Promise.all([one, two, three, four].map(({ counts }) => counts))).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
    [1, 1],
  ]);
});

test("who begins in the same turn shares one also after the other has read, until something is committed", async () => {
  const reading = () => snapshots.take(async (read) => [read, count(read)] as const);
  const [first] = await reading();
  expect(await reading()).toEqual([first, 0]);
  write();
  const [after, numbers] = await reading();
  expect(after).not.toBe(first);
  expect(numbers).toBe(1);
  await turn();
  expect((await reading())[0]).not.toBe(after);
});

test("connections are used again, and three stay open", async () => {
  for (let times = 0; times < 20; times++) {
    expect(await snapshots.take(async (read) => count(read))).toBe(times);
    write();
  }
  expect(opened).toHaveLength(3);
  const many = Array.from({ length: 10 }, () => {
    write();
    return hold();
  });
  expect(opened).toHaveLength(10);
  for (const { letGo } of many) letGo();
  await Promise.all(many.map(({ counts }) => counts));
  await turn();
  expect(opened.filter(({ open }) => open)).toHaveLength(3);
});

test("nothing is held once it has been read: what was written goes into the file", async () => {
  await snapshots.take(async (read) => count(read));
  await turn();
  for (let times = 0; times < 5; times++) write();
  expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
});

test("what fails ends its snapshot, too; what reads on after its own end is told so", async () => {
  let late: Connection | undefined;
  await expect(
    snapshots.take(async (read) => {
      late = read;
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await turn();
  expect(() => late?.drizzle).toThrow("This took too long");
});

test("what is held for a second is told of, what is held for ten is ended, and neither stops others", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const held = hold();
  const refused = held.counts.catch((error: unknown) => error);
  await turn();
  await turn();
  write();
  vi.advanceTimersByTime(1_000);
  expect(complaints).toEqual(["a call reads for long"]);
  expect(await snapshots.take(async (read) => count(read))).toBe(1);
  vi.advanceTimersByTime(9_000);
  held.letGo();
  expect(await refused).toMatchObject({ code: "unavailable" });
  await turn();
  expect(writer.pragma("wal_checkpoint(TRUNCATE)")).toMatchObject([{ busy: 0 }]);
  expect(await snapshots.take(async (read) => count(read))).toBe(1);
});
