import type { Page } from "@playwright/test";
import { noise, paint, upload } from "../support/pictures.ts";
import { aBlog } from "../support/sample-content.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { seriousViolations } from "./axe.ts";
import { openPublishSheet } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test, visit } from "./test-site.ts";

const stored = (page: Page) => page.locator(".cover-picture[src^='/media/']");
const picture = async (buffer?: Buffer) => ({
  name: "cover.png",
  mimeType: "image/png",
  buffer: buffer ?? (await paint(600, 400)),
});
async function choose(page: Page, buffer?: Buffer): Promise<void> {
  await openPublishSheet(page);
  await page.getByLabel("Cover image").setInputFiles(await picture(buffer));
}

/** Creates a blog of hers with a cover. */
async function covered(ana: SignedInBrowser): Promise<{ slug: string; coverId: string }> {
  const { id: coverId } = await upload(ana);
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId }));
  return { slug, coverId };
}
const coverOf = async (ana: SignedInBrowser, slug: string) =>
  (await ana.api.blogs.forEdit.query({ slug })).cover?.id ?? null;
async function save(page: Page): Promise<void> {
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(/\/blog\//);
}

test("keeps the stored cover when another one is cancelled or fails to upload; Remove removes it @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, coverId } = await covered(ana);
  const page = await open(ana);
  allowErrors(page);
  await page.goto(`/edit/${slug}`);
  await openPublishSheet(page);
  await expect(stored(page)).toBeVisible();
  // The upload never ends.
  await page.route("**/upload", () => {});
  await choose(page);
  await expect(stored(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(stored(page)).toBeVisible();
  await page.route("**/upload", (route) => route.abort());
  await choose(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  const alert = page.locator(".cover").getByRole("alert");
  await expect(alert).toContainText("check your internet connection");
  await page.getByRole("button", { name: "Keep the old cover" }).click();
  await expect(stored(page)).toBeVisible();
  await expect(alert).toBeHidden();
  await save(page);
  expect(await coverOf(ana, slug)).toBe(coverId);

  await page.goto(`/edit/${slug}`);
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Remove cover" }).click();
  await save(page);
  expect(await coverOf(ana, slug)).toBeNull();
});

test("scales a cover of more than 8 MB, as its hint says @more", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await page.goto("/add-blog");
  await page.getByRole("textbox", { name: "Title" }).fill("Large");
  await choose(page, await noise(1900, 1500));
  await expect(page.locator(".cover")).toContainText("PNG, JPEG or HEIC, up to 100 MB");
  await expect(stored(page)).toBeVisible();
});

test("keeps the stored cover when the server refuses another, with the reason beside it @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug, coverId } = await covered(ana);
  const page = await open(ana);
  allowErrors(page);
  const alert = page.locator(".cover").getByRole("alert");
  const broken = Buffer.from("no picture at all");
  await page.goto(`/edit/${slug}`);
  await openPublishSheet(page);
  await expect(stored(page)).toBeVisible();
  await choose(page, broken);
  await expect(alert).toBeVisible();
  await expect(stored(page)).toBeVisible();
  // The first save shows the error again; the second saves without the refused cover.
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page.getByLabel("Cover image")).toBeFocused();
  await save(page);
  expect(await coverOf(ana, slug)).toBe(coverId);

  await page.goto("/add-blog");
  await choose(page, broken);
  await expect(alert).toBeVisible();
  await expect(page.getByText("Choose a picture")).toBeVisible();
  await expect(page.locator(".cover-picture")).toHaveCount(0);
  await choose(page);
  await expect(stored(page)).toBeVisible();
  await expect(alert).toBeHidden();
});

test("sets a cover's focus by keys and pointer; readers' open pages show it once it is published", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const reader = await site.createAccount("Ben Okafor");
  const { id: coverId } = await upload(ana, await paint(600, 400));
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId, title: "Owls by night" }));
  const home = await open(reader);
  await home.goto("/home");
  const cardCover = home.locator(".card", { hasText: "Owls by night" }).locator(".card-cover img");
  await expect(cardCover).toHaveCSS("object-position", "50% 50%");

  const page = await open(ana);
  await page.goto(`/edit/${slug}`);
  const sheet = await openPublishSheet(page);
  const handle = sheet.getByRole("slider", { name: "Focus of the cover" });
  const card = sheet.locator(".card-preview .card-cover img");
  const expectFocus = (text: string) => expect(handle).toHaveAttribute("aria-valuetext", text);
  await expectFocus("Focus: 50% from the left, 50% from the top");
  await handle.focus();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Shift+ArrowDown"]) await page.keyboard.press(key);
  await expectFocus("Focus: 40% from the left, 46% from the top");
  await expect(sheet.getByText("Focus: 40% from the left, 46% from the top")).toBeVisible();
  await expect(card).toHaveCSS("object-position", "40% 46%");
  expect(await seriousViolations(page, { within: ".cover" })).toEqual([]);

  // Dragged beyond the picture's corner, it stays on the picture.
  await handle.scrollIntoViewIfNeeded();
  const box = (await sheet.locator(".cover-focus").boundingBox())!;
  await handle.hover();
  await page.mouse.down();
  await page.mouse.move(box.x - 40, box.y - 40, { steps: 4 });
  await page.mouse.up();
  await expectFocus("Focus: 0% from the left, 0% from the top");
  await sheet.getByRole("button", { name: "Centre" }).click();
  await expectFocus("Focus: 50% from the left, 50% from the top");
  await expect(handle).toBeFocused();
  const position = { x: box.width * 0.2, y: box.height * 0.9 };
  await sheet.locator(".cover-focus").click({ position });
  await expectFocus("Focus: 20% from the left, 90% from the top");
  await expect(cardCover).toHaveCSS("object-position", "50% 50%");

  await save(page);
  await expect(cardCover).toHaveCSS("object-position", "20% 90%");
  await expect(page.locator(".article-cover")).toHaveCSS("object-position", "20% 90%");

  await page.goto(`/edit/${slug}`);
  await openPublishSheet(page);
  await handle.dblclick();
  await expectFocus("Focus: 50% from the left, 50% from the top");
  await save(page);
  await expect(cardCover).toHaveCSS("object-position", "50% 50%");
});

for (const [width, height] of [
  [390, 844],
  [820, 1180],
  [1440, 900],
] as const)
  test(`shows all of a cover's buttons without scrolling in a window of ${width} pixels`, async ({
    site,
    open,
  }) => {
    const ana = await site.createAccount("Ana Torres");
    const { slug } = await covered(ana);
    const page = await open(ana, { viewport: { width, height } });
    await visit(page, `/edit/${slug}`);
    await openPublishSheet(page);
    for (const name of ["Replace", "Remove cover"]) {
      const button = page.getByRole("button", { name });
      await expect(button).toBeVisible();
      const corners = () =>
        button.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const middle = (left + right) / 2;
          return [top + 2, bottom - 2].map((y) => element.contains(document.elementFromPoint(middle, y)));
        });
      await expect.poll(corners).toEqual([true, true]);
    }
  });
