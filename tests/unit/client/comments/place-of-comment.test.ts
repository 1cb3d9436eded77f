import { expect, test } from "vitest";
import { placesOfComments } from "../../../../src/client/comments/place-of-comment.ts";
import { readingOrder } from "../../../../src/client/comments/tree.ts";
import type { SeenComment } from "../../../../src/shared/comments.ts";
import type { Place } from "../../../../src/client/ui/arrivals/queue.ts";

const said = (id: string, minute: number, parentId: string | null = null, rootId = parentId ?? id) =>
  ({ id, parentId, rootId, createdAt: `2026-01-01T00:0${minute}` }) as SeenComment;
/** A thread with a reply, an older one, and a pinned one before both. */
const talk = [
  { ...said("pinned", 0), mark: "pinned" as const },
  said("old", 1),
  said("thread", 2),
  said("reply", 3, "thread"),
];
const height = (top: number): Place => (top < 0 ? "passed" : top < 800 ? "in view" : "out of sight");

/** Where a comment that is not drawn comes in, where these rows are drawn at these heights. */
function placeOf(
  comment: SeenComment,
  tops: Record<string, number>,
  { folded = [], isCut = false }: { folded?: string[]; isCut?: boolean } = {},
) {
  const start = isCut ? { id: "old", index: 200 } : null;
  return placesOfComments(
    [comment.id],
    readingOrder([...talk, comment]),
    { folded: new Set(folded), start },
    { topOf: (id) => tops[id], end: () => 2_000, placeAt: height },
  ).get(comment.id);
}
const thread = said("new", 9);
const reply = said("new", 9, "reply", "thread");

test("a thread comes in below the pinned one, above the newest", () => {
  expect(placeOf(thread, { pinned: -300, thread: 100, reply: 200, old: 300 })).toBe("in view");
  expect(placeOf(thread, { pinned: -900, thread: -100, reply: 100, old: 300 })).toBe("passed");
  expect(placeOf(thread, { pinned: 700, thread: 900, reply: 1_000, old: 1_100 })).toBe("out of sight");
});

test("a reply comes in above the thread that follows its own", () => {
  expect(placeOf(reply, { thread: -300, reply: -100, old: 100 })).toBe("in view");
  expect(placeOf(reply, { thread: 100, reply: 700, old: 900 })).toBe("out of sight");
});

test("a reply above the window moves nothing there, and is no reason for a button", () => {
  expect(placeOf(reply, { thread: -600, reply: -400, old: -100 })).toBe("out of sight");
});

test("a comment without a row below it comes in at the end of the list", () => {
  expect(placeOf(said("oldest", 0), { pinned: 0, thread: 200, reply: 300, old: 400 })).toBe("out of sight");
});

test("a reply in a thread that is folded away moves nothing", () => {
  expect(placeOf(reply, { thread: 100, old: 200 }, { folded: ["thread"] })).toBe("out of sight");
  expect(placeOf(reply, { thread: 100, old: 200 }, { folded: ["old"] })).toBe("in view");
});

test("where the list is drawn from further down on, a thread has its place above that", () => {
  expect(placeOf(thread, { old: 100 }, { isCut: true })).toBe("passed");
});

test("a comment that the list does not have has no place", () => {
  const view = { folded: new Set<string>(), start: null };
  const drawn = { topOf: () => 0, end: () => 0, placeAt: height };
  expect(placesOfComments(["gone"], readingOrder(talk), view, drawn).size).toBe(0);
});

test("where no list is drawn there is nothing that could move", () => {
  const rows = readingOrder([...talk, thread]);
  const view = { folded: new Set<string>(), start: null };
  const nothing = { topOf: () => undefined, end: () => undefined, placeAt: height };
  expect(placesOfComments(["new"], rows, view, nothing)).toEqual(new Map([["new", "out of sight"]]));
});

test("however many comments wait, no row is measured twice", () => {
  const waiting = Array.from({ length: 500 }, (_, at) => said(`new-${at}`, 9));
  const tops: Record<string, number> = { pinned: 0, thread: 200, reply: 300, old: 400 };
  const measured: string[] = [];
  const topOf = (id: string) => {
    measured.push(id);
    return tops[id];
  };
  const places = placesOfComments(
    waiting.map(({ id }) => id),
    readingOrder([...talk, ...waiting]),
    { folded: new Set(), start: null },
    { topOf, end: () => 2_000, placeAt: height },
  );
  expect(new Set(places.values())).toEqual(new Set(["in view"]));
  expect(places.size).toBe(500);
  expect(new Set(measured).size).toBe(measured.length);
});
