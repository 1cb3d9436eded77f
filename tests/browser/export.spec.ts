import { expect } from "@playwright/test";
import { password } from "../support/browser.ts";
import { slow } from "../support/until.ts";
import { unzip } from "../support/unzip.ts";
import { aBlog } from "../support/sample-content.ts";
import { openPublishSheet } from "./editor-helpers.ts";
import { allowErrors, sharedTest as test } from "./test-site.ts";

test("exports all of one's data, and the file is there after a reload until deleted", async ({
  site,
  open,
}) => {
  test.setTimeout(slow);
  const ana = await site.createAccount("Ana Torres");
  await ana.api.blogs.create.mutate(aBlog({ title: "Owls", slug: `${ana.me.username}-owls` }));
  const page = await open(ana);
  await page.goto("/settings");
  await page.getByRole("main").getByRole("region", { name: "Export" }).getByRole("link").click();
  await expect(page).toHaveURL("/settings/export");
  await page.getByRole("button", { name: "Export" }).click();
  const box = page.getByRole("dialog").getByLabel("password", { exact: false }).first();
  await box.fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/We’re creating your file|Your file is ready/)).toBeVisible();
  await page.reload();
  // The export runs at the lowest priority, which may take long.
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 200_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toContain(ana.me.username);
  const files = await unzip(await download.path());
  expect(files.get(`blogs/${ana.me.username}-owls.md`)?.toString()).toContain("Owls, mostly.");
  await page.getByRole("button", { name: "Delete the file" }).click();
  await expect(page.getByRole("button", { name: "Export" })).toBeVisible();
});

test("keeps search engine settings after a reload and renders them in the page's head @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", slug: `${ana.me.username}-found` }),
  );
  const page = await open(ana);
  await page.goto(`/edit/${slug}`);
  await openPublishSheet(page);
  await page.getByText("Search engines", { exact: true }).click();
  const first = page.getByLabel("Published elsewhere first");
  await first.fill("example.org/owls");
  await page.getByLabel("Name in search results").fill("All of the owls");
  // At the field, as soon as it is left.
  await expect(page.getByText("Enter the full address")).toBeVisible();
  await expect(page.locator(".for-search-title")).toHaveText(/^All of the owls · /);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page.getByText("Enter the full address")).toBeVisible();
  await expect(first).toBeFocused();
  await expect(page.locator(".blog-form-kept > [data-state=saved]")).toHaveCount(1);
  await page.reload();
  await openPublishSheet(page);
  await page.getByText("Search engines").first().click();
  await expect(page.getByLabel("Name in search results")).toHaveValue("All of the owls");
  await first.fill("https://example.org/owls");
  allowErrors(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await page.reload();
  await expect(page).toHaveTitle(/^All of the owls · /);
  expect(await page.locator('link[rel="canonical"]').getAttribute("href")).toBe("https://example.org/owls");

  await page.goto(`/edit/${slug}`);
  await expect(page.getByRole("link", { name: "Markdown" })).toHaveAttribute("href", `/blog/${slug}.md`);
});
