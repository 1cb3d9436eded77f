import { expect, test } from "vitest";
import { hueOf, initialsOf } from "../../../../src/shared/drawn.ts";

test.each([
  ["Ana Torres", "AT"],
  ["  ana maría torres ", "AT"],
  ["ana", "A"],
  ["ana.torres", "AT"],
  ["émile zola", "ÉZ"],
  ["🦉 Owl", "🦉O"],
  ["", "?"],
])("%j is drawn as %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("a name always has the same colour, however it is written", () => {
  expect(hueOf("Ana Torres")).toBe(hueOf("ana torres"));
  expect(hueOf("Émile")).toBe(hueOf("E\u0301mile"));
  expect(new Set(["Ana", "Ben", "Cleo", "Dora"].map(hueOf)).size).toBe(4);
});
