import { expect, test } from "vitest";
import { drawnHtml, isColored } from "../../../src/server/blogs/drawn-html.ts";
import { Workers } from "../../../src/server/workers/pool.ts";
import { until } from "../../support/until.ts";

/* What a text with many formulas may become, and that it is drawn once. */

const formulas = (count: number, tex: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `<pre class="formula">${tex(at)}</pre>`).join("");

async function drawnOnce(html: string): Promise<string> {
  const workers = new Workers();
  // On a busy machine the first who ask have the sources.
  await until(async () => (await drawnHtml(workers, html)).includes("<math") && isColored(html));
  await workers.close();
  // Nobody is there to draw it again.
  return drawnHtml(workers, html);
}

test("what all formulas of a text become is bounded, and the rest say why they are their source", async () => {
  const drawn = await drawnOnce(formulas(1_000, (at) => String.raw`\TeX `.repeat(10) + at));
  expect(drawn.length).toBeLessThan(2_300_000);
  expect(drawn).toContain("The formulas of this text are too much to be drawn all of them.");
  expect(drawn.lastIndexOf("<math")).toBeLessThan(drawn.indexOf("too much to be drawn"));
});

test("a long text with formulas is kept as it was drawn", async () => {
  const html = formulas(300, (at) => `x^{${at}}`) + `<p>${"owl ".repeat(60_000)}</p>`;
  expect((await drawnOnce(html)).match(/<math/g)).toHaveLength(300);
});
