import { expect, test } from "vitest";
import { firstIndexedPart } from "../../../src/server/database/search/words.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, paragraphs, until } from "../../support/test-site.ts";

test("finds the beginning of a long text at once, and soon its end", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const words = Array.from({ length: 9_000 }, (_, index) => `word${index}`).join(" ");
  const ideographs = Array.from({ length: 20_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join("");
  const found = async (query: string) =>
    (await testSite.browser().api.blogs.search.query({ query })).blogs.map(({ title }) => title);
  for (const [title, text, beginning, end] of [
    ["Words", words, "word1", "word8999"],
    ["Ideographs", ideographs, ideographs.slice(100, 104), ideographs.slice(-4)],
  ] as const) {
    expect(firstIndexedPart(text).length).toBeLessThan(text.length);
    const { id } = await ana.api.blogs.create.mutate(aBlog({ title, document: paragraphs(text) }));
    expect(await found(beginning)).toEqual([title]);
    await until(async () => (await found(end)).length > 0);
    expect(await found(end)).toEqual([title]);
    expect(await found(ideographs.slice(9_000, 9_300))).toEqual(title === "Words" ? [] : [title]);
    await ana.api.blogs.update.mutate({ id, draft: true });
    expect(await found(beginning)).toEqual([]);
    expect(await found(end)).toEqual([]);
  }
});
