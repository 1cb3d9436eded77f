import fc from "fast-check";
import { expect, test } from "vitest";
import { accentOf, accentSheet, contrast, papers } from "../../../src/shared/accent.ts";

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);

test("computes contrast as WCAG defines it", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#c8401f", "#c8401f")).toBe(1);
});

test("makes any accent colour readable as text and as a background, in light and dark mode", () => {
  fc.assert(
    fc.property(color, (chosen) => {
      const { light, dark } = accentOf(chosen);
      expect(contrast(light, papers.light)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, papers.dark)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, "#120b08")).toBeGreaterThanOrEqual(4.5);
      expect(accentSheet(chosen)).toMatch(
        /^:root\{(--[\w-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);?){4}\}$/,
      );
    }),
  );
});

test("keeps a colour that has enough contrast", () => {
  expect(accentOf("#c8401f").light).toBe("#c8401f");
  expect(accentOf("#ff7a52").dark).toBe("#ff7a52");
});
