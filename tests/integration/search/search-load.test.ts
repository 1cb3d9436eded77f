// @module-tag more
import { describe, expect, test } from "vitest";
import { maxRanked } from "../../../src/server/database/search/search-index.ts";
import { highlighter } from "../../../src/server/database/search/highlight.ts";
import { searchWords } from "../../../src/server/database/search/words.ts";
import { createReaderPool } from "../../../src/server/workers/reader-pool.ts";
import { insertBlogsSql, runStatements } from "../../support/bulk-rows.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, startTestSite } from "../../support/test-site.ts";

/* The cost of searches for other requests. */

const ideographs = (count: number, firstCodePoint: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(firstCodePoint + index)).join("");

/** Returns the CPU time of this thread since `start`, in ms: time of other processes does not count. */
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

describe("makes a short snippet in less than 50 ms of", () => {
  test.each(texts)("%s", (_what, piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    for (const query of queries) {
      const highlighting = highlighter(searchWords(query));
      const start = process.threadCpuUsage();
      const shownLength = highlighting
        .snippet(text, "otherwise")
        .reduce((sum, part) => sum + part.text.length, 0);
      expect([query, workSince(start) < 50]).toEqual([query, true]);
      expect(shownLength, query).toBeLessThan(450);
    }
  });
});

test("runs slow searches off the main thread", async () => {
  // A pool of its own, since the test closes it.
  const readers = createReaderPool();
  await using testSite = await startTestSite({}, {}, { readers });
  const ana = await testSite.createAccount("Ana");
  for (const kind of [2, 3, 4, 5, 6]) await runStatements(testSite, insertBlogsSql(kind, 4_000, ana.me.id));
  const search = () => testSite.browser().api.blogs.search.query({ query: "night number" });
  expect((await search()).total).toBe(maxRanked);
  const [start, all] = [process.threadCpuUsage(), process.cpuUsage()];
  for (let time = 0; time < 20; time++) await search();
  const { user, system } = process.cpuUsage(all);
  // The client's work is on this thread, too.
  expect(workSince(start)).toBeLessThan(0.7 * ((user + system) / 1_000));
  // Searches use this pool alone.
  await testSite.browser().api.blogs.search.query({ query: "owl" });
  await readers.close();
  for (const kind of ["blogs", "users"] as const)
    await expectRefusal(testSite.browser().api[kind].search.query({ query: "owl" }), {
      retryAfter: 5,
    });
});

test("lets concurrent searches over long texts wait for each other without blocking other requests", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const longWords = ["owl ant é bee cat dog eel fox gnu hen ", "中文 owl ", "owl "];
  for (let index = 0; index < 24; index++)
    await ana.api.blogs.create.mutate(
      aBlog({ document: paragraphs((longWords[index % 3] ?? "").repeat(3_000)) }),
    );
  await ana.api.blogs.search.query({ query: "owl" });
  // Measures each turn of the event loop. Server and clients share this process.
  let longest = 0;
  let isOver = false;
  let since = process.threadCpuUsage();
  const measureTurn = () => {
    longest = Math.max(longest, workSince(since));
    since = process.threadCpuUsage();
    if (!isOver) setImmediate(measureTurn);
  };
  setImmediate(measureTurn);
  const searches = ["owl", "中", "owl ant bee cat dog eel fox gnu hen", "o", "ow"];
  await Promise.all(
    Array.from({ length: 8 }, () =>
      Promise.all([
        ...searches.map((query) => testSite.browser().api.blogs.search.query({ query })),
        fetch(`${testSite.url}/api/v1/search-blogs?search=owl&limit=50`),
      ]),
    ),
  );
  isOver = true;
  expect(longest).toBeLessThan(100);
});
