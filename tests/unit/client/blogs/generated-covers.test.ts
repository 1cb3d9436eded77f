import { expect, test } from "vitest";
import { drawCoverFor } from "../../../../src/client/blogs/cards/cover-drawings.ts";

const titles = Array.from({ length: 300 }, (_, at) => `Title ${at}`);

test("draws the same cover for the same title, and nearly always another one for another title", () => {
  const all = titles.map((title) => JSON.stringify(drawCoverFor(title)));
  expect(titles.map((title) => JSON.stringify(drawCoverFor(title)))).toEqual(all);
  expect(new Set(all).size).toBeGreaterThan(200);
});

test("draws at least seven forms of cover, each of them often", () => {
  const forms = new Map<string, number>();
  for (const title of titles) {
    const { faint = "", lines = "", full = "" } = drawCoverFor(title);
    // The form: the set of path commands, without their numbers.
    const kind = [faint, lines, full]
      .map((path) => [...new Set(path.replaceAll(/[^a-z]/gi, ""))].sort().join(""))
      .join("|");
    forms.set(kind, (forms.get(kind) ?? 0) + 1);
  }
  const frequent = [...forms.values()].filter((count) => count > 15);
  expect(frequent.length).toBeGreaterThanOrEqual(7);
});

test("draws a small, valid cover for any title", () => {
  for (const title of ["", "𝄇", "a".repeat(10_000), ...titles]) {
    const svg = Object.values(drawCoverFor(title)).join("");
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(svg.length).toBeGreaterThan(50);
    expect(svg.length).toBeLessThan(6_000);
  }
});
