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
const says = (page: Page, words: string) => expect(page.getByText(words, { exact: true })).toBeVisible();
const unpublished = (page: Page) => page.getByText("Unpublished changes");

/** Creates Ana's published blog of these paragraphs. */
async function owls(site: TestSite, ...texts: string[]) {
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
  const { ana, slug } = await owls(site, "First.", "Second.", "Third.");
  const [one, two] = [await open(ana), await open(ana)];
  for (const page of [one, two]) await openBlogForm(page, slug);
  await moveCaretToEnd(one);
  await one.keyboard.press("Shift+ArrowLeft");
  await one.keyboard.press("Shift+ArrowLeft");
  const before = await selected(one);
  expect(before).toEqual(["d.", "Third.", 4]);
  await content(two).click();
  await two.keyboard.press("ControlOrMeta+Home");
  await two.keyboard.type("Before all. ");
  await expect(content(one)).toContainText("Before all. First.");
  expect(await selected(one)).toEqual(before);
  await one.keyboard.type("d of three.");
  await expect(content(two)).toContainText("Third of three.");
  await two.keyboard.type("Still here. ");
  await expect
    .poll(() => linesOf(one))
    .toEqual(["Before all. Still here. First.", "Second.", "Third of three."]);
  expect(await linesOf(two)).toEqual(await linesOf(one));

  await title(one).fill("Owls of the valley");
  await expect(title(two)).toHaveValue("Owls of the valley");
  await openPublishSheet(two);
  await description(two).fill("By ear.");
  await two.getByRole("textbox", { name: "Tags" }).fill("dusk");
  await two.keyboard.press("Enter");
  await two.getByRole("checkbox", { name: "Private" }).check();
  await openPublishSheet(one);
  await expect(description(one)).toHaveValue("By ear.");
  await expect(one.getByRole("button", { name: "Remove dusk" })).toBeVisible();
  await expect(one.getByRole("checkbox", { name: "Private" })).toBeChecked();
  await moveCaretToEnd(one);
  await one.keyboard.type(" Oops.");
  await expect(content(two)).toContainText("Oops.");
  await content(two).click();
  await two.keyboard.press("ControlOrMeta+Home");
  await two.keyboard.type("And here. ");
  await expect(content(one)).toContainText("And here.");
  await one.keyboard.press("ControlOrMeta+z");
  await expect
    .poll(() => linesOf(two))
    .toEqual(["And here. Before all. Still here. First.", "Second.", "Third of three."]);
  for (const page of [one, two]) await expectSaved(page);
});

/** Checks that another device has the new blog with each of these words once. */
async function isThere(page: Page, ana: SignedInBrowser, words: string[]): Promise<void> {
  await page.goto("/my-blogs");
  await expect(page.getByRole("link", { name: "Night trains" })).toBeVisible();
  const { blogs } = await ana.api.blogs.mine.query({});
  expect(blogs.map((blog) => [blog.title, blog.draft])).toEqual([["Night trains", true]]);
  await page.goto("/add-blog");
  await expect(title(page)).toHaveValue("Night trains");
  for (const word of words) await expect(content(page)).toContainText(word);
  const text = (await linesOf(page)).join("\n");
  for (const word of words) expect(text.split(word), word).toHaveLength(2);
}

testAlone(
  "keeps every saved word exactly once when the tab, the browser or the server ends while typing",
  async ({ site, open, playwright }) => {
    const ana = await site.createAccount("Ana Torres");
    const other = await open(ana);
    const first = await open(ana);
    await first.goto("/add-blog");
    await title(first).fill("Night trains");
    await content(first).click();
    await first.keyboard.type("They leave late.");
    await expectSaved(first);
    await first.close();
    await isThere(other, ana, ["They leave late."]);
    await expect(other.getByText("Restored your unsaved changes.")).toBeVisible();

    const program = await playwright.chromium.launchServer(launchOptions());
    const chromium = await playwright.chromium.connect(program.wsEndpoint());
    const second = await openPage(await chromium.newContext({ baseURL: site.url }), site, ana);
    await second.goto("/add-blog");
    await moveCaretToEnd(second);
    await second.keyboard.type(" They arrive");
    await expectSaved(second);
    await second.keyboard.type(" ear");
    await program.kill();
    await isThere(other, ana, ["They leave late.", "They arrive"]);

    allowErrors(other);
    await moveCaretToEnd(other);
    await other.keyboard.type(" Nobody sleeps");
    await expectSaved(other);
    await other.keyboard.type(" wel");
    await site.kill("SIGKILL");
    await other.keyboard.type("l.");
    await says(other, "Offline: saved on this device");
    await site.start();
    await expectSaved(other);
    await isThere(await open(ana), ana, ["They leave late.", "They arrive", "Nobody sleeps well."]);
  },
);

test("says when a session ends while writing, and saves the text after signing in", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await owls(site, "First.");
  const page = await open(ana);
  await openBlogForm(page, slug);
  await moveCaretToEnd(page);
  await page.keyboard.type(" Before.");
  await expectSaved(page);
  allowErrors(page);
  // The session expired: the page learns it when its next change is refused.
  await page.context().clearCookies();
  await page.keyboard.type(" And after.");
  await says(page, "You’re signed out. Your text is saved on this device.");
  await says(page, "Saved on this device");
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
  await says(page, "Offline: saved on this device");
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
  const { ana, slug } = await owls(site, "First.");
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
  await says(page, "Failed to save on this device");
  const asked = page.waitForEvent("dialog");
  const reload = page.evaluate(() => location.reload()).catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
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
  const { ana, slug } = await owls(site, "Owls, mostly.");
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
