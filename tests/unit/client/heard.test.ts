import { expect, test } from "vitest";
import { HeardEvents, earlier, isBehind } from "../../../src/client/comments/heard.ts";
import type { BlogEvent } from "../../../src/shared/events.ts";

const liked = (likesCount: number): BlogEvent => ({ kind: "blog.liked", likesCount });

test("what was read before an event gets it, what was read after does not", () => {
  const heard = new HeardEvents();
  heard.add("e.9", liked(1));
  heard.add("e.10", liked(2));
  heard.add("e.100", liked(3));
  expect(heard.after("e.9")).toEqual([liked(2), liked(3)]);
  expect(heard.after("e.100")).toEqual([]);
  expect(heard.latest("e.10")).toBe("e.100");
  expect(heard.latest("e.101")).toBe("e.101");
});

test("numbers are compared as numbers, and epochs not at all", () => {
  expect(isBehind("e.9", "e.10")).toBe(true);
  expect(isBehind("e.10", "e.9")).toBe(false);
  expect(isBehind("e.1", "f.2")).toBe(false);
  expect(earlier("e.10", "e.9")).toBe("e.9");
  expect(earlier("e.9", "e.10")).toBe("e.9");
});

test("after a reset nothing of before is applied", () => {
  const heard = new HeardEvents();
  heard.add("old.5", liked(1));
  expect(heard.after("new.1")).toEqual([]);
  heard.clear();
  expect(heard.latest("new.1")).toBe("new.1");
});
