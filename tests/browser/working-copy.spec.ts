import type { Page } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, openPublishSheet, openBlogForm, expectSaved, moveCaretToEnd } from "./editor-helpers.ts";
import {
  expect,
  allowErrors,
  logIn,
  sharedTest as test,
  test as testAlone,
  openPage,
  type TestSite,
  visit,
} from "./test-site.ts";

/* The shared working copy: saved on the server while it is written, published on request. */

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const description = (page: Page) => page.getByRole("textbox", { name: "Description" });
const expectText = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
const unpublished = (page: Page) => page.getByText("Unpublished changes");

/** Creates Ana's published blog of these paragraphs. */
async function createBlog(site: TestSite, ...texts: string[]) {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", document: paragraphs(...texts) }),
  );
  return { ana, id, slug };
}

/** Returns the text in the editor by paragraphs. */
const linesOf = (page: Page) => content(page).locator("> p").allTextContents();

/** Returns the selected text, and where the selection ends. */
const selected = (page: Page) =>
  page.evaluate(() => {
    const selection = getSelection()!;
    return [selection.toString(), selection.focusNode?.textContent, selection.focusOffset];
  });

test("merges text and fields of two devices writing in one blog, and keeps carets and selections", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "First.", "Second.", "Third.");
  const [firstPage, secondPage] = [await open(ana), await open(ana)];
  for (const page of [firstPage, secondPage]) await openBlogForm(page, slug);
  await moveCaretToEnd(firstPage);
  await firstPage.keyboard.press("Shift+ArrowLeft");
  await firstPage.keyboard.press("Shift+ArrowLeft");
  const before = await selected(firstPage);
  expect(before).toEqual(["d.", "Third.", 4]);
  await content(secondPage).click();
  await secondPage.keyboard.press("ControlOrMeta+Home");
  await secondPage.keyboard.type("Before all. ");
  await expect(content(firstPage)).toContainText("Before all. First.");
  expect(await selected(firstPage)).toEqual(before);
  await firstPage.keyboard.type("d of three.");
  await expect(content(secondPage)).toContainText("Third of three.");
  await secondPage.keyboard.type("Still here. ");
  await expect
    .poll(() => linesOf(firstPage))
    .toEqual(["Before all. Still here. First.", "Second.", "Third of three."]);
  expect(await linesOf(secondPage)).toEqual(await linesOf(firstPage));

  await title(firstPage).fill("Owls of the valley");
  await expect(title(secondPage)).toHaveValue("Owls of the valley");
  await openPublishSheet(secondPage);
  await description(secondPage).fill("By ear.");
  await secondPage.getByRole("textbox", { name: "Tags" }).fill("dusk");
  await secondPage.keyboard.press("Enter");
  await secondPage.getByRole("checkbox", { name: "Private" }).check();
  await openPublishSheet(firstPage);
  await expect(description(firstPage)).toHaveValue("By ear.");
  await expect(firstPage.getByRole("button", { name: "Remove dusk" })).toBeVisible();
  await expect(firstPage.getByRole("checkbox", { name: "Private" })).toBeChecked();
  await moveCaretToEnd(firstPage);
  await firstPage.keyboard.type(" Oops.");
  await expect(content(secondPage)).toContainText("Oops.");
  await content(secondPage).click();
  await secondPage.keyboard.press("ControlOrMeta+Home");
  await secondPage.keyboard.type("And here. ");
  await expect(content(firstPage)).toContainText("And here.");
  await firstPage.keyboard.press("ControlOrMeta+z");
  await expect
    .poll(() => linesOf(secondPage))
    .toEqual(["And here. Before all. Still here. First.", "Second.", "Third of three."]);
  for (const page of [firstPage, secondPage]) await expectSaved(page);
});

/** Checks that another device has the new blog with each of these words once. */
async function expectSavedText(page: Page, ana: SignedInBrowser, phrases: string[]): Promise<void> {
  await page.goto("/my-blogs");
  await expect(page.getByRole("link", { name: "Night trains" })).toBeVisible();
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(blogs.map((blog) => [blog.title, blog.draft])).toEqual([["Night trains", true]]);
  await page.goto("/add-blog");
  await expect(title(page)).toHaveValue("Night trains");
  for (const phrase of phrases) await expect(content(page)).toContainText(phrase);
  const text = (await linesOf(page)).join("\n");
  for (const phrase of phrases) expect(text.split(phrase), phrase).toHaveLength(2);
}

testAlone(
  "keeps every saved word exactly once when the tab, the browser or the server ends while typing",
  async ({ site, open, playwright }) => {
    const ana = await site.createAccount("Ana Torres");
    const otherPage = await open(ana);
    const first = await open(ana);
    await first.goto("/add-blog");
    await title(first).fill("Night trains");
    await content(first).click();
    await first.keyboard.type("They leave late.");
    await expectSaved(first);
    await first.close();
    await expectSavedText(otherPage, ana, ["They leave late."]);
    await expect(otherPage.getByText("Restored your unsaved changes.")).toBeVisible();

    const program = await playwright.chromium.launchServer(launchOptions());
    const chromium = await playwright.chromium.connect(program.wsEndpoint());
    const second = await openPage(await chromium.newContext({ baseURL: site.url }), site, ana);
    await second.goto("/add-blog");
    await moveCaretToEnd(second);
    await second.keyboard.type(" They arrive");
    await expectSaved(second);
    await second.keyboard.type(" ear");
    await program.kill();
    await expectSavedText(otherPage, ana, ["They leave late.", "They arrive"]);

    allowErrors(otherPage);
    await moveCaretToEnd(otherPage);
    await otherPage.keyboard.type(" Nobody sleeps");
    await expectSaved(otherPage);
    await otherPage.keyboard.type(" wel");
    await site.kill("SIGKILL");
    await otherPage.keyboard.type("l.");
    await expectText(otherPage, "Offline: saved on this device");
    await site.start();
    await expectSaved(otherPage);
    await expectSavedText(await open(ana), ana, ["They leave late.", "They arrive", "Nobody sleeps well."]);
  },
);

test("says when a session ends while writing, and saves the text after signing in", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await createBlog(site, "First.");
  const page = await open(ana);
  await openBlogForm(page, slug);
  await moveCaretToEnd(page);
  await page.keyboard.type(" Before.");
  await expectSaved(page);
  allowErrors(page);
  // The session expired: the page learns it when its next change is refused.
  await page.context().clearCookies();
  await page.keyboard.type(" And after.");
  await expectText(page, "You’re signed out. Your text is saved on this device.");
  await expectText(page, "Saved on this device");
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/signin/);
  await logIn(page, ana.email);
  await expect(page).toHaveURL(`/edit/${slug}`);
  await expect(content(page)).toContainText("First. Before. And after.");
  await expectSaved(page);

  // The session is ended from another device: the page learns it at once.
  await moveCaretToEnd(page);
  await page.route("**/trpc/**pushCommit**", (route) => route.abort());
  await page.keyboard.type(" At last.");
  await expectText(page, "Offline: saved on this device");
  await ana.api.users.revokeOtherSessions.mutate();
  await expect(page).toHaveURL(/\/signin/);
  await page.unrouteAll();
  await logIn(page, ana.email);
  await expect(page).toHaveURL(`/edit/${slug}`);
  await expect(content(page)).toContainText("First. Before. And after. At last.");
  await expectSaved(page);
  await until(async () => {
    const { document } = await ana.api.blogs.openWriting.mutate({ id });
    return JSON.stringify(document).includes("First. Before. And after. At last.");
  });
});

test("asks before leaving when text can be neither stored on the device nor sent @more", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "First.");
  const page = await open(ana);
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await openBlogForm(page, slug);
  await moveCaretToEnd(page);
  await page.keyboard.type(" Sent.");
  await expectSaved(page);
  allowErrors(page);
  await page.context().setOffline(true);
  await page.keyboard.type(" Not sent.");
  await expectText(page, "Failed to save on this device");
  const dialogEvent = page.waitForEvent("dialog");
  const reload = page.evaluate(() => location.reload()).catch(() => undefined);
  const dialog = await dialogEvent;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await reload;
  await expect(content(page)).toContainText("First. Sent. Not sent.");
  await page.context().setOffline(false);
  await expectSaved(page);
  await page.reload();
  await expect(content(page)).toContainText("First. Sent. Not sent.");
  // Signing in would leave the page and lose the text, so it is not offered.
  await page.context().clearCookies();
  await moveCaretToEnd(page);
  await page.keyboard.type(" Nowhere.");
  await expect(
    page.getByText("You are signed out, and what you wrote is not kept on this device."),
  ).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: "Sign in" })).toBeHidden();
});

test("shows readers a published blog unchanged until it is updated, and the update at once", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "Owls, mostly.");
  const [reader, page] = [await open(), await open(ana)];
  await visit(reader, `/blog/${slug}`);
  const article = reader.getByRole("main").getByRole("article").first();
  await openBlogForm(page, slug);
  await expect(unpublished(page)).toBeHidden();
  await title(page).fill("Owls and bats");
  await moveCaretToEnd(page);
  await page.keyboard.type(" And bats.");
  await expect(unpublished(page)).toBeVisible();
  await expectSaved(page);
  await page.reload();
  await expect(unpublished(page)).toBeVisible();
  await expect(content(page)).toContainText("And bats.");
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("bats");
  await expect(article).toHaveText(/Owls, mostly\.(?!.*bats)/);
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(article).toContainText("And bats.");
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Owls and bats");
  await expect(page).toHaveURL(`/blog/${slug}`);
  await openBlogForm(page, slug);
  await expect(unpublished(page)).toBeHidden();
});

test("lists a draft on another open page of one's blogs while it is typed", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const [list, page] = [await open(ana), await open(ana)];
  await visit(list, "/my-blogs");
  await page.goto("/add-blog");
  await title(page).fill("Night trains");
  const card = list.locator(".card");
  await expect(card.getByRole("link", { name: "Night trains" })).toBeVisible();
  await expect(card.locator(".card-badge")).toHaveText("Draft");
  await title(page).fill("Slow ships");
  await expect(card.getByRole("link", { name: "Slow ships" })).toBeVisible();
  await expect(list.getByText("Night trains")).toBeHidden();
});

test("keeps the form's notices readable and its buttons large enough on a phone, light and dark @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const names = ["Night trains", "Slow ships", "Owls, and what they say to each other at night"];
  for (const [index, name] of names.entries()) {
    const writer = await open(ana);
    await writer.goto("/add-blog");
    await expect(content(writer)).toBeVisible();
    // Every form after the first opens the blog before it.
    if (index > 0) await writer.getByRole("button", { name: "Start another" }).click();
    await title(writer).fill(name);
    await expectSaved(writer);
    await writer.close();
  }
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await page.goto("/add-blog");
  await page.getByText("2 more unfinished blogs").click();
  await moveCaretToEnd(page);
  await page.keyboard.type("Late.");
  await expectSaved(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
    for (const name of ["Start another", "Discard", "Close"]) {
      const box = await page.getByRole("button", { name, exact: true }).boundingBox();
      expect(box?.height, name).toBeGreaterThanOrEqual(32);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  }
});
