import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { emptyDocument } from "../../../../src/shared/document/empty-document.ts";
import {
  countWords,
  documentToText,
  excerpt,
  imagesOf,
  readingMinutes,
} from "../../../../src/shared/document/to-text.ts";

test("writes each block and each break as a line", async () => {
  const document = await parseHtml(
    "<h1>Title</h1><p>One <b>two</b><br>three</p><ul><li>a<ul><li>b</li></ul></li></ul><pre>x\n y</pre><hr><table><tr><td>c</td><td>d</td></tr></table>",
  );
  expect(documentToText(document)).toBe("Title\nOne two\nthree\na\nb\nx\n y\n\nc\nd");
  expect(documentToText(emptyDocument())).toBe("");
});

describe("an excerpt", () => {
  const excerptOf = async (text: string, length: number) =>
    excerpt(await parseHtml(`<p>${text}</p>`), length);

  test("is the whole text where that is short enough", async () => {
    expect(await excerptOf("Just enough", 11)).toBe("Just enough");
  });

  test("ends after a whole word, without punctuation before the ellipsis", async () => {
    expect(await excerptOf("Birds sing, and people listen.", 14)).toBe("Birds sing…");
    expect(await excerptOf("Birds sing, and people listen.", 15)).toBe("Birds sing…");
    expect(await excerptOf("Birds sing, and people listen.", 16)).toBe("Birds sing, and…");
  });

  test("is never longer than requested, in any script, and splits no character", async () => {
    for (const text of [
      "我們在這裡寫一些中文".repeat(9),
      "x".repeat(99),
      "👩‍👩‍👧‍👦".repeat(20),
      "e\u0301".repeat(50),
      "ab ".repeat(40),
    ]) {
      for (let length = 1; length < 60; length++) {
        const short = await excerptOf(text, length);
        expect(short.length).toBeLessThanOrEqual(length);
        expect(short.isWellFormed()).toBe(true);
        expect(text.startsWith(short.slice(0, -1))).toBe(true);
      }
    }
    expect(await excerptOf("👩‍👩‍👧‍👦".repeat(20), 30)).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  });
});

test.each([
  ["", 0],
  ["Hello, world!", 2],
  ["don't — it’s well-known", 3],
  ["v1.34.2 of snake_case", 3],
  ["naïve Ünïcode e\u0301tude", 3],
  ["我愛你", 3],
  ["Rust 很好 and ひらがな", 8],
  ["한국어 문장 입니다", 3],
  ["… – ! ?", 0],
])("%j has %i words", (text, count) => {
  expect(countWords(text)).toBe(count);
});

test("estimates a minute at least, and counts Chinese by the character", () => {
  expect(readingMinutes("")).toBe(1);
  expect(readingMinutes("word ".repeat(1150))).toBe(5);
  expect(readingMinutes(1150)).toBe(5);
  expect(readingMinutes("字".repeat(2000))).toBe(4);
});

test("lists each picture once, in order", async () => {
  const document = await parseHtml(
    '<p><img src="/media/b.png"></p><ul><li>x<img src="/media/a.png"><img src="/media/b.png"></li></ul>',
  );
  expect(imagesOf(document)).toEqual(["/media/b.png", "/media/a.png"]);
});
