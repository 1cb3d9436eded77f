import { expect, test } from "vitest";
import { positionsOfComments } from "../../../../src/client/comments/place-of-comment.ts";
import { readingOrder } from "../../../../src/client/comments/tree.ts";
import type { ViewerComment } from "../../../../src/shared/comments.ts";
import type { ArrivalPosition } from "../../../../src/client/ui/arrivals/arrival-queue.ts";

const aComment = (id: string, minute: number, parentId: string | null = null, rootId = parentId ?? id) =>
  ({ id, parentId, rootId, createdAt: `2026-01-01T00:0${minute}` }) as ViewerComment;
/** A thread with a reply, an older thread, and a pinned one before both. */
const commentList = [
  { ...aComment("pinned", 0), mark: "pinned" as const },
  aComment("old", 1),
  aComment("thread", 2),
  aComment("reply", 3, "thread"),
];
const height = (top: number): ArrivalPosition =>
  top < 0 ? "passed" : top < 800 ? "in view" : "out of sight";

/** Returns where a comment that is not rendered yet would appear among rows rendered at these heights. */
function placeOf(
  comment: ViewerComment,
  tops: Record<string, number>,
  { folded = [], isCut = false }: { folded?: string[]; isCut?: boolean } = {},
) {
  const start = isCut ? { id: "old", index: 200 } : null;
  return positionsOfComments(
    [comment.id],
    readingOrder([...commentList, comment]),
    { folded: new Set(folded), start },
    { topOf: (id) => tops[id], end: () => 2_000, placeAt: height },
  ).get(comment.id);
}
const thread = aComment("new", 9);
const reply = aComment("new", 9, "reply", "thread");

test("places a new thread below the pinned one and above the newest", () => {
  expect(placeOf(thread, { pinned: -300, thread: 100, reply: 200, old: 300 })).toBe("in view");
  expect(placeOf(thread, { pinned: -900, thread: -100, reply: 100, old: 300 })).toBe("passed");
  expect(placeOf(thread, { pinned: 700, thread: 900, reply: 1_000, old: 1_100 })).toBe("out of sight");
});

test("places a reply above the thread that follows its own", () => {
  expect(placeOf(reply, { thread: -300, reply: -100, old: 100 })).toBe("in view");
  expect(placeOf(reply, { thread: 100, reply: 700, old: 900 })).toBe("out of sight");
});

test("counts a reply above the window as out of sight, not as passed", () => {
  expect(placeOf(reply, { thread: -600, reply: -400, old: -100 })).toBe("out of sight");
});

test("places a comment without a row below it at the end of the list", () => {
  expect(placeOf(aComment("oldest", 0), { pinned: 0, thread: 200, reply: 300, old: 400 })).toBe(
    "out of sight",
  );
});

test("counts a reply in a folded thread as out of sight", () => {
  expect(placeOf(reply, { thread: 100, old: 200 }, { folded: ["thread"] })).toBe("out of sight");
  expect(placeOf(reply, { thread: 100, old: 200 }, { folded: ["old"] })).toBe("in view");
});

test("places a thread above the rendered rows when these begin further down the list", () => {
  expect(placeOf(thread, { old: 100 }, { isCut: true })).toBe("passed");
});

test("gives no place to a comment that the list does not have", () => {
  const view = { folded: new Set<string>(), start: null };
  const layout = { topOf: () => 0, end: () => 0, placeAt: height };
  expect(positionsOfComments(["gone"], readingOrder(commentList), view, layout).size).toBe(0);
});

test("counts a comment as out of sight when no list is rendered", () => {
  const rows = readingOrder([...commentList, thread]);
  const view = { folded: new Set<string>(), start: null };
  const noLayout = { topOf: () => undefined, end: () => undefined, placeAt: height };
  expect(positionsOfComments(["new"], rows, view, noLayout)).toEqual(new Map([["new", "out of sight"]]));
});

test("measures no row twice, however many comments wait", () => {
  const waiting = Array.from({ length: 500 }, (_, at) => aComment(`new-${at}`, 9));
  const tops: Record<string, number> = { pinned: 0, thread: 200, reply: 300, old: 400 };
  const measured: string[] = [];
  const topOf = (id: string) => {
    measured.push(id);
    return tops[id];
  };
  const positions = positionsOfComments(
    waiting.map(({ id }) => id),
    readingOrder([...commentList, ...waiting]),
    { folded: new Set(), start: null },
    { topOf, end: () => 2_000, placeAt: height },
  );
  expect(new Set(positions.values())).toEqual(new Set(["in view"]));
  expect(positions.size).toBe(500);
  expect(new Set(measured).size).toBe(measured.length);
});
