import type { Page } from "@playwright/test";
import { paint } from "../support/pictures.ts";
import { content, openToolbar } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

/** Opens a new blog and chooses files for its text. */
async function choose(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await page.goto("/add-blog");
  const tools = await openToolbar(page);
  await content(page).click();
  const chooser = page.waitForEvent("filechooser");
  await tools.getByRole("button", { name: "Image", exact: true }).click();
  expect(await (await chooser).element().getAttribute("accept")).toContain(",.heic,.heif");
  await (await chooser).setFiles(files);
}

const png = async (width: number, height: number) => ({
  name: `${width}.png`,
  mimeType: "image/png",
  buffer: await paint(width, height),
});
const stored = (page: Page) => content(page).locator("img[src^='/media/']");
const sizes = (page: Page) =>
  stored(page).evaluateAll((all) =>
    all.map((img) => [Number(img.getAttribute("width")), Number(img.getAttribute("height"))]),
  );

test("scales pictures of few bytes and too many pixels, leaves long screenshots readable, and explains what can't be read", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ida Berg"));
  await choose(page, [
    await png(8000, 6000),
    await png(1000, 20_000),
    await png(1200, 40_000),
    { name: "IMG_1.HEIC", mimeType: "application/octet-stream", buffer: Buffer.from("ftypheic") },
  ]);
  await expect(stored(page)).toHaveCount(3);
  expect(await sizes(page)).toEqual([
    [1600, 1200],
    [819, 16_383],
    [491, 16_383],
  ]);
  await expect(content(page).getByRole("group", { name: "Uploading picture" })).toContainText(
    "This browser can’t read HEIC pictures. Save it as JPEG, or add it in Safari.",
  );
});

test("decodes at most two of many huge pictures at once, each with its progress, and inserts them in their order", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Jul Moe"));
  await page.addInitScript(() => {
    const decode = window.createImageBitmap as (file: Blob) => Promise<ImageBitmap>;
    const counts = ((window as unknown as { counts: object }).counts = { now: 0, most: 0, all: 0 });
    window.createImageBitmap = (async (file: Blob) => {
      counts.all++;
      counts.most = Math.max(counts.most, ++counts.now);
      const bitmap = await decode(file);
      const close = bitmap.close.bind(bitmap);
      bitmap.close = () => {
        counts.now--;
        close();
      };
      return bitmap;
    }) as typeof window.createImageBitmap;
  });
  const widths = [7400, 7200, 7000, 6800];
  await choose(page, await Promise.all(widths.map((width) => png(width, 6000))));
  await expect(content(page).getByRole("group", { name: "Uploading picture" }).or(stored(page))).toHaveCount(
    4,
  );
  await expect(stored(page)).toHaveCount(4);
  const counts = await page.evaluate(() => (window as unknown as { counts: object }).counts);
  expect(counts).toEqual({ now: 0, most: 2, all: 4 });
  expect((await sizes(page)).map(([, height]) => height)).toEqual(
    widths.map((width) => Math.round((6000 * 1600) / width)),
  );
});
