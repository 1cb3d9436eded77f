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
const told = (theirs: string[], mine: string[], base: string[] | null) =>
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
    const seen = (theirs: object, mine: object, base: object | null) =>
      diffFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    expect(seen({ private: true }, {}, {})).toBe("theirs");
    expect(seen({ draft: true }, {}, null)).toBe("theirs");
    expect(seen({ draft: true }, { private: true }, {})).toBe("theirs");
    expect(seen({}, { private: true }, {})).toBe("mine");
    expect(seen({ private: true }, {}, { private: true })).toBe("mine");
  });

  test("does not propose to schedule what was published meanwhile", () => {
    const seen = (theirs: object, mine: object, base: object | null) =>
      diffFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    const [at, moved] = ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"].map((time) => ({
      later: { at: time, zone: "UTC" },
    }));
    expect(seen({}, at!, at!)).toBe("theirs");
    expect(seen({}, moved!, at!)).toBe("theirs");
    expect(seen({ private: true }, moved!, null)).toBe("theirs");
    // Rescheduled on both sides or only here: the writer's; no longer scheduled there: theirs.
    expect(seen(moved!, { later: { at: "2026-11-26T08:00:00.000Z", zone: "UTC" } }, at!)).toBe("mine");
    expect(seen(at!, moved!, at!)).toBe("mine");
    expect(seen({ draft: true }, at!, at!)).toBe("theirs");
  });

  test("takes a cover that is still being uploaded as the writer's", () => {
    expect(diffFields(fields(), fields(), fields(), true)).toEqual([{ name: "cover", proposal: "mine" }]);
  });

  test("pairs paragraphs, and proposes the side that changed one", () => {
    expect(told(["a", "b", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "mine", false], 1]);
    expect(told(["a", "y", "c"], ["a", "b", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "theirs", false], 1]);
    expect(told(["a", "y", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "mine", true], 1]);
    expect(told(["a", "y", "c"], ["a", "x", "c"], null)).toEqual([1, [1, 1, "mine", true], 1]);
    // Inserted there, deleted here, inserted here, deleted there.
    expect(told(["a", "new", "b"], ["a", "b"], ["a", "b"])).toEqual([1, [1, 0, "theirs", false], 1]);
    expect(told(["a", "b"], ["a"], ["a", "b"])).toEqual([1, [1, 0, "mine", false]]);
    expect(told(["a", "b"], ["a", "new", "b"], ["a", "b"])).toEqual([1, [0, 1, "mine", false], 1]);
    expect(told(["a"], ["a", "b"], ["a", "b"])).toEqual([1, [0, 1, "theirs", false]]);
    // Equally many on both sides get a choice each.
    expect(told(["a", "1", "2"], ["a", "3", "4"], null)).toHaveLength(3);
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
      const some = () => text(...Array.from({ length: random(12) }, () => "abcd"[random(4)]!), "z");
      const [theirs, mine, base] = [some(), some(), some()];
      const pieces = diffText(theirs, mine, base);
      const sides = pieces.filter((piece): piece is DifferentPiece => !("same" in piece));
      expect(
        mergeChoices(
          pieces,
          sides.map(() => "theirs"),
        ),
      ).toEqual(theirs);
      expect(
        mergeChoices(
          pieces,
          sides.map(() => "mine"),
        ),
      ).toEqual(mine);
    }
    const long = (word: string) => text(...Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`));
    const pieces = diffText(long("a"), long("b"), null);
    expect(
      mergeChoices(
        pieces,
        pieces.map(() => "theirs"),
      ),
    ).toEqual(long("a"));
  });

  test("marks the words that only one side has", () => {
    const { theirs, mine } = diffWords("The old owl sings.", "The young owl sings.");
    expect(theirs.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["old"]);
    expect(mine.map((part) => part.text).join("")).toBe("The young owl sings.");
  });
});
