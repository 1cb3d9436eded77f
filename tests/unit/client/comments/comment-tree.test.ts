import fc from "fast-check";
import { expect, test } from "vitest";
import { mostRows, startAt, startWith, stretchOf } from "../../../../src/client/comments/stretch.ts";
import { readingOrder, visibleRows, withFolds } from "../../../../src/client/comments/tree.ts";
import type { SeenComment } from "../../../../src/shared/comments.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
function aComment(id: string, parent: SeenComment | null, minute: number): SeenComment {
  return {
    id,
    blogId: "b",
    parentId: parent?.id ?? null,
    rootId: parent?.rootId ?? id,
    author: null,
    text: id,
    createdAt: at(minute),
    editedAt: null,
    deleted: false,
    likesCount: 0,
    liked: false,
  };
}
const nobody: ReadonlySet<string> = new Set();

test("threads newest first, replies oldest first below what they answer", () => {
  const first = aComment("first", null, 1);
  const second = aComment("second", null, 2);
  const early = aComment("early", first, 3);
  const late = aComment("late", first, 5);
  const deep = aComment("deep", early, 4);
  const rows = readingOrder([late, deep, first, early, second]);
  expect(rows.map((row) => [row.comment.id, row.depth, row.replies])).toEqual([
    ["second", 0, 0],
    ["first", 0, 3],
    ["early", 1, 1],
    ["deep", 2, 0],
    ["late", 1, 0],
  ]);
});

test("folding hides what is below, waiting hides a comment and what is below it", () => {
  const a = aComment("a", null, 1);
  const b = aComment("b", a, 2);
  const c = aComment("c", b, 3);
  const d = aComment("d", null, 4);
  const rows = readingOrder([a, b, c, d]);
  expect(visibleRows(rows, new Set(["b"]), nobody).map((row) => row.comment.id)).toEqual(["d", "a", "b"]);
  expect(visibleRows(rows, nobody, new Set(["a"])).map((row) => row.comment.id)).toEqual(["d"]);
  expect(visibleRows(rows, nobody, new Set(["b"])).map((row) => row.comment.id)).toEqual(["d", "a"]);
});

test("the way to more replies stands behind its thread, unless that is folded away", () => {
  const a = aComment("a", null, 1);
  const b = aComment("b", a, 2);
  const d = aComment("d", null, 4);
  const rows = readingOrder([a, b, d]);
  const items = (folded: ReadonlySet<string>) =>
    withFolds(visibleRows(rows, folded, nobody), folded, (rootId) => (rootId === "a" ? 7 : 0));
  expect(items(nobody).map(({ id }) => id)).toEqual(["d", "a", "b", "more-a"]);
  expect(items(nobody).at(-1)).toMatchObject({ rootId: "a", hidden: 7 });
  expect(items(new Set(["b"])).map(({ id }) => id)).toEqual(["d", "a", "b", "more-a"]);
  expect(items(new Set(["a"])).map(({ id }) => id)).toEqual(["d", "a"]);
});

test("of many rows a stretch is drawn that has what is to be seen, and stays where it was if it can", () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}`, rootId: "", hidden: 1 }));
  expect(stretchOf(items.slice(0, 50), null)).toEqual([0, 50]);
  expect(stretchOf(items, null)).toEqual([0, mostRows]);
  const start = startAt(items, 300);
  expect(stretchOf(items, start)).toEqual([300, 300 + mostRows]);
  // What comes above moves it along; where its first row goes, the next one is first.
  const newer = { id: "new", rootId: "", hidden: 1 };
  expect(stretchOf([newer, ...items], start)).toEqual([301, 301 + mostRows]);
  expect(stretchOf(items.toSpliced(300, 1), start)).toEqual([300, 300 + mostRows]);
  expect(startWith(items, start, "c350")).toBe(start);
  for (const index of [0, 10, 299, 480, 700, 999]) {
    const [from, to] = stretchOf(items, startWith(items, start, `c${index}`));
    expect(index).toBeGreaterThanOrEqual(from);
    expect(Math.min(index + 30, 999)).toBeLessThan(to);
  }
  expect(startWith(items, start, "nowhere")).toBe(start);
});

test("a reply whose parent is not loaded stands under its thread", () => {
  const root = aComment("root", null, 1);
  const missing = aComment("missing", root, 2);
  const reply = aComment("reply", missing, 3);
  expect(readingOrder([root, reply]).map((row) => [row.comment.id, row.depth])).toEqual([
    ["root", 0],
    ["reply", 1],
  ]);
});

test("a thread ten thousand deep is no deeper than the machine", () => {
  const comments: SeenComment[] = [];
  for (let depth = 0; depth < 10_000; depth++)
    comments.push(aComment(`c${depth}`, comments.at(-1) ?? null, depth));
  const rows = readingOrder(comments.toReversed());
  expect(rows.length).toBe(10_000);
  expect(rows[0]?.replies).toBe(9_999);
  expect(rows.at(-1)?.depth).toBe(9_999);
});

test("every comment shows once, after its parent, with all its replies counted, however the list is shuffled", () => {
  const list = fc.array(fc.option(fc.nat(100), { nil: null }), { maxLength: 40 }).map((parents) => {
    const comments: SeenComment[] = [];
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
        const below = (id: string): number =>
          comments
            .filter((comment) => comment.parentId === id)
            .reduce((sum, comment) => sum + 1 + below(comment.id), 0);
        expect(row.replies).toBe(below(row.comment.id));
        const parent = rows.findIndex((other) => other.comment.id === row.comment.parentId);
        expect(parent).toBeLessThan(rows.indexOf(row));
      }
    }),
  );
});
