import { expect, test } from "vitest";
import { FrontMatterError, readPost } from "../../../../src/server/imports/markdown/front-matter.ts";
import { convertTags, withoutImports } from "../../../../src/server/imports/markdown/template-tags.ts";

/* Markdown that is made to be slow, as in `import-slow.test.ts`. */

const length = 100_000;
const repeated = (piece: string) => piece.repeat(Math.ceil(length / piece.length));
const cpuTimeOf = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const maxMs = 1_000;

test.each([
  ..."{% comment %}|{% comment |{%|{% # |{{< comment >}}|{{< comment |{# |{#a|{#a |{/* |{/*|*/}{/*|{ |<!--|<!-- {|{::comment}|{{%".split(
    "|",
  ),
  ..."{% raw %}|{% if |{% comment %}{% endcomment %}{% comment %}|`|`a|```\n|~~~~\n~~~\n|a `` `".split("|"),
])("finds tags in a text of repeated %s within a second", (piece) => {
  for (const text of [
    repeated(piece.replaceAll("\\n", "\n")),
    piece + " ".repeat(length),
    piece + "a".repeat(length),
  ])
    expect(cpuTimeOf(() => convertTags(text))).toBeLessThan(maxMs);
});

test.each([
  ["{{</*", "*", ""],
  [":::", " ", "{"],
  [":::a ", "a ", "{"],
  ["# {#a", " ", "x"],
  ["# ", "} ", "x"],
  ["", "{: .a ", "}"],
  ["", "](", ")"],
])("reads a text with a long run within a second: %j, %j, %j", (start, run, end) => {
  const text = start + run.repeat(length) + end;
  expect(cpuTimeOf(() => convertTags(text))).toBeLessThan(maxMs);
});

test("finds the start of an MDX file within a second", () => {
  for (const piece of ["import a\n\n", "import 'a'\n\n", "export const \n\n", "\n \n"])
    expect(cpuTimeOf(() => withoutImports(repeated(piece)))).toBeLessThan(maxMs);
});

test.each([
  ["a line before the text", `a: b${" ".repeat(length)}c`],
  ["lines before the text", "a: b\n".repeat(length / 5)],
  ["blanks at the ends of lines", "\n  a".repeat(length / 4)],
])("%s: reads the post within a second", (_, text) => {
  expect(cpuTimeOf(() => readPost(text))).toBeLessThan(maxMs);
});

test.each([
  ["a text without an end", `{"${'\\\\"'.repeat(length)}`],
  ["braces", `{"a":${"{".repeat(length)}`],
  ["names", `{${'"a" '.repeat(length)}`],
  ["blanks behind a name", `{"a"${" ".repeat(length)}`],
  ["blanks before the end", `---json\n{"a":${"\n".repeat(length)}x`],
])("refuses JSON with %s within a second", (_, text) => {
  expect(cpuTimeOf(() => expect(() => readPost(text)).toThrow(FrontMatterError))).toBeLessThan(maxMs);
});
