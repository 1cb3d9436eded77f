import { expect, test } from "vitest";
import { findPlace, hashText } from "../../../../src/client/blogs/article/place/scroll-place.ts";

const text = ["Dusk", "One hears owls.", "***", "And a train.", "***", "Then nothing.", "Dawn"];
const placeIn = (before: string[], block: number, after: string[], part = 40) => {
  const found = findPlace(after.map(hashText), { block, words: hashText(before[block]!), part });
  return found && [after[found.block], found.block, found.part];
};

test("finds the place by its words, wherever an edit moved them", () => {
  expect(placeIn(text, 3, text)).toEqual(["And a train.", 3, 40]);
  expect(placeIn(text, 3, ["A word before", "Another", ...text])).toEqual(["And a train.", 5, 40]);
  expect(placeIn(text, 3, text.slice(2))).toEqual(["And a train.", 1, 40]);
  expect(placeIn(text, 3, text.toReversed())).toEqual(["And a train.", 3, 40]);
  expect(placeIn(text, 5, ["Then nothing.", ...text.slice(0, 5)])).toEqual(["Then nothing.", 0, 40]);
});

test("finds the nearest of blocks with the same words, the first of two equally near", () => {
  expect(placeIn(text, 4, text)).toEqual(["***", 4, 40]);
  expect(placeIn(text, 4, ["A word before", ...text])).toEqual(["***", 3, 40]);
  expect(placeIn(text, 2, text.slice(1))).toEqual(["***", 1, 40]);
  expect(placeIn(["a", "***"], 1, ["***", "a", "***"])).toEqual(["***", 0, 40]);
});

test("falls back to the start of the block that is there now, or of the last one, when the words were changed", () => {
  const changed = text.with(3, "And two trains.");
  expect(placeIn(text, 3, changed)).toEqual(["And two trains.", 3, 0]);
  expect(placeIn(text, 6, ["Dusk", "One hears owls."])).toEqual(["One hears owls.", 1, 0]);
  expect(placeIn(text, 6, [])).toBeUndefined();
});

test("hashes words regardless of white space, with hardly any collision", () => {
  expect(hashText(" One\n hears  owls. ")).toBe(hashText("One hears owls."));
  expect(hashText("")).toBe(0x811c9dc5);
  const many = new Set(Array.from({ length: 20_000 }, (_, at) => hashText(`Line ${at} of many.`)));
  expect(many.size).toBeGreaterThan(19_998);
  for (const hash of many) expect(hash).toBe(hash >>> 0);
});
