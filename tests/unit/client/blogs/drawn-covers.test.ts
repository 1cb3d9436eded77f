import { expect, test } from "vitest";
import { drawingOf } from "../../../../src/client/blogs/cards/drawn-forms.ts";

const titles = Array.from({ length: 300 }, (_, at) => `Title ${at}`);

test("the same title always has the same drawing, and another one another", () => {
  const all = titles.map((title) => JSON.stringify(drawingOf(title)));
  expect(titles.map((title) => JSON.stringify(drawingOf(title)))).toEqual(all);
  expect(new Set(all).size).toBeGreaterThan(200);
});

test("drawings differ by their form, each of which is about as frequent as the others", () => {
  const forms = new Map<string, number>();
  for (const title of titles) {
    const { faint = "", lines = "", full = "" } = drawingOf(title);
    // How the paths are made: by which commands, whatever their numbers.
    const kind = [faint, lines, full]
      .map((path) => [...new Set(path.replaceAll(/[^a-z]/gi, ""))].sort().join(""))
      .join("|");
    forms.set(kind, (forms.get(kind) ?? 0) + 1);
  }
  const frequent = [...forms.values()].filter((count) => count > 15);
  expect(frequent.length).toBeGreaterThanOrEqual(7);
});

test("what is drawn has numbers, stays small, and is there for any title", () => {
  for (const title of ["", "𝄇", "a".repeat(10_000), ...titles]) {
    const drawn = Object.values(drawingOf(title)).join("");
    expect(drawn).not.toMatch(/NaN|undefined|Infinity/);
    expect(drawn.length).toBeGreaterThan(50);
    expect(drawn.length).toBeLessThan(6_000);
  }
});
