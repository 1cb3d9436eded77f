import type { Page } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import { expect, test as alone, visit } from "./test-site.ts";

/** Returns by how many pixels the ends of a list's columns differ. */
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

/** Returns whether all rows of a grid have equally many cards. */
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
  "leaves no gap among recommended blogs, whether there are two, three or four",
  async ({ site, open }) => {
    const [ana, ben] = await site.createAccounts("Ana Torres", "Ben Oke");
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

alone("shows full rows of popular blogs, however many cards there are", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
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
