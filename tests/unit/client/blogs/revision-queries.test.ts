import { expect, test } from "vitest";
import {
  whyText,
  withNewest,
  withOlder,
  wordsText,
} from "../../../../src/client/blogs/form/history/revision-queries.ts";
import type { RevisionEntry, RevisionList } from "../../../../src/shared/revisions.ts";

const entry = (id: string, change: Partial<RevisionEntry> = {}): RevisionEntry => ({
  id,
  why: "updated",
  createdAt: "2026-05-17T10:20:00.000Z",
  author: null,
  title: id,
  words: 1_200,
  change: 0,
  previous: null,
  draft: false,
  restored: null,
  ...change,
});
const list = (ids: string, hasMore = true): RevisionList => ({
  revisions: [...ids].map((id) => entry(id)),
  hasMore,
  seen: ids[0] ?? null,
  mine: true,
});
const ids = ({ revisions, hasMore }: RevisionList) =>
  `${revisions.map(({ id }) => id).join("")}${hasMore ? "…" : ""}`;

test("keeps loaded older revisions behind the newest page, without gaps or duplicates", () => {
  const loaded = withOlder(list("gfe"), list("dcb", false));
  expect(ids(loaded)).toBe("gfedcb");
  expect(ids(withNewest(loaded, list("hgf")))).toBe("hgfedcb");
  expect(ids(withNewest(loaded, list("gfe")))).toBe("gfedcb");
  expect([loaded.seen, withNewest(loaded, list("hgf")).seen]).toEqual(["d", "h"]);
  // A whole page was saved since: the revisions in between would be missing.
  expect(ids(withNewest(loaded, list("jih")))).toBe("jih…");
  expect(ids(withNewest(list(""), list("a", false)))).toBe("a");
});

test("describes a revision's word count, its change and its reason", () => {
  expect(wordsText(entry("a", { change: 12 }))).toBe("1,200 words, 12 more");
  expect(wordsText(entry("a", { change: -1_000 }))).toBe("1,200 words, 1,000 fewer");
  expect(wordsText(entry("a", { words: 1 }))).toBe("1 word");
  expect(wordsText(entry("a", { words: 0, change: null }))).toBe("0 words");
  expect(whyText(entry("a", { why: "api" }))).toBe("Changed by a program");
  expect(whyText(entry("a", { why: "restored" }))).toBe("Restored");
  expect(whyText(entry("a", { why: "restored", restored: "2026-05-16T10:20:00.000Z" }))).toMatch(
    /^Restored from .*2026/,
  );
});
