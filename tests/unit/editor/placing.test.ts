import { describe, expect, test } from "vitest";
import { placed } from "../../../src/client/editor/menus/placing.ts";

const seen = { top: 100, bottom: 700, left: 0, right: 390 };
const size = { width: 200, height: 320 };
const line = (top: number, left = 20) => ({ top, bottom: top + 30, left });

describe("a menu beside a line", () => {
  test("goes below it, also where not all of it has room there", () => {
    expect(placed(line(200), size, seen)).toEqual({ side: "below", left: 20, at: 236, maxHeight: 456 });
    expect(placed(line(430), size, seen)).toMatchObject({ side: "below", maxHeight: 226 });
    expect(placed(line(600), { width: 200, height: 50 }, seen)).toMatchObject({ side: "below" });
  });

  test("goes above it where there is too little room below, as before a keyboard", () => {
    expect(placed(line(600), size, seen)).toEqual({ side: "above", left: 20, at: 594, maxHeight: 486 });
    // Little room on either side: where there is more, and no further than that.
    const between = { ...seen, bottom: 300 };
    expect(placed(line(210), size, between)).toMatchObject({ side: "above", maxHeight: 96 });
    expect(placed(line(140), size, between)).toMatchObject({ side: "below", maxHeight: 116 });
  });

  test("goes above it where all of it fits there alone", () => {
    expect(placed(line(470), size, seen)).toMatchObject({ side: "above", maxHeight: 356 });
    expect(placed(line(370), size, seen)).toMatchObject({ side: "below", maxHeight: 286 });
  });

  test("lies neither over its line nor beyond an edge", () => {
    for (let top = 100; top <= 670; top += 7) {
      const { side, at, maxHeight } = placed(line(top), size, seen);
      if (side === "below") expect([at > top + 30, at + maxHeight <= seen.bottom]).toEqual([true, true]);
      else expect([at < top, at - maxHeight >= seen.top]).toEqual([true, true]);
    }
    expect(placed(line(200, 300), size, seen).left).toBe(182);
    expect(placed(line(200, -10), size, seen).left).toBe(8);
  });
});
