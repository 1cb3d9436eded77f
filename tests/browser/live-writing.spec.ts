import type { Page } from "@playwright/test";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, openPublishSheet } from "./editor-helpers.ts";
import {
  expect,
  allowErrors,
  distanceMoved,
  sharedTest as test,
  waitUntilUsable,
  visit,
} from "./test-site.ts";

const paragraphsOf = (page: Page): Promise<string[]> => page.locator(".prose > *").allTextContents();
const mark = (page: Page) => page.getByText("Live: it is being written", { exact: true });

/** Checks axe and the page's width on a desktop, a tablet and a phone; takes screenshots if PICTURES names a folder. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [820, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-${width}-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("shows a blog growing live, keeps a reader's selection, and shows guests and returning readers the same", async ({
  site,
  open,
}) => {
  const [ana, eve] = [await site.createAccount("Ana Torres"), await site.createAccount("Eve Lund")];
  const text = Array.from(
    { length: 30 },
    (_, index) => `Line ${index}: owls call, and one answers from the wood.`,
  );
  const blog = aBlog({ document: paragraphs(...text) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const reader = await open(eve);
  await visit(reader, `/blog/${slug}`);
  const line = reader.getByText("Line 10:");
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await line.evaluate((block) => {
    const node = block.firstChild as Text;
    getSelection()!.setBaseAndExtent(node, node.data.indexOf("owls"), node, node.data.indexOf(","));
  });
  const before = await line.boundingBox();

  const writer = await open(ana);
  await writer.goto(`/edit/${slug}`);
  await expect(content(writer)).toBeVisible();
  await openPublishSheet(writer);
  const live = writer.getByRole("checkbox", { name: "Write live" });
  await expect(live).not.toBeChecked();
  await live.click();
  await expect(live).toBeChecked();
  await expect(mark(reader)).toHaveCount(1);
  await content(writer).click();
  await writer.keyboard.press("ControlOrMeta+Home");
  await writer.keyboard.type("A beginning.");
  await writer.keyboard.press("Enter");
  await expect(reader.getByText("A beginning.")).toHaveCount(1);
  await writer.keyboard.press("ControlOrMeta+End");
  for (const newLine of ["One new line.", "Another one."]) {
    await writer.keyboard.press("Enter");
    await writer.keyboard.type(newLine);
  }
  await expect(reader.getByText("One new line.")).toHaveCount(1);
  await expect(reader.getByRole("button", { name: "2 new paragraphs" })).toBeVisible();
  expect(await distanceMoved(line, before)).toBeLessThan(3);
  expect(await reader.evaluate(() => getSelection()!.toString())).toBe("owls call");
  await expectAccessible(reader, "reader");
  await expectAccessible(writer, "writer");

  allowErrors(reader);
  await reader.context().setOffline(true);
  await content(writer).click();
  await writer.keyboard.press("ControlOrMeta+End");
  await writer.keyboard.press("Enter");
  await writer.keyboard.type("Written while Eve was away.");
  const guest = await open();
  await guest.goto(`/blog/${slug}`);
  await expect(guest.getByText("Written while Eve was away.")).toHaveCount(1);
  await expect(mark(guest)).toHaveCount(1);
  await reader.context().setOffline(false);
  await expect(reader.getByText("Written while Eve was away.")).toHaveCount(1);
  expect(await paragraphsOf(reader)).toEqual(await paragraphsOf(guest));
  await expectAccessible(guest, "guest");
  await reader.getByRole("button", { name: "3 new paragraphs" }).click();
  await expect(reader.getByText("Another one.")).toBeInViewport();

  await openPublishSheet(writer);
  await writer.getByRole("button", { name: "Update Blog" }).click();
  await expect(writer).toHaveURL(new RegExp(`/blog/${slug}$`));
  for (const page of [reader, guest]) await expect(mark(page)).toHaveCount(0);
  const now = await paragraphsOf(guest);
  await guest.reload();
  await waitUntilUsable(guest);
  expect(await paragraphsOf(guest)).toEqual(now);
});
