import type { Page } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { paint } from "../support/pictures.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, openPublishSheet, openBlogForm, expectSaved, moveCaretToEnd } from "./editor-helpers.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
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

/* Drafts: on the server while they are written, published on request. */

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

const ownCover = async () => ({ name: "owl.png", mimeType: "image/png", buffer: await paint() });

/** Lets uploads wait until the returned promise is resolved. */
async function stallUploads(page: Page): Promise<PromiseWithResolvers<void>> {
  const upload = Promise.withResolvers<void>();
  await page.route("**/upload", async (route) => {
    await upload.promise;
    await route.continue().catch(() => undefined);
  });
  return upload;
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

test("keeps the letters and the carets of two windows that type into one title at the same time", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "First.");
  const [firstPage, secondPage] = [await open(ana), await open(ana)];
  for (const page of [firstPage, secondPage]) await openBlogForm(page, slug);
  await title(firstPage).press("Home");
  await title(secondPage).press("End");
  await Promise.all([
    title(firstPage).pressSequentially("AAAAAAAAAA", { delay: 150 }),
    title(secondPage).pressSequentially("BBBBBBBBBB", { delay: 150 }),
  ]);
  for (const page of [firstPage, secondPage]) {
    await expectSaved(page);
    await expect(title(page)).toHaveValue("AAAAAAAAAAOwlsBBBBBBBBBB");
  }
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

test("discards unpublished changes, and Undo restores them with a cover that was uploading", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await createBlog(site, "First.");
  const page = await open(ana);
  await openBlogForm(page, slug);
  const upload = await stallUploads(page);
  const sheet = await openPublishSheet(page);
  await sheet.getByLabel("Cover image").setInputFiles(await ownCover());
  await expect(sheet.getByRole("progressbar", { name: "Upload" })).toBeVisible();
  // A cover that was chosen and taken back is no change.
  await sheet.getByRole("button", { name: "Cancel" }).click();
  await expectSaved(page);
  await expect(unpublished(page)).toBeHidden();

  await title(page).fill("Owls and bats");
  await sheet.getByRole("textbox", { name: "Tags" }).fill("dus");
  await sheet.getByLabel("Cover image").setInputFiles(await ownCover());
  await sheet.getByRole("button", { name: "Close" }).click();
  await moveCaretToEnd(page);
  await page.keyboard.type(" And bats.");
  await expect(unpublished(page)).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Discarded your unsaved changes.")).toBeVisible();
  await expect(title(page)).toHaveValue("Owls");
  await expect(content(page)).toHaveText("First.");
  await openPublishSheet(page);
  await expect(sheet.getByText("Choose a picture")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Remove dus" })).toBeHidden();
  const written = async () => {
    const { document, fields } = await ana.api.blogs.openDraft.mutate({ id });
    return [
      JSON.stringify(document).includes("And bats."),
      fields.title,
      fields.tags,
      fields.coverId !== null,
    ];
  };
  await expect.poll(written).toEqual([false, "Owls", ["night"], false]);

  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(title(page)).toHaveValue("Owls and bats");
  await expect(content(page)).toHaveText("First. And bats.");
  await expect(sheet.getByRole("button", { name: "Remove dus" })).toBeVisible();
  upload.resolve();
  await expect(sheet.getByRole("button", { name: "Remove cover" })).toBeVisible();
  await expectSaved(page);
  await expect.poll(written).toEqual([true, "Owls and bats", ["night", "dus"], true]);
  await page.reload();
  await expect(unpublished(page)).toBeVisible();
  await expect(content(page)).toHaveText("First. And bats.");
});

test("says why text could not be saved, and sends it again by Retry, on a phone too", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "First.");
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await openBlogForm(page, slug);
  const reason = "This text is nested too deeply.";
  let calls = 0;
  const refusal = { code: "BAD_REQUEST", httpStatus: 400, message: reason };
  await failRequests(page, "pushCommit", refusal, () => calls++);
  await moveCaretToEnd(page);
  await page.keyboard.type(" Refused.");
  await expectText(page, `Couldn’t save: ${reason}`);
  const retry = page.getByRole("button", { name: "Retry" });
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  for (const name of ["Retry", "More", "Update…"])
    await expect(page.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 1 });
  const before = calls;
  await retry.click();
  await expect.poll(() => calls).toBeGreaterThan(before);
  // It can be pressed again.
  await expect(retry).toBeFocused();
  await expectText(page, `Couldn’t save: ${reason}`);
  await stopFailing(page);
  await retry.press("Enter");
  await expectSaved(page);
  await expect(retry).toBeHidden();
  // Its steps were sent as one, and can still be undone.
  await content(page).press("ControlOrMeta+z");
  await expect(content(page)).toHaveText("First.");
  await content(page).press("ControlOrMeta+Shift+z");
  await expect(content(page)).toHaveText("First. Refused.");
  await expectSaved(page);
  await page.reload();
  await expect(content(page)).toHaveText("First. Refused.");
});

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
    const { document } = await ana.api.blogs.openDraft.mutate({ id });
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
  await visit(page, `/blog/${slug}`);
  await page.getByRole("button", { name: "Edit Blog" }).click();
  await expect(content(page)).toBeVisible();
  await moveCaretToEnd(page);
  await page.keyboard.type(" Sent.");
  await expectSaved(page);
  allowErrors(page);
  await page.context().setOffline(true);
  await page.keyboard.type(" Not sent.");
  await expectText(page, "Failed to save on this device");
  await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  // By a link of the site, back in the history, or by closing the tab.
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  const homeLink = page.getByRole("banner").getByRole("link").first();
  for (const leave of [() => homeLink.click(), () => page.evaluate(() => history.back())]) {
    await leave();
    await expect(question).toContainText("neither on the server nor on this device");
    expect.soft(await seriousViolations(page, { within: "[role=alertdialog]" })).toEqual([]);
    await expect(question.getByRole("button", { name: "Stay" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(`/edit/${slug}`);
    await expect(content(page)).toContainText("First. Sent. Not sent.");
  }
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
  await homeLink.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).not.toHaveURL(`/edit/${slug}`);
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
  for (const [index, name] of ["Night trains", "Slow ships"].entries()) {
    const writer = await open(ana);
    await writer.goto("/add-blog");
    await expect(content(writer)).toBeVisible();
    // The second form opens the blog before it.
    if (index > 0) await writer.getByRole("button", { name: "Start another" }).click();
    await expect(title(writer)).toHaveValue("");
    await title(writer).fill(name);
    await expectSaved(writer);
    await writer.close();
  }
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await page.goto("/add-blog");
  await expect(title(page)).toHaveValue("Slow ships");
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

test("finds what was typed in the moment before the page was closed while the server was unreachable", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "First.");
  const page = await open(ana);
  await openBlogForm(page, slug);
  allowErrors(page);
  await page.route(/pushCommit|commitsSince/, (route) => route.abort());
  await moveCaretToEnd(page);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.evaluate(() => {
    document.execCommand("insertText", false, " Last words.");
    location.href = "about:blank";
  });
  await page.waitForURL("about:blank");
  await openBlogForm(page, slug);
  await expect(content(page)).toHaveText("First. Last words.");
  await page.unroute(/pushCommit|commitsSince/);
  await expectSaved(page);
});

test("sends what was typed in the moment before the page was closed", async ({ site, open }) => {
  const { ana, id, slug } = await createBlog(site, "First.");
  const page = await open(ana);
  await openBlogForm(page, slug);
  await moveCaretToEnd(page);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.evaluate(() => {
    document.execCommand("insertText", false, " Last words.");
    location.href = "about:blank";
  });
  await until(async () => {
    const { document } = await ana.api.blogs.openDraft.mutate({ id });
    return JSON.stringify(document).includes("First. Last words.");
  });
  // Nothing is sent twice by the next page. It opens first: a context whose last page closes can end with it.
  const later = await page.context().newPage();
  await page.close();
  await openBlogForm(later, slug);
  await expectText(later, "First. Last words.");
});

test("names the language of a text while it is written", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await page.goto("/add-blog");
  await content(page).click();
  await page.keyboard.type("Eulen ");
  const sheet = await openPublishSheet(page);
  const hint = sheet.getByLabel("Language").locator("option").first();
  await expect(hint).toHaveText("Detect from the text");
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(
    "fliegen in der Nacht über den verschneiten Wald und hören jede Maus, die sich unter dem Schnee bewegt.",
  );
  await expect(hint).toHaveText("Detect from the text (Deutsch)");
  await expect(content(page)).toHaveAttribute("lang", "de");
});
