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
const summarizeDiff = (theirs: string[], mine: string[], base: string[] | null) =>
  diffText(text(...theirs), text(...mine), base && text(...base)).map((piece) =>
    "same" in piece
      ? piece.same.length
      : [piece.theirs.length, piece.mine.length, piece.proposal, piece.isClash],
  );

describe("comparing two versions of a blog", () => {
  test("proposes the side that alone changed a field, and otherwise the writer's", () => {
    const proposals = (theirs: object, mine: object, base: object | null) =>
      diffFields(fields(theirs), fields(mine), base && fields(base), false);
    expect(proposals({ title: "Two" }, {}, {})).toEqual([{ name: "title", proposal: "theirs" }]);
    expect(proposals({}, { tags: ["a"] }, {})).toEqual([{ name: "tags", proposal: "mine" }]);
    expect(proposals({ title: "Two" }, { title: "Three" }, {})).toEqual([
      { name: "title", proposal: "mine" },
    ]);
    expect(proposals({ title: "Two" }, {}, null)).toEqual([{ name: "title", proposal: "mine" }]);
    expect(proposals({ title: "One" }, { title: " One " }, {})).toEqual([]);
    // The blog's current address is no change by the writer.
    expect(proposals({ address: "one-x" }, {}, {})).toEqual([]);
  });

  test("proposes the private version when it was made private elsewhere without the writer seeing it", () => {
    const proposalOf = (theirs: object, mine: object, base: object | null) =>
      diffFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    expect(proposalOf({ private: true }, {}, {})).toBe("theirs");
    expect(proposalOf({ draft: true }, {}, null)).toBe("theirs");
    expect(proposalOf({ draft: true }, { private: true }, {})).toBe("theirs");
    expect(proposalOf({}, { private: true }, {})).toBe("mine");
    expect(proposalOf({ private: true }, {}, { private: true })).toBe("mine");
  });

  test("does not propose to schedule what was published meanwhile", () => {
    const proposalOf = (theirs: object, mine: object, base: object | null) =>
      diffFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    const [at, moved] = ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"].map((time) => ({
      later: { at: time, zone: "UTC" },
    }));
    expect(proposalOf({}, at!, at!)).toBe("theirs");
    expect(proposalOf({}, moved!, at!)).toBe("theirs");
    expect(proposalOf({ private: true }, moved!, null)).toBe("theirs");
    // Rescheduled on both sides or only here: the writer's; no longer scheduled there: theirs.
    expect(proposalOf(moved!, { later: { at: "2026-11-26T08:00:00.000Z", zone: "UTC" } }, at!)).toBe("mine");
    expect(proposalOf(at!, moved!, at!)).toBe("mine");
    expect(proposalOf({ draft: true }, at!, at!)).toBe("theirs");
  });

  test("takes a cover that is still being uploaded as the writer's", () => {
    expect(diffFields(fields(), fields(), fields(), true)).toEqual([{ name: "cover", proposal: "mine" }]);
  });

  test("pairs paragraphs, and proposes the side that changed one", () => {
    expect(summarizeDiff(["a", "b", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([
      1,
      [1, 1, "mine", false],
      1,
    ]);
    expect(summarizeDiff(["a", "y", "c"], ["a", "b", "c"], ["a", "b", "c"])).toEqual([
      1,
      [1, 1, "theirs", false],
      1,
    ]);
    expect(summarizeDiff(["a", "y", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([
      1,
      [1, 1, "mine", true],
      1,
    ]);
    expect(summarizeDiff(["a", "y", "c"], ["a", "x", "c"], null)).toEqual([1, [1, 1, "mine", true], 1]);
    // Inserted there, deleted here, inserted here, deleted there.
    expect(summarizeDiff(["a", "new", "b"], ["a", "b"], ["a", "b"])).toEqual([1, [1, 0, "theirs", false], 1]);
    expect(summarizeDiff(["a", "b"], ["a"], ["a", "b"])).toEqual([1, [1, 0, "mine", false]]);
    expect(summarizeDiff(["a", "b"], ["a", "new", "b"], ["a", "b"])).toEqual([1, [0, 1, "mine", false], 1]);
    expect(summarizeDiff(["a"], ["a", "b"], ["a", "b"])).toEqual([1, [0, 1, "theirs", false]]);
    // Equally many on both sides get a choice each.
    expect(summarizeDiff(["a", "1", "2"], ["a", "3", "4"], null)).toHaveLength(3);
  });

  test("puts the chosen pieces together, and returns one side when all of it is chosen", () => {
    const [theirs, mine] = [text("a", "b", "c", "d"), text("a", "x", "c", "e", "f")];
    const pieces = diffText(theirs, mine, null);
    const all = (choice: "theirs" | "mine" | "both") =>
      mergeChoices(
        pieces,
        pieces.map(() => choice),
      );
    expect(all("theirs")).toEqual(theirs);
    expect(all("mine")).toEqual(mine);
    expect(all("both")).toEqual(text("a", "b", "x", "c", "d", "e", "f"));
    expect(mergeChoices(pieces, ["theirs", "mine"])).toEqual(text("a", "b", "c", "e", "f"));
    expect(
      mergeChoices([{ theirs: [], mine: text("a").content, proposal: "mine", isClash: false }], ["theirs"]),
    ).toEqual(text(""));
  });

  test("splits any two texts and puts them together again, however long", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
    for (let turn = 0; turn < 200; turn++) {
      const randomText = () => text(...Array.from({ length: random(12) }, () => "abcd"[random(4)]!), "z");
      const [theirs, mine, base] = [randomText(), randomText(), randomText()];
      const pieces = diffText(theirs, mine, base);
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
    const pieces = diffText(longText("a"), longText("b"), null);
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
