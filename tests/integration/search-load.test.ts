// @module-tag more
import { describe, expect, test } from "vitest";
import { ranked } from "../../src/server/database/find.ts";
import { highlighter } from "../../src/server/search/highlight.ts";
import { searchWords } from "../../src/server/search/words.ts";
import { openReaders } from "../../src/server/workers/readers.ts";
import { blogs, fill } from "../support/crowd.ts";
import { aBlog, paragraphs, refusal, startTown } from "../support/town.ts";

/* What searching costs everybody else. */

const ideographs = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index)).join("");

/** Milliseconds that this thread has worked since: those in which the machine did something else do not count. */
function workSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

const length = 16_000;
const texts: [string, string][] = [
  ["one letter", "a"],
  ["one letter with an accent", "é"],
  ["words", "aa bb cc dd ee ff gg hh ii jj "],
  ["words with accents", "aé bb cc dé ee ff gg hh ii jj "],
  ["words within words", "aa.bb.cc."],
  ["one ideograph", "中"],
  ["a different ideograph each time", ideographs(length, 0x4e00)],
  ["a different rare ideograph each time", ideographs(length / 2, 0x20000)],
  ["a different syllable each time", ideographs(11_000, 0xac00)],
  ["a ligature of eighteen letters", "ﷺ"],
  ["marks upon marks", `a${"\u0301".repeat(40)}é `],
  ["nothing but marks", "\u0301"],
  ["spaces", " \u00a0"],
];
const queries = [
  "a",
  "é",
  "aa bb cc dd ee ff gg hh ii jj",
  "aa.bb.cc.dd.ee.ff.gg.hh.ii.jj.kk.ll.mm.nn.oo.pp.qq.rr",
  "中",
  "中 国 a e b",
  "a".repeat(200),
  "é".repeat(190),
];

describe("a snippet is short and soon made, of", () => {
  test.each(texts)("%s", (_what, piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    for (const query of queries) {
      const marks = highlighter(searchWords(query));
      const start = process.threadCpuUsage();
      const letters = marks.snippet(text, "otherwise").reduce((sum, part) => sum + part.text.length, 0);
      expect([query, workSince(start) < 50]).toEqual([query, true]);
      expect(letters, query).toBeLessThan(450);
    }
  });
});

test("what takes long to be found is looked for off the main thread", async () => {
  // Its own: it closes them.
  const readers = openReaders();
  await using town = await startTown({}, {}, { readers });
  const ana = await town.resident("Ana");
  await fill(town, blogs(2, 20_000, ana.me.id));
  const search = () => town.browser().api.blogs.search.query({ query: "night number" });
  expect((await search()).total).toBe(ranked);
  const [start, all] = [process.threadCpuUsage(), process.cpuUsage()];
  for (let time = 0; time < 20; time++) await search();
  const { user, system } = process.cpuUsage(all);
  // Of who asks there is as much on this thread as of who answers.
  expect(workSince(start)).toBeLessThan(0.7 * ((user + system) / 1_000));
  // Searches go that way, and no other.
  await town.browser().api.blogs.search.query({ query: "owl" });
  await readers.close();
  for (const kind of ["blogs", "users"] as const)
    expect(await refusal(town.browser().api[kind].search.query({ query: "owl" }))).toMatchObject({
      retryAfter: 5,
    });
});

test("many searches at once over long texts make each other wait, and nobody else", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const long = ["owl ant é bee cat dog eel fox gnu hen ", "中文 owl ", "owl "];
  for (let index = 0; index < 24; index++)
    await ana.api.blogs.create.mutate(aBlog({ document: paragraphs((long[index % 3] ?? "").repeat(3_000)) }));
  await ana.api.blogs.search.query({ query: "owl" });
  // What each turn of the event loop takes, of the server and of those who ask: all are in this process.
  let longest = 0;
  let isOver = false;
  let since = process.threadCpuUsage();
  const turn = () => {
    longest = Math.max(longest, workSince(since));
    since = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const asked = ["owl", "中", "owl ant bee cat dog eel fox gnu hen", "o", "ow"];
  await Promise.all(
    Array.from({ length: 8 }, () =>
      Promise.all([
        ...asked.map((query) => town.browser().api.blogs.search.query({ query })),
        fetch(`${town.url}/api/v1/search-blogs?search=owl&limit=50`),
      ]),
    ),
  );
  isOver = true;
  expect(longest).toBeLessThan(100);
});
