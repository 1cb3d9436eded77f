import { describe, expect, test } from "vitest";
import { emptyFields } from "../../../../src/client/blogs/form/blog-fields.ts";
import {
  diffFields,
  diffText,
  diffWords,
  mergeChoices,
  type DifferentPiece,
} from "../../../../src/client/blogs/form/compare.ts";
import { paragraphs } from "../../../support/sample-content.ts";

const fields = (change: Partial<ReturnType<typeof emptyFields>> = {}) => ({
  ...emptyFields(),
  title: "One",
  ...change,
});
const text = (...lines: string[]) => paragraphs(...lines);
const summarizeDiff = (theirs: string[], mine: string[]) =>
  diffText(text(...theirs), text(...mine)).map((piece) =>
    "same" in piece ? piece.same.length : [piece.theirs.length, piece.mine.length],
  );
const proposals = (theirs: object, mine: object) => diffFields(fields(theirs), fields(mine), false);
const proposalOf = (theirs: object, mine: object) => proposals(theirs, mine)[0]?.proposal;

describe("comparing two versions of a blog", () => {
  test("proposes the writer's version of a field that differs", () => {
    expect(proposals({ title: "Two" }, { tags: ["a"] })).toEqual([
      { name: "title", proposal: "mine" },
      { name: "tags", proposal: "mine" },
    ]);
    expect(proposals({ title: "One" }, { title: " One " })).toEqual([]);
    // The blog's current address is no change by the writer.
    expect(proposals({ address: "one-x" }, {})).toEqual([]);
    expect(proposals({ address: "one-x" }, { address: "two" })).toEqual([
      { name: "address", proposal: "mine" },
    ]);
  });

  test("proposes the smaller audience", () => {
    expect(proposalOf({ private: true }, {})).toBe("theirs");
    expect(proposalOf({ draft: true }, {})).toBe("theirs");
    expect(proposalOf({ draft: true }, { private: true })).toBe("theirs");
    expect(proposalOf({}, { private: true })).toBe("mine");
    expect(proposalOf({}, { draft: true })).toBe("mine");
  });

  test("does not propose to schedule what was published meanwhile", () => {
    const [at, moved] = ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"].map((time) => ({
      later: { at: time, zone: "UTC" },
    }));
    expect(proposalOf({}, at!)).toBe("theirs");
    expect(proposalOf({ private: true }, at!)).toBe("theirs");
    // Scheduled on both sides: the writer's time.
    expect(proposalOf(moved!, at!)).toBe("mine");
    expect(proposalOf({ draft: true }, at!)).toBe("mine");
  });

  test("takes a cover that is still being uploaded as the writer's", () => {
    expect(diffFields(fields(), fields(), true)).toEqual([{ name: "cover", proposal: "mine" }]);
  });

  test("pairs paragraphs, and shows inserted and deleted ones on one side", () => {
    expect(summarizeDiff(["a", "b", "c"], ["a", "x", "c"])).toEqual([1, [1, 1], 1]);
    expect(summarizeDiff(["a", "new", "b"], ["a", "b"])).toEqual([1, [1, 0], 1]);
    expect(summarizeDiff(["a"], ["a", "b"])).toEqual([1, [0, 1]]);
    // Equally many on both sides get a choice each.
    expect(summarizeDiff(["a", "1", "2"], ["a", "3", "4"])).toEqual([1, [1, 1], [1, 1]]);
    expect(summarizeDiff(["a", "1", "2"], ["a", "3"])).toEqual([1, [2, 1]]);
  });

  test("puts the chosen pieces together, and returns one side when all of it is chosen", () => {
    const [theirs, mine] = [text("a", "b", "c", "d"), text("a", "x", "c", "e", "f")];
    const pieces = diffText(theirs, mine);
    const all = (choice: "theirs" | "mine" | "both") =>
      mergeChoices(
        pieces,
        pieces.map(() => choice),
      );
    expect(all("theirs")).toEqual(theirs);
    expect(all("mine")).toEqual(mine);
    expect(all("both")).toEqual(text("a", "b", "x", "c", "d", "e", "f"));
    // Without a choice, the writer's.
    expect(mergeChoices(pieces, [])).toEqual(mine);
    expect(mergeChoices(pieces, ["theirs", "mine"])).toEqual(text("a", "b", "c", "e", "f"));
    expect(mergeChoices([{ theirs: [], mine: text("a").content }], ["theirs"])).toEqual(text(""));
  });

  test("splits any two texts and puts them together again, however long", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
    for (let turn = 0; turn < 200; turn++) {
      const randomText = () => text(...Array.from({ length: random(12) }, () => "abcd"[random(4)]!), "z");
      const [theirs, mine] = [randomText(), randomText()];
      const pieces = diffText(theirs, mine);
      const differentPieces = pieces.filter((piece): piece is DifferentPiece => !("same" in piece));
      expect(
        mergeChoices(
          pieces,
          differentPieces.map(() => "theirs"),
        ),
      ).toEqual(theirs);
      expect(
        mergeChoices(
          pieces,
          differentPieces.map(() => "mine"),
        ),
      ).toEqual(mine);
    }
    const longText = (prefix: string) => text(...Array.from({ length: 5_000 }, (_, at) => `${prefix} ${at}`));
    const pieces = diffText(longText("a"), longText("b"));
    expect(
      mergeChoices(
        pieces,
        pieces.map(() => "theirs"),
      ),
    ).toEqual(longText("a"));
  });

  test("marks the words that only one side has", () => {
    const { theirs, mine } = diffWords("The old owl sings.", "The young owl sings.");
    expect(theirs.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["old"]);
    expect(mine.map((part) => part.text).join("")).toBe("The young owl sings.");
  });
});
