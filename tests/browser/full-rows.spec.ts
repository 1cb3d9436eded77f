import type { Page } from "@playwright/test";
import { aBlog } from "../support/writing.ts";
import { expect, test as alone, visit } from "./site.ts";

/** By how many pixels the columns of a list differ in where they end. */
const unevenness = (page: Page, list: string) =>
  page.locator(list).evaluate((element) => {
    const ends = new Map<number, number>();
    for (const child of element.children) {
      const { left, bottom, height } = child.getBoundingClientRect();
      const column = Math.round(left);
      if (height > 0) ends.set(column, Math.max(ends.get(column) ?? 0, bottom));
    }
    return Math.max(...ends.values()) - Math.min(...ends.values());
  });

/** Whether the last row of a grid has as many cards as the one above, each as high as its row. */
const lastRow = (page: Page, list: string) =>
  page.locator(list).evaluate((element) => {
    const rows = new Map<number, number>();
    for (const child of element.children) {
      const { top, height } = child.getBoundingClientRect();
      if (height > 0) rows.set(Math.round(top), (rows.get(Math.round(top)) ?? 0) + 1);
    }
    return new Set(rows.values()).size <= 1;
  });

const widths = [390, 820, 1440];

alone(
  "leaves no empty place among recommended blogs, whether there are two, three or four",
  async ({ site, open }) => {
    const [ana, ben] = [await site.resident("Ana Torres"), await site.resident("Ben Oke")];
    await ana.api.blogs.create.mutate(aBlog({ title: "Picked first" }));
    for (const count of [2, 3, 4]) {
      await ana.api.blogs.create.mutate(aBlog({ title: `Picked as number ${count}` }));
      for (const width of widths) {
        const page = await open(ben, { viewport: { width, height: 900 } });
        await visit(page, "/home");
        await expect(page.locator(".picks-list > li")).toHaveCount(count);
        await expect.poll(() => unevenness(page, ".picks-list"), `${count} at ${width}`).toBeLessThan(3);
        await page.close();
      }
    }
  },
);

alone("shows full rows of what people read, however many cards there are", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "Read first" }));
  for (const count of [1, 2, 3, 4]) {
    await ana.api.blogs.create.mutate(aBlog({ title: `Read as number ${count}` }));
    for (const width of widths) {
      const page = await open(undefined, { viewport: { width, height: 900 } });
      await visit(page, "/");
      await expect(page.locator(".showcase-cards > li")).toHaveCount(count);
      await expect.poll(() => lastRow(page, ".showcase-cards"), `${count} at ${width}`).toBe(true);
      await page.close();
    }
  }
});
