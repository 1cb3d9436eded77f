import { createHash, type Hash } from "node:crypto";

export type Value = string | number | null;
export interface MovedTable {
  name: string;
  columns: string[];
  /** The columns of its primary key. */
  key: string[];
}

/** A store that is read. */
export interface MoveSource {
  /** All tables, those that others refer to in any order. */
  tables: MovedTable[];
  count(table: MovedTable): Promise<number>;
  /** Returns rows in the order of their keys, from the first after `key` on, as values in the order of the columns. */
  rowsAfter(table: MovedTable, key: Value[] | undefined, limit: number): Promise<Value[][]>;
  /** The highest number that each table with a `seq` has ever given. */
  numbers(): Promise<Map<string, number>>;
  /** Throws if somebody may have changed it since it was opened. */
  requireUnused?(): Promise<void>;
  close(): Promise<void>;
}

/** A store that is written; it is none that a server opens until `finish`. */
export interface MoveTarget extends MoveSource {
  lastKey(table: MovedTable): Promise<Value[] | undefined>;
  /** Stores rows in one transaction. */
  insert(table: MovedTable, rows: Value[][]): Promise<void>;
  setNumbers(numbers: Map<string, number>): Promise<void>;
  /** Indexes texts for search, and puts in force what was off for the move: references between tables, triggers. */
  finish(report: (done: number, of: number) => void, signal: AbortSignal): Promise<void>;
}

export interface MoveResult {
  tables: { name: string; rows: number; sha256: string }[];
  /** Whether an earlier move was continued. */
  resumed: boolean;
  /** Texts with a character that PostgreSQL does not take (U+0000), which is U+FFFD now. */
  changed: number;
}

interface MoveOptions {
  onProgress: (done: number, of: number, what: string) => void;
  signal: AbortSignal;
}

/** Rows of one step at first and at most, and about how many characters a step should have. */
const steps = { first: 20, most: 1_000, characters: 2_000_000 };

/**
 * Copies all rows from one store to another, a step in each transaction and in the order of keys, so that a move that was stopped continues
 * after the last row. Then compares all rows of both. Throws if they differ.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  { onProgress, signal }: MoveOptions,
): Promise<MoveResult> {
  const [total, present] = [await countAll(source), await countAll(target)];
  const result: MoveResult = { tables: [], resumed: present > 0, changed: 0 };
  let done = present;
  for (const table of source.tables)
    for await (const rows of stepsOf(source, table, await target.lastKey(table))) {
      signal.throwIfAborted();
      const storable = rows.map((row) => row.map(withoutNul));
      result.changed += rows.flat().filter(hasNul).length;
      await target.insert(table, storable);
      onProgress((done += rows.length), total, "rows");
    }
  await target.setNumbers(await source.numbers());
  done = 0;
  for (const table of source.tables) {
    const [copied, stored] = [createHash("sha256"), createHash("sha256")];
    const rows = await digest(source, table, copied, signal, (count) =>
      onProgress((done += count), total, "checked"),
    );
    await digest(target, table, stored, signal);
    const [sha256, found] = [copied.digest("hex"), stored.digest("hex")];
    if (sha256 !== found)
      throw new Error(
        `The table ${table.name} differs from its copy: it was changed meanwhile. Delete the copy, and move again.`,
      );
    result.tables.push({ name: table.name, rows, sha256 });
  }
  await source.requireUnused?.();
  await target.finish((count, of) => onProgress(count, of, "indexed for search"), signal);
  return result;
}

async function countAll(store: MoveSource): Promise<number> {
  let sum = 0;
  for (const table of store.tables) sum += await store.count(table);
  return sum;
}

/** Yields the rows of a table after a key, fewer at a time where they are long. */
async function* stepsOf(
  store: MoveSource,
  table: MovedTable,
  after: Value[] | undefined,
): AsyncGenerator<Value[][]> {
  const positions = table.key.map((column) => table.columns.indexOf(column));
  for (let [limit, key] = [steps.first, after]; ;) {
    const rows = await store.rowsAfter(table, key, limit);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    key = positions.map((position) => last[position]!);
    const length = rows.flat().reduce<number>((sum, value) => sum + String(value).length, 1);
    limit = Math.min(
      steps.most,
      Math.max(1, Math.floor((rows.length * steps.characters) / length)),
      2 * limit,
    );
  }
}

/** Adds the rows of a table to a hash. Returns how many. */
async function digest(
  store: MoveSource,
  table: MovedTable,
  hash: Hash,
  signal: AbortSignal,
  onRows: (count: number) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for await (const rows of stepsOf(store, table, undefined)) {
    signal.throwIfAborted();
    for (const row of rows) hash.update(`${JSON.stringify(row.map(withoutNul))}\n`);
    count += rows.length;
    onRows(rows.length);
  }
  return count;
}

const hasNul = (value: Value): boolean => typeof value === "string" && value.includes("\0");
const withoutNul = (value: Value): Value =>
  hasNul(value) ? String(value).replaceAll("\0", "\ufffd") : value;

/** Writes `a, b` of names. */
export const namesOf = (names: string[]): string => names.map((name) => `"${name}"`).join(", ");
