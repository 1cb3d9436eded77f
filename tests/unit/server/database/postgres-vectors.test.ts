import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionsOf, matchText } from "../../../../src/server/database/postgres/match.ts";
import { PieceVector, WordVector, wordsIn } from "../../../../src/server/database/postgres/vectors.ts";
import { fold } from "../../../../src/shared/fold.ts";

/** Parts of texts in all kinds of characters, without a script that has no spaces beside one that has. */
const part = fc.oneof(
  fc.constantFrom(
    "owl",
    "Straße",
    "ёжика",
    "שָׁלוֹם",
    "हिन्दी",
    "ﬁn",
    "a\u0301",
    "١٢",
    "Ⅷ",
    "½",
    "node.js",
    "don’t",
  ),
  fc.constantFrom(" ", "-", "_", "'", "\\", '"', "\n", "\u00a0", "👩‍👩‍👧", "…", "\u200b", "\u20dd", "\ue000"),
  fc.constantFrom(" 大東京の夜 ", " 서울 ", " กรุงเทพ ", "。"),
);
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));

/** Returns what SQLite's full text search makes of a text, in its order. */
function termsOf(tokenizer: string, content: string): string[] {
  const sqlite = new Sqlite(":memory:");
  sqlite.exec(`create virtual table texts using fts5(content, tokenize="${tokenizer}");
    create virtual table terms using fts5vocab(texts, instance)`);
  sqlite.prepare("insert into texts values (?)").run(content);
  const terms = sqlite.prepare<[], string>("select term from terms order by offset").pluck().all();
  sqlite.close();
  return terms;
}

/** Returns the lexemes of a vector in the order of their places. */
function lexemesOf(vector: string): string[] {
  const places: [number, string][] = [];
  for (const [, lexeme = "", positions = ""] of vector.matchAll(/'((?:[^']|'')*)':([\dABC,]+)/g))
    for (const position of positions.split(","))
      places.push([Number.parseInt(position, 10), lexeme.replaceAll("''", "'").replaceAll("\\\\", "\\")]);
  return places.sort(([a], [b]) => a - b).map(([, lexeme]) => lexeme);
}

test("has the words of a text that SQLite's index has", () => {
  fc.assert(
    fc.property(text, (content) => {
      const folded = fold(content);
      expect(wordsIn(folded)).toEqual(
        termsOf("unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", folded),
      );
    }),
  );
});

test("has the pieces of a text that SQLite's index has", () => {
  fc.assert(
    fc.property(text, (content) => {
      const vector = new PieceVector();
      vector.add(fold(content), "D");
      vector.endField("D");
      expect(lexemesOf(String(vector))).toEqual(termsOf("trigram remove_diacritics 1", `${fold(content)}  `));
    }),
  );
});

test("begins a word where a script without spaces ends, and the other way round", () => {
  expect(wordsIn("ai模型")).toEqual(["ai", "模型"]);
  expect(wordsIn("第1章 x")).toEqual(["第", "1", "章", "x"]);
});

test("has the same pieces of a text in parts, and none across fields", () => {
  const [whole, inParts] = [new PieceVector(), new PieceVector()];
  whole.add("大東京の夜", "A");
  for (const character of "大東京の夜") inParts.add(character, "A");
  expect(String(inParts)).toBe(String(whole));
  const [words, pieces] = [new WordVector(), new PieceVector()];
  for (const [field, weight] of [
    ["node", "A"],
    ["js it's", "D"],
  ] as const) {
    words.add(field, weight);
    words.endField();
    pieces.add(field, weight);
    pieces.endField(weight);
  }
  expect(String(words)).toBe("'node':1A 'js':7 'it':8 's':9");
  expect(String(pieces)).toContain("'e  ':4A 'js ':10");
});

test("leaves out what PostgreSQL cannot have", () => {
  const vector = new WordVector();
  vector.add(`${"é".repeat(1_100)} owl ${"owl ".repeat(300)}`, "D");
  expect(String(vector)).toMatch(/^'owl':\d+(,\d+){254}$/);
  const long = new WordVector();
  for (let start = 0; start < 400_000; start += 1_000)
    long.add(Array.from({ length: 1_000 }, (_, index) => `w${start + index}`).join(" "), "D");
  const bytes = String(long)
    .split(" ")
    .reduce((sum, lexeme) => sum + lexeme.split(":")[0]!.length + 4, 0);
  expect(bytes).toBeLessThan(2 ** 20 - 1);
});

test("writes queries in which a text is no operator", () => {
  const words = (content: string) => matchText("words", { text: content });
  expect(words("node.js")).toBe("'node' <-> 'js'");
  expect(words("& ! | <-> '")).toBeUndefined();
  expect(matchText("words", { text: "o", isBeginning: true }, ["title", "tags"])).toBe("'o':*AB");
  expect(matchText("pieces", { text: "it's a\\b" })).toBe(String.raw`'it''' <3> 's a' <2> 'a\\b'`);
  expect(matchText("pieces", { any: [] })).toBeUndefined();
  expect(words("é".repeat(1_100))).toBeUndefined();
  expect(matchText("pieces", { text: "大東京の夜" })).toBe("'大東京' <2> '京の夜'");
});

test("looks for a short word beside a script without spaces among the words", () => {
  const match = { all: [{ short: "ai", isWord: true }, { short: "学", isWord: false }, { text: "大東京" }] };
  expect(conditionsOf({ index: "pieces", match })).toEqual([
    { vector: "words", query: "('ai')" },
    { vector: "pieces", query: "('学':*) & ('大東京')" },
  ]);
});
