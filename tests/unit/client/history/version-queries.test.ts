import { expect, test } from "vitest";
import {
  reasonText,
  withNewest,
  withOlder,
  wordsText,
} from "../../../../src/client/history/version-queries.ts";
import type { VersionEntry, VersionList } from "../../../../src/shared/versions.ts";

const entry = (id: string, change: Partial<VersionEntry> = {}): VersionEntry => ({
  id,
  reason: "published",
  createdAt: "2026-05-17T10:20:00.000Z",
  author: null,
  title: id,
  words: 1_200,
  change: 0,
  previous: null,
  restored: null,
  ...change,
});
const list = (ids: string, hasMore = true): VersionList => ({
  versions: [...ids].map((id) => entry(id)),
  hasMore,
  seen: ids[0] ?? null,
  mine: true,
});
const ids = ({ versions, hasMore }: VersionList) =>
  `${versions.map(({ id }) => id).join("")}${hasMore ? "…" : ""}`;

test("keeps loaded older versions behind the newest page, without gaps or duplicates", () => {
  const loaded = withOlder(list("gfe"), list("dcb", false));
  expect(ids(loaded)).toBe("gfedcb");
  expect(ids(withNewest(loaded, list("hgf")))).toBe("hgfedcb");
  expect(ids(withNewest(loaded, list("gfe")))).toBe("gfedcb");
  expect([loaded.seen, withNewest(loaded, list("hgf")).seen]).toEqual(["d", "h"]);
  // A whole page was recorded since: the versions in between would be missing.
  expect(ids(withNewest(loaded, list("jih")))).toBe("jih…");
  expect(ids(withNewest(list(""), list("a", false)))).toBe("a");
});

test("describes a version's word count, its change and its reason", () => {
  expect(wordsText(entry("a", { change: 12 }))).toBe("1,200 words, 12 more");
  expect(wordsText(entry("a", { change: -1_000 }))).toBe("1,200 words, 1,000 fewer");
  expect(wordsText(entry("a", { words: 1 }))).toBe("1 word");
  expect(wordsText(entry("a", { words: 0, change: null }))).toBe("0 words");
  expect(reasonText(entry("a", { reason: "written" }))).toBe("Draft");
  expect(reasonText(entry("a", { reason: "before-discard" }))).toBe("Discarded changes");
  expect(reasonText(entry("a", { restored: "2026-05-16T10:20:00.000Z" }))).toMatch(/^Restored from .*2026/);
});
