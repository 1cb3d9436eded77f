import fc from "fast-check";
import { expect, test } from "vitest";
import { maxRows, startAt, startIncluding, rowWindow } from "../../../../src/client/comments/row-window.ts";
import { readingOrder, visibleRows, withFolds } from "../../../../src/client/comments/tree.ts";
import type { ViewerComment } from "../../../../src/shared/comments.ts";
import { atMinute, listedComment } from "../../../support/live-queries.ts";

const aComment = (id: string, parent: ViewerComment | null, minute: number): ViewerComment =>
  listedComment(id, {
    parentId: parent?.id ?? null,
    rootId: parent?.rootId ?? id,
    createdAt: atMinute(minute),
  });
const noIds: ReadonlySet<string> = new Set();

test("orders threads newest first, and replies oldest first below their parent", () => {
  const first = aComment("first", null, 1);
  const second = aComment("second", null, 2);
  const earlyReply = aComment("early", first, 3);
  const lateReply = aComment("late", first, 5);
  const deepReply = aComment("deep", earlyReply, 4);
  const rows = readingOrder([lateReply, deepReply, first, earlyReply, second]);
  expect(rows.map((row) => [row.comment.id, row.depth, row.replies])).toEqual([
    ["second", 0, 0],
    ["first", 0, 3],
    ["early", 1, 1],
    ["deep", 2, 0],
    ["late", 1, 0],
  ]);
});

test("hides the replies to a folded comment, and a waiting comment with its replies", () => {
  const a = aComment("a", null, 1);
  const b = aComment("b", a, 2);
  const c = aComment("c", b, 3);
  const d = aComment("d", null, 4);
  const rows = readingOrder([a, b, c, d]);
  expect(visibleRows(rows, new Set(["b"]), noIds).map((row) => row.comment.id)).toEqual(["d", "a", "b"]);
  expect(visibleRows(rows, noIds, new Set(["a"])).map((row) => row.comment.id)).toEqual(["d"]);
  expect(visibleRows(rows, noIds, new Set(["b"])).map((row) => row.comment.id)).toEqual(["d", "a"]);
});

test("puts the link to more replies behind its thread, unless the thread is folded", () => {
  const a = aComment("a", null, 1);
  const b = aComment("b", a, 2);
  const d = aComment("d", null, 4);
  const rows = readingOrder([a, b, d]);
  const items = (folded: ReadonlySet<string>) =>
    withFolds(visibleRows(rows, folded, noIds), folded, (rootId) => (rootId === "a" ? 7 : 0));
  expect(items(noIds).map(({ id }) => id)).toEqual(["d", "a", "b", "more-a"]);
  expect(items(noIds).at(-1)).toMatchObject({ rootId: "a", hidden: 7 });
  expect(items(new Set(["b"])).map(({ id }) => id)).toEqual(["d", "a", "b", "more-a"]);
  expect(items(new Set(["a"])).map(({ id }) => id)).toEqual(["d", "a"]);
});

test("renders a window of many rows that has the wanted row, and keeps it where it was if it can", () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}`, rootId: "", hidden: 1 }));
  expect(rowWindow(items.slice(0, 50), null)).toEqual([0, 50]);
  expect(rowWindow(items, null)).toEqual([0, maxRows]);
  const start = startAt(items, 300);
  expect(rowWindow(items, start)).toEqual([300, 300 + maxRows]);
  // Rows inserted above shift the window; where its first row is deleted, the next one is first.
  const newer = { id: "new", rootId: "", hidden: 1 };
  expect(rowWindow([newer, ...items], start)).toEqual([301, 301 + maxRows]);
  expect(rowWindow(items.toSpliced(300, 1), start)).toEqual([300, 300 + maxRows]);
  expect(startIncluding(items, start, "c350")).toBe(start);
  for (const index of [0, 10, 299, 480, 700, 999]) {
    const [from, to] = rowWindow(items, startIncluding(items, start, `c${index}`));
    expect(index).toBeGreaterThanOrEqual(from);
    expect(Math.min(index + 30, 999)).toBeLessThan(to);
  }
  expect(startIncluding(items, start, "nowhere")).toBe(start);
});

test("shows a reply whose parent is not loaded under its thread", () => {
  const root = aComment("root", null, 1);
  const missing = aComment("missing", root, 2);
  const reply = aComment("reply", missing, 3);
  expect(readingOrder([root, reply]).map((row) => [row.comment.id, row.depth])).toEqual([
    ["root", 0],
    ["reply", 1],
  ]);
});

test("orders a thread that is ten thousand levels deep", () => {
  const comments: ViewerComment[] = [];
  for (let depth = 0; depth < 10_000; depth++)
    comments.push(aComment(`c${depth}`, comments.at(-1) ?? null, depth));
  const rows = readingOrder(comments.toReversed());
  expect(rows.length).toBe(10_000);
  expect(rows[0]?.replies).toBe(9_999);
  expect(rows.at(-1)?.depth).toBe(9_999);
});

test("lists every comment once, after its parent, with all replies counted, in any order of input", () => {
  const list = fc.array(fc.option(fc.nat(100), { nil: null }), { maxLength: 40 }).map((parents) => {
    const comments: ViewerComment[] = [];
    parents.forEach((parent, index) => {
      comments.push(
        aComment(
          `c${index}`,
          parent === null ? null : (comments[parent % Math.max(1, comments.length)] ?? null),
          index % 7,
        ),
      );
    });
    return comments;
  });
  fc.assert(
    fc.property(list, fc.infiniteStream(fc.nat()), (comments, chance) => {
      const expected = readingOrder(comments);
      const shuffled = comments
        .map((comment) => [chance.next().value, comment] as const)
        .toSorted((a, b) => a[0] - b[0])
        .map(([, comment]) => comment);
      const rows = readingOrder(shuffled);
      expect(rows).toEqual(expected);
      expect(new Set(rows.map((row) => row.comment.id)).size).toBe(comments.length);
      for (const row of rows) {
        const countBelow = (id: string): number =>
          comments
            .filter((comment) => comment.parentId === id)
            .reduce((sum, comment) => sum + 1 + countBelow(comment.id), 0);
        expect(row.replies).toBe(countBelow(row.comment.id));
        const parent = rows.findIndex((other) => other.comment.id === row.comment.parentId);
        expect(parent).toBeLessThan(rows.indexOf(row));
      }
    }),
  );
});
