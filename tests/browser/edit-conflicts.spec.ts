import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { renewCopyEpoch, mergeWal } from "../../src/server/database/sqlite/copy.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { paint } from "../support/pictures.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, openPublishSheet, openBlogForm, expectSaved, moveCaretToEnd } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test, test as testAlone, type TestSite } from "./test-site.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const keptNotice = (page: Page) =>
  page.getByRole("status").filter({ hasText: "Your changes couldn’t be merged" });
const article = (page: Page) => page.getByRole("main").getByRole("article").first();

/** Creates Ana's blog of these paragraphs and opens a page of hers. */
async function openNewBlog(
  site: TestSite,
  open: (person: SignedInBrowser) => Promise<Page>,
  ...texts: string[]
) {
  const ana = await site.createAccount("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", document: paragraphs(...texts) }));
  return { ana, id: blog.id, slug: blog.slug, page: await open(ana) };
}

/** Types at the end of the text. */
async function add(page: Page, text: string): Promise<void> {
  await moveCaretToEnd(page);
  await page.keyboard.type(text);
  await expectSaved(page);
}

/** Checks axe and the width of a page with a notice, light on a desktop and dark on a phone. */
async function expectAccessible(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page, { within: "main" })).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("merges changes from elsewhere into an open form and loses neither side's", async ({ site, open }) => {
  const { ana, id, slug, page } = await openNewBlog(site, open, "First.", "Second.", "Third.");
  await openBlogForm(page, slug);
  await ana.api.blogs.update.mutate({
    id,
    etag: 1,
    title: "Owls, heard",
    document: paragraphs("First.", "Second.", "Third."),
  });
  await expect(title(page)).toHaveValue("Owls, heard");
  await expect(page.getByText("Unpublished changes")).toBeHidden();

  await add(page, " And mine.");
  await ana.api.blogs.update.mutate({
    id,
    etag: 2,
    title: "Owls, seen",
    document: paragraphs("First, by another.", "Second.", "Third."),
  });
  await expect(title(page)).toHaveValue("Owls, seen");
  await expect(content(page)).toHaveText("First, by another.Second.Third. And mine.");
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("First, by another.");
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("And mine.");
  await expect(page.getByText("Unpublished changes")).toBeVisible();
  await expect(keptNotice(page)).toBeHidden();
  await ana.api.blogs.update.mutate({ id, description: "By ear.", private: true });
  await openPublishSheet(page);
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("By ear.");
  await expect(page.getByRole("checkbox", { name: "Private" })).toBeChecked();
  await expect(page.getByText("Unpublished changes")).toBeVisible();
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(page.getByRole("heading", { name: "Owls, seen", level: 1 })).toBeVisible();
  for (const text of ["First, by another.", "Second.", "Third. And mine."])
    await expect(article(page)).toContainText(text);
  expect(await ana.api.blogs.card.query({ id })).toMatchObject({ private: true });
});

/** Copies the database; the returned function restores the copy, as `reprise restore` does with a backup. */
async function backUpDatabase(site: TestSite): Promise<() => Promise<void>> {
  const file = path.join(site.dataDir, "reprise.db");
  await site.kill("SIGTERM");
  mergeWal(file);
  const backup = await readFile(file);
  await site.start();
  return async () => {
    await site.kill();
    for (const suffix of ["-wal", "-shm"]) await rm(file + suffix, { force: true });
    await writeFile(file, backup);
    renewCopyEpoch(file);
    await site.start();
  };
}

testAlone(
  "keeps text as a new draft after a restored backup, with its cover, and the form shows the blog as it is @more",
  async ({ site, open }) => {
    const { ana, slug, page } = await openNewBlog(site, open, "First.", "Second.", "Third.");
    allowErrors(page);
    const restoreBackup = await backUpDatabase(site);
    await openBlogForm(page, slug);
    await add(page, " And mine.");
    const sheet = await openPublishSheet(page);
    await page.route("**/upload", (route) => route.abort());
    const cover = { name: "owl.png", mimeType: "image/png", buffer: await paint() };
    await sheet.getByLabel("Cover image").setInputFiles(cover);
    await expect(sheet.getByRole("button", { name: "Retry" })).toBeVisible();
    await restoreBackup();
    await expect(keptNotice(page)).toHaveText(/They’re kept as a new draft\./);
    await expect(content(page)).toHaveText("First.Second.Third.");
    await expect(sheet.getByText("Choose a picture")).toBeVisible();
    await sheet.getByRole("button", { name: "Close" }).click();
    await expectAccessible(page);
    expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("And mine.");
    await add(page, " And after.");
    await page.unroute("**/upload");
    await keptNotice(page).getByRole("link", { name: "Open the draft" }).press("Enter");
    await expect(content(page)).toHaveText("First.Second.Third. And mine.");
    await expect(title(page)).toHaveValue("Owls");
    await openPublishSheet(page);
    await expect(sheet.getByRole("button", { name: "Remove cover" })).toBeVisible();
    await expect(sheet.getByRole("checkbox", { name: "Save as draft" })).toBeChecked();
    await expectSaved(page);
    await openBlogForm(page, slug);
    await expect(content(page)).toHaveText("First.Second.Third. And after.");
  },
);

test("stays in a draft's form while it gets another address elsewhere", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", draft: true }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  await ana.api.blogs.update.mutate({ id, slug: "bats", draft: false });
  await expect(page).toHaveURL("/edit/bats");
  await add(page, " Mine.");
  await expect(page.getByText(/This blog was deleted/)).toHaveCount(0);
});

test("says that a blog was deleted elsewhere, and its text can be saved as a new draft @more", async ({
  site,
  open,
}) => {
  const { ana, id, slug, page } = await openNewBlog(site, open, "Before.");
  await openBlogForm(page, slug);
  await add(page, " Mine.");
  allowErrors(page);
  await ana.api.blogs.remove.mutate({ id });
  await expect(page.getByText(/This blog was deleted on another device/)).toBeVisible();
  await expectSaved(page);
  await page.goto("/add-blog");
  await expect(content(page)).toContainText("Before. Mine.");
  await openPublishSheet(page);
  await page.getByRole("checkbox", { name: "Save as draft" }).check();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(article(page)).toContainText("Before. Mine.");
});

test("publishes nothing while Mod-Enter is held down, and saves a draft by it at once @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  const blogs = async () =>
    (await ana.api.blogs.mine.query({})).blogs.map((blog) => [blog.title, blog.draft]);
  const published = async () => (await blogs()).filter(([, draft]) => !draft);
  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  await title(page).fill("Owls");
  await page.keyboard.down("Meta");
  // The first press opens the sheet; repeats while it is held do nothing.
  for (let time = 0; time < 5; time++) await page.keyboard.down("Enter");
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await expect(dialog).toContainText(
    "Everyone will be able to read it as it is now. Press ⌘ and Enter again to do so.",
  );
  for (let time = 0; time < 20; time++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.up("Meta");
  await expect(dialog).toBeVisible();
  expect(await published()).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(title(page)).toBeFocused();
  expect(await published()).toEqual([]);

  await openPublishSheet(page);
  await page.getByRole("checkbox", { name: "Save as draft" }).check();
  await title(page).press("Control+Enter");
  await expect(page).toHaveURL(/\/blog\/owls-/);
  expect(await blogs()).toEqual([["Owls", true]]);
});

test("sets a blog's address, and says when an address is taken @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const prefix = ana.me.username.replaceAll(/[^a-z0-9]/g, "");
  await ana.api.blogs.create.mutate(aBlog({ slug: `${prefix}-taken` }));
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  await openPublishSheet(page);
  await expect(page.getByText(`/blog/${slug}`, { exact: true })).toBeVisible();
  const change = page.getByRole("button", { name: "Change the address" });
  const [edge, description] = [
    await change.boundingBox(),
    await page.getByLabel("Description").boundingBox(),
  ];
  expect((edge?.x ?? 0) + (edge?.width ?? 0)).toBe((description?.x ?? 0) + (description?.width ?? 0));
  await change.click();
  const address = page.getByRole("textbox", { name: "Address" });
  await expect(address).toBeFocused();
  await page.keyboard.type(`${prefix} taken`);
  await page.keyboard.press("Enter");
  await expect(address).toHaveValue(`${prefix}-taken`);
  allowErrors(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(
    page.getByText(`The address ${prefix}-taken is taken. Please choose another one.`),
  ).toBeVisible();
  await expect(address).toBeFocused();
  await address.fill(`${prefix}-owls`);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${prefix}-owls`);
});
