import { describe, expect, test } from "vitest";
import { differentFields, diffBlocks, diffWords } from "../../../../src/client/history/differences.ts";
import { emptyFields } from "../../../../src/client/writing/draft-fields.ts";
import { paragraphs } from "../../../support/sample-content.ts";

const fields = (change: Partial<ReturnType<typeof emptyFields>> = {}) => ({
  ...emptyFields(),
  title: "One",
  ...change,
});
const differences = (before: object, after: object) => differentFields(fields(before), fields(after), false);
const blocks = (lines: string[]) => paragraphs(...lines).content;
const summarizeDiff = (before: string[], after: string[]) =>
  diffBlocks(blocks(before), blocks(after)).map((run) =>
    "same" in run ? run.same.length : [run.before.length, run.after.length],
  );

describe("comparing two versions of a blog", () => {
  test("names the fields that differ", () => {
    expect(differences({ title: "Two" }, { tags: ["a"] })).toEqual(["title", "tags"]);
    expect(differences({ title: "One" }, { title: " One " })).toEqual([]);
    // An empty address is that of the version before.
    expect(differences({ address: "one-x" }, {})).toEqual([]);
    expect(differences({ address: "one-x" }, { address: "two" })).toEqual(["address"]);
    expect(differences({ private: true }, { draft: true })).toEqual(["visibility"]);
  });

  test("names a cover that is still being uploaded", () => {
    expect(differentFields(fields(), fields(), true)).toEqual(["cover"]);
  });

  test("splits texts into equal and different blocks", () => {
    expect(summarizeDiff(["a", "b", "c"], ["a", "x", "c"])).toEqual([1, [1, 1], 1]);
    expect(summarizeDiff(["a", "new", "b"], ["a", "b"])).toEqual([1, [1, 0], 1]);
    expect(summarizeDiff(["a"], ["a", "b"])).toEqual([1, [0, 1]]);
    expect(summarizeDiff(["a", "1", "2"], ["a", "3"])).toEqual([1, [2, 1]]);
  });

  test("contains all blocks of both texts, however long", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
    const expectAll = (before: string[], after: string[]) => {
      const runs = diffBlocks(blocks(before), blocks(after));
      expect(runs.flatMap((run) => ("same" in run ? run.same : run.before))).toEqual(blocks(before));
      expect(runs.flatMap((run) => ("same" in run ? run.same : run.after))).toEqual(blocks(after));
    };
    for (let turn = 0; turn < 200; turn++) {
      const randomText = () => [...Array.from({ length: random(12) }, () => "abcd"[random(4)]!), "z"];
      expectAll(randomText(), randomText());
    }
    const longText = (prefix: string) => Array.from({ length: 5_000 }, (_, at) => `${prefix} ${at}`);
    expectAll(longText("a"), longText("b"));
  });

  test("marks the words that only one side has", () => {
    const { before, after } = diffWords("The old owl sings.", "The young owl sings.");
    expect(before.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["old"]);
    expect(after.map((part) => part.text).join("")).toBe("The young owl sings.");
  });
});
