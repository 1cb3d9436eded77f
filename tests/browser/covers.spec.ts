import type { Page } from "@playwright/test";
import { paint, upload } from "../support/pictures.ts";
import { aBlog } from "../support/writing.ts";
import type { Resident } from "../support/browser.ts";
import { expect, forgive, sharedTest as test } from "./site.ts";

const stored = (page: Page) => page.locator(".cover-picture[src^='/media/']");
const picture = async (buffer?: Buffer) => ({
  name: "cover.png",
  mimeType: "image/png",
  buffer: buffer ?? (await paint(600, 400)),
});
const choose = async (page: Page, buffer?: Buffer) =>
  page.getByLabel("Cover image").setInputFiles(await picture(buffer));

/** A blog of hers with a cover. */
async function covered(ana: Resident): Promise<{ slug: string; coverId: string }> {
  const { id: coverId } = await upload(ana);
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ coverId }));
  return { slug, coverId };
}
const coverOf = async (ana: Resident, slug: string) =>
  (await ana.api.blogs.forEdit.query({ slug })).cover?.id ?? null;
async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(/\/blog\//);
}

test("whoever cancels another cover keeps the stored one", async ({ site, open }) => {
  const ana = await site.resident("Ana Torres");
  const { slug, coverId } = await covered(ana);
  const page = await open(ana);
  await page.goto(`/edit/${slug}`);
  await expect(stored(page)).toBeVisible();
  // It never arrives.
  await page.route("**/upload", () => {});
  await choose(page);
  await expect(stored(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(stored(page)).toBeVisible();
  await save(page);
  expect(await coverOf(ana, slug)).toBe(coverId);
});

test("a cover that got lost on its way is given up for the stored one; only that one is removed", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug, coverId } = await covered(ana);
  const page = await open(ana);
  forgive(page);
  await page.goto(`/edit/${slug}`);
  await expect(stored(page)).toBeVisible();
  await page.route("**/upload", (route) => route.abort());
  await choose(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  const said = page.locator(".cover").getByRole("alert");
  await expect(said).toContainText("check your internet connection");
  await page.getByRole("button", { name: "Keep the old cover" }).click();
  await expect(stored(page)).toBeVisible();
  await expect(said).toBeHidden();
  await save(page);
  expect(await coverOf(ana, slug)).toBe(coverId);

  await page.goto(`/edit/${slug}`);
  await page.getByRole("button", { name: "Remove cover" }).click();
  await save(page);
  expect(await coverOf(ana, slug)).toBeNull();
});

test("a cover that the server refuses leaves what was there, with the reason beside it", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const { slug, coverId } = await covered(ana);
  const page = await open(ana);
  forgive(page);
  const said = page.locator(".cover").getByRole("alert");
  const broken = Buffer.from("no picture at all");
  await page.goto(`/edit/${slug}`);
  await expect(stored(page)).toBeVisible();
  await choose(page, broken);
  await expect(said).toBeVisible();
  await expect(stored(page)).toBeVisible();
  // Whoever saves is told once more, then it goes without.
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page.getByLabel("Cover image")).toBeFocused();
  await save(page);
  expect(await coverOf(ana, slug)).toBe(coverId);

  await page.goto("/add-blog");
  await choose(page, broken);
  await expect(said).toBeVisible();
  await expect(page.getByText("Choose a picture")).toBeVisible();
  await expect(page.locator(".cover-picture")).toHaveCount(0);
  await choose(page);
  await expect(stored(page)).toBeVisible();
  await expect(said).toBeHidden();
});
