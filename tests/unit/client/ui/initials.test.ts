import { expect, test } from "vitest";
import { hueOf, initialsOf } from "../../../../src/shared/initials.ts";

test.each([
  ["Ana Torres", "AT"],
  ["  ana maría torres ", "AT"],
  ["ana", "A"],
  ["ana.torres", "AT"],
  ["émile zola", "ÉZ"],
  ["🦉 Owl", "🦉O"],
  ["", "?"],
])("%j has the initials %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("gives a name the same colour, however it is written", () => {
  expect(hueOf("Ana Torres")).toBe(hueOf("ana torres"));
  expect(hueOf("Émile")).toBe(hueOf("E\u0301mile"));
  expect(new Set(["Ana", "Ben", "Cleo", "Dora"].map(hueOf)).size).toBe(4);
});
