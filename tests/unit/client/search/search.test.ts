import { describe, expect, test } from "vitest";
import { searchAddress, parseSearchParams } from "../../../../src/client/search/search-params.ts";
import { countText } from "../../../../src/client/search/counts.ts";
import { limits } from "../../../../src/shared/limits.ts";

const parse = (search: string) => parseSearchParams(new URLSearchParams(search));

describe("a search address", () => {
  test.each([
    ["", { query: "", tab: "blogs", page: 1 }],
    ["q=chess", { query: "chess", tab: "blogs", page: 1 }],
    ["q=%20two%20words%20&tab=people&page=3", { query: "two words", tab: "people", page: 3 }],
    ["q=x&tab=planets&page=-1", { query: "x", tab: "blogs", page: 1 }],
    ["q=x&page=1e400", { query: "x", tab: "blogs", page: 1 }],
  ] as const)("%j is parsed as %j", (search, expected) => {
    expect(parse(search)).toEqual(expected);
  });

  test("is cut between characters at the server's limit", () => {
    const { query } = parse(`q=${encodeURIComponent("🎼".repeat(300))}`);
    expect([...query]).toHaveLength(limits.search.max);
    expect(query.endsWith("🎼")).toBe(true);
  });

  test.each([
    "/search",
    "/search?tab=people",
    "/search?page=2",
    "/search?q=chess",
    "/search?q=a%26b&tab=people&page=2",
  ])("%s is the same after parsing and formatting", (address) => {
    expect(searchAddress(parse(address.split("?")[1] ?? ""))).toBe(address);
  });
});

test("formats the counts of blogs and people", () => {
  expect([
    countText(0, "blogs"),
    countText(1, "blogs"),
    countText(12, "blogs"),
    countText(1_000, "blogs"),
  ]).toEqual(["No blogs", "1 blog", "12 blogs", "1,000+ blogs"]);
  expect([countText(0, "people"), countText(1, "people"), countText(2, "people")]).toEqual([
    "Nobody",
    "1 person",
    "2 people",
  ]);
});
