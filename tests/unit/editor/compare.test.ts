import { describe, expect, test } from "vitest";
import { emptyFields } from "../../../src/client/blogs/form/values.ts";
import {
  differingFields,
  differingText,
  differingWords,
  putTogether,
  type Different,
} from "../../../src/client/blogs/form/compare-rules.ts";
import { paragraphs } from "../../support/writing.ts";

const fields = (change: Partial<ReturnType<typeof emptyFields>> = {}) => ({
  ...emptyFields(),
  title: "One",
  ...change,
});
const text = (...lines: string[]) => paragraphs(...lines);
const told = (theirs: string[], mine: string[], base: string[] | null) =>
  differingText(text(...theirs), text(...mine), base && text(...base)).map((piece) =>
    "same" in piece
      ? piece.same.length
      : [piece.theirs.length, piece.mine.length, piece.proposal, piece.isClash],
  );

describe("of two versions of a blog", () => {
  test("a field that one side alone changed is proposed as that side has it", () => {
    const proposals = (theirs: object, mine: object, base: object | null) =>
      differingFields(fields(theirs), fields(mine), base && fields(base), false);
    expect(proposals({ title: "Two" }, {}, {})).toEqual([{ name: "title", proposal: "theirs" }]);
    expect(proposals({}, { tags: ["a"] }, {})).toEqual([{ name: "tags", proposal: "mine" }]);
    expect(proposals({ title: "Two" }, { title: "Three" }, {})).toEqual([
      { name: "title", proposal: "mine" },
    ]);
    expect(proposals({ title: "Two" }, {}, null)).toEqual([{ name: "title", proposal: "mine" }]);
    expect(proposals({ title: "One" }, { title: " One " }, {})).toEqual([]);
    // The address as it stands is no change of one's own.
    expect(proposals({ address: "one-x" }, {}, {})).toEqual([]);
  });

  test("what was made private elsewhere is not published by who did not see it", () => {
    const seen = (theirs: object, mine: object, base: object | null) =>
      differingFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    expect(seen({ private: true }, {}, {})).toBe("theirs");
    expect(seen({ draft: true }, {}, null)).toBe("theirs");
    expect(seen({ draft: true }, { private: true }, {})).toBe("theirs");
    expect(seen({}, { private: true }, {})).toBe("mine");
    expect(seen({ private: true }, {}, { private: true })).toBe("mine");
  });

  test("what was published meanwhile is not proposed to be published later once more", () => {
    const seen = (theirs: object, mine: object, base: object | null) =>
      differingFields(fields(theirs), fields(mine), base && fields(base), false)[0]?.proposal;
    const [at, moved] = ["2026-11-24T08:00:00.000Z", "2026-11-25T08:00:00.000Z"].map((time) => ({
      later: { at: time, zone: "UTC" },
    }));
    expect(seen({}, at!, at!)).toBe("theirs");
    expect(seen({}, moved!, at!)).toBe("theirs");
    expect(seen({ private: true }, moved!, null)).toBe("theirs");
    // Moved on both sides, or here alone: one's own; taken back there: that.
    expect(seen(moved!, { later: { at: "2026-11-26T08:00:00.000Z", zone: "UTC" } }, at!)).toBe("mine");
    expect(seen(at!, moved!, at!)).toBe("mine");
    expect(seen({ draft: true }, at!, at!)).toBe("theirs");
  });

  test("a cover that is still on its way is one's own", () => {
    expect(differingFields(fields(), fields(), fields(), true)).toEqual([
      { name: "cover", proposal: "mine" },
    ]);
  });

  test("paragraphs stand beside each other, and who left one as it was gives way", () => {
    expect(told(["a", "b", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "mine", false], 1]);
    expect(told(["a", "y", "c"], ["a", "b", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "theirs", false], 1]);
    expect(told(["a", "y", "c"], ["a", "x", "c"], ["a", "b", "c"])).toEqual([1, [1, 1, "mine", true], 1]);
    expect(told(["a", "y", "c"], ["a", "x", "c"], null)).toEqual([1, [1, 1, "mine", true], 1]);
    // Put in there, taken out here, put in here, taken out there.
    expect(told(["a", "new", "b"], ["a", "b"], ["a", "b"])).toEqual([1, [1, 0, "theirs", false], 1]);
    expect(told(["a", "b"], ["a"], ["a", "b"])).toEqual([1, [1, 0, "mine", false]]);
    expect(told(["a", "b"], ["a", "new", "b"], ["a", "b"])).toEqual([1, [0, 1, "mine", false], 1]);
    expect(told(["a"], ["a", "b"], ["a", "b"])).toEqual([1, [0, 1, "theirs", false]]);
    // As many on both sides have a choice each.
    expect(told(["a", "1", "2"], ["a", "3", "4"], null)).toHaveLength(3);
  });

  test("what was chosen is put together, and taking one side whole gives that side", () => {
    const [theirs, mine] = [text("a", "b", "c", "d"), text("a", "x", "c", "e", "f")];
    const pieces = differingText(theirs, mine, null);
    const all = (choice: "theirs" | "mine" | "both") =>
      putTogether(
        pieces,
        pieces.map(() => choice),
      );
    expect(all("theirs")).toEqual(theirs);
    expect(all("mine")).toEqual(mine);
    expect(all("both")).toEqual(text("a", "b", "x", "c", "d", "e", "f"));
    expect(putTogether(pieces, ["theirs", "mine"])).toEqual(text("a", "b", "c", "e", "f"));
    expect(
      putTogether([{ theirs: [], mine: text("a").content, proposal: "mine", isClash: false }], ["theirs"]),
    ).toEqual(text(""));
  });

  test("any two texts come apart and together again, however long", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
    for (let turn = 0; turn < 200; turn++) {
      const some = () => text(...Array.from({ length: random(12) }, () => "abcd"[random(4)]!), "z");
      const [theirs, mine, base] = [some(), some(), some()];
      const pieces = differingText(theirs, mine, base);
      const sides = pieces.filter((piece): piece is Different => !("same" in piece));
      expect(
        putTogether(
          pieces,
          sides.map(() => "theirs"),
        ),
      ).toEqual(theirs);
      expect(
        putTogether(
          pieces,
          sides.map(() => "mine"),
        ),
      ).toEqual(mine);
    }
    const long = (word: string) => text(...Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`));
    const pieces = differingText(long("a"), long("b"), null);
    expect(
      putTogether(
        pieces,
        pieces.map(() => "theirs"),
      ),
    ).toEqual(long("a"));
  });

  test("the words that each has of its own are marked", () => {
    const { theirs, mine } = differingWords("The old owl sings.", "The young owl sings.");
    expect(theirs.filter(({ isOwn }) => isOwn).map((part) => part.text)).toEqual(["old"]);
    expect(mine.map((part) => part.text).join("")).toBe("The young owl sings.");
  });
});
