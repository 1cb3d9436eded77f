import { describe, expect, test } from "vitest";
import { placeMenu } from "../../../../src/client/editor/menus/visible-area.ts";

const viewport = { top: 100, bottom: 700, left: 0, right: 390 };
const size = { width: 200, height: 320 };
const line = (top: number, left = 20) => ({ top, bottom: top + 30, left });

describe("a menu beside a line", () => {
  test("goes below it, also where only part of it fits there", () => {
    expect(placeMenu(line(200), size, viewport)).toEqual({
      side: "below",
      left: 20,
      at: 236,
      maxHeight: 456,
    });
    expect(placeMenu(line(430), size, viewport)).toMatchObject({ side: "below", maxHeight: 226 });
    expect(placeMenu(line(600), { width: 200, height: 50 }, viewport)).toMatchObject({ side: "below" });
  });

  test("goes above it where there is too little room below, as above a keyboard", () => {
    expect(placeMenu(line(600), size, viewport)).toEqual({
      side: "above",
      left: 20,
      at: 594,
      maxHeight: 486,
    });
    // Little room on either side: the side with more, up to its edge.
    const narrowViewport = { ...viewport, bottom: 300 };
    expect(placeMenu(line(210), size, narrowViewport)).toMatchObject({ side: "above", maxHeight: 96 });
    expect(placeMenu(line(140), size, narrowViewport)).toMatchObject({ side: "below", maxHeight: 116 });
  });

  test("goes above it where all of it fits only there", () => {
    expect(placeMenu(line(470), size, viewport)).toMatchObject({ side: "above", maxHeight: 356 });
    expect(placeMenu(line(370), size, viewport)).toMatchObject({ side: "below", maxHeight: 286 });
  });

  test("neither covers its line nor goes beyond an edge", () => {
    for (let top = 100; top <= 670; top += 7) {
      const { side, at, maxHeight } = placeMenu(line(top), size, viewport);
      if (side === "below") expect([at > top + 30, at + maxHeight <= viewport.bottom]).toEqual([true, true]);
      else expect([at < top, at - maxHeight >= viewport.top]).toEqual([true, true]);
    }
    expect(placeMenu(line(200, 300), size, viewport).left).toBe(182);
    expect(placeMenu(line(200, -10), size, viewport).left).toBe(8);
  });
});
