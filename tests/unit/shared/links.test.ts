import fc from "fast-check";
import { expect, test } from "vitest";
import { linkHref } from "../../../src/shared/link-ranges.ts";
import { limits } from "../../../src/shared/limits.ts";
import { findLinks } from "../../../src/shared/links.ts";

const links = (text: string) => findLinks(text).map(([from, to]) => text.slice(from, to));

test.each([
  ["see https://example.org.", ["https://example.org"]],
  ["(https://example.org/a)", ["https://example.org/a"]],
  ["https://en.wikipedia.org/wiki/Repeat_(music)", ["https://en.wikipedia.org/wiki/Repeat_(music)"]],
  [
    "www.example.org, and http://localhost:3000/x?y=1#z!",
    ["www.example.org", "http://localhost:3000/x?y=1#z"],
  ],
  ["javascript:alert(1) data:text/html,x file:///etc ftp://a.b", []],
  ["https://user:secret@example.org https://a.user:secret@example.org", []],
  ["https://nodots", []],
  ["xhttps://example.org", []],
  ["<https://example.org>", ["https://example.org"]],
  ["日本語 https://例え.jp/道 です", ["https://例え.jp/道"]],
  [
    "“https://a.org/b” «https://a.org/b» （https://a.org/b） ‘www.a.org’",
    [...Array<string>(3).fill("https://a.org/b"), "www.a.org"],
  ],
  [
    "見てhttps://a.org/b。https://a.org/b、 https://a.org/b， https://a.org/b！",
    Array<string>(4).fill("https://a.org/b"),
  ],
  [
    "https://a.org/b، https://a.org/b؟ https://a.org/b। https://a.org/b…",
    Array<string>(4).fill("https://a.org/b"),
  ],
  [
    "(see *https://a.org/b_(c).*) `https://a.org/b` https://a.org/b\u200b",
    ["https://a.org/b_(c)", "https://a.org/b", "https://a.org/b"],
  ],
])("%s", (text, expected) => {
  expect(links(text)).toEqual(expected);
});

test("finds only http and https, in order and without overlap", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("https://", "www.", "example.org", "(", ")", "javascript:", "\n", " ", ".", "/a?b=c"),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      let end = 0;
      for (const [from, to] of findLinks(text)) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(linkHref(text.slice(from, to))).toMatch(/^https?:\/\/[^\s]+$/i);
        end = to;
      }
    }),
  );
});

test("needs some milliseconds at most for hostile texts", () => {
  for (const piece of [
    "www.",
    "http://",
    "http://a",
    "https://a.b/c ",
    "www.a.b(",
    "https://a.b/([{'\"",
    "a-",
  ]) {
    const text = `https://a.b/${piece.repeat(5_000)}`.slice(0, limits.comment.max);
    findLinks(text);
    const start = process.threadCpuUsage();
    findLinks(text);
    const { user, system } = process.threadCpuUsage(start);
    expect([piece, (user + system) / 1_000 < 100]).toEqual([piece, true]);
  }
});
