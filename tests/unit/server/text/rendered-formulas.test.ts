import { expect, test } from "vitest";
import { renderedHtml, isColored } from "../../../../src/server/text/render-html.ts";
import { ThreadPool } from "../../../../src/server/workers/pool.ts";
import { until } from "../../../support/until.ts";

/* The bounds of a text with many formulas, and that it is rendered once. */

const formulas = (count: number, tex: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `<pre class="formula">${tex(at)}</pre>`).join("");

async function renderAndReadCache(html: string): Promise<string> {
  const workers = new ThreadPool();
  // On a busy machine the first requests get the sources.
  await until(async () => (await renderedHtml(workers, html)).includes("<math") && isColored(html));
  await workers.close();
  // The pool is closed: this is from the cache.
  return renderedHtml(workers, html);
}

test("limits the size of all rendered formulas of a text, and gives the reason at the others", async () => {
  const html = await renderAndReadCache(formulas(1_000, (at) => String.raw`\TeX `.repeat(10) + at));
  expect(html.length).toBeLessThan(2_300_000);
  expect(html).toContain("This text has too many formulas to display them all.");
  expect(html.lastIndexOf("<math")).toBeLessThan(html.indexOf("too many formulas"));
});

test("caches a long text with formulas as it was rendered", async () => {
  const html = formulas(300, (at) => `x^{${at}}`) + `<p>${"owl ".repeat(60_000)}</p>`;
  expect((await renderAndReadCache(html)).match(/<math/g)).toHaveLength(300);
});
