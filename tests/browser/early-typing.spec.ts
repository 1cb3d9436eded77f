import type { Page } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import { seriousViolations } from "./axe.ts";
import { content, expectSaved } from "./editor-helpers.ts";
import { failRequests, stopFailing } from "./failing-requests.ts";
import { createDatabaseFolder } from "../support/new-database.ts";
import { allowErrors, expect, openPage, sharedTest as test, TestSite } from "./test-site.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const firstLines = (page: Page) => page.getByRole("textbox", { name: "Beginning of the text" });

/** Holds back the scripts whose address matches, and lets them fail while `isFailing`. Returns a function that lets them through. */
async function holdScripts(page: Page, address: RegExp, isFailing = () => false): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await (isFailing() ? route.abort() : route.continue());
  });
  return release;
}
const editorCode = /\/assets\/content-field.*\.js$/;

test("takes over what is typed after the title before the editor is loaded", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  const release = await holdScripts(page, editorCode);
  await page.goto("/add-blog");
  await page.waitForFunction(() => !window.early);
  await expect(title(page)).toBeFocused();
  await page.keyboard.type("Owls");
  await page.keyboard.press("Enter");
  await expect(firstLines(page)).toBeFocused();
  await page.keyboard.press("Backspace");
  await expect(title(page)).toBeFocused();
  await page.keyboard.type(" at dusk");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("They call.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Tw");
  expect(await seriousViolations(page, { within: ".blog-form-text" })).toEqual([]);
  release();
  await expect(content(page)).toBeFocused();
  await expect(firstLines(page)).toHaveCount(0);
  await page.keyboard.type("ice.");
  await expect(title(page)).toHaveValue("Owls at dusk");
  await expect(content(page).locator("p")).toHaveText(["They call.", "Twice."]);
  await expectSaved(page);
  await page.reload();
  await expect(content(page).locator("p")).toHaveText(["They call.", "Twice."]);
});

test("takes over lines typed before any script is loaded, above a text that there is already", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  const release = await holdScripts(page, /\/assets\/entry-browser.*\.js$/);
  await page.goto("/add-blog", { waitUntil: "commit" });
  await page.waitForFunction(() => window.early);
  await expect(title(page)).toBeFocused();
  await page.keyboard.type("Owls");
  await page.keyboard.press("Enter");
  await page.keyboard.type("They call.");
  release();
  await expect(content(page)).toBeFocused();
  await page.keyboard.type(" Twice.");
  await expect(title(page)).toHaveValue("Owls");
  await expect(content(page).locator("p")).toHaveText(["They call. Twice."]);

  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Larks" }));
  const edit = await open(ana);
  const releaseEditor = await holdScripts(edit, editorCode);
  await edit.goto(`/edit/${slug}`);
  await edit.waitForFunction(() => !window.early);
  await title(edit).focus();
  await edit.keyboard.press("Enter");
  await edit.keyboard.type("New.");
  releaseEditor();
  await expect(content(edit)).toBeFocused();
  await expect(content(edit).locator("p")).toHaveText(["New.", "Owls, mostly."]);
  await expect(title(edit)).toHaveValue("Larks");
  await edit.keyboard.press("ControlOrMeta+z");
  await expect(content(edit)).toHaveText("Owls, mostly.");
});

test("keeps a blog's title if Enter is pressed in it before any script is loaded", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Larks" }));
  const page = await open(ana);
  const release = await holdScripts(page, /\/assets\/entry-browser.*\.js$/);
  await page.goto(`/edit/${slug}`, { waitUntil: "commit" });
  await page.waitForFunction(() => window.early);
  await title(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("New.");
  release();
  await expect(content(page)).toBeFocused();
  await expect(content(page).locator("p")).toHaveText(["New.", "Owls, mostly."]);
  await expect(title(page)).toHaveValue("Larks");
});

test("keeps lines typed early if the text cannot be opened, and asks before leaving", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Larks" }));
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  allowErrors(page);
  const release = await holdScripts(page, editorCode);
  await page.goto(`/edit/${slug}`);
  await page.waitForFunction(() => !window.early);
  await title(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("New.");
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();
  await expect(firstLines(page)).toHaveValue("New.");
  await failRequests(page, "openDraft", { code: "NOT_FOUND", httpStatus: 404, message: "Not now" });
  release();
  const retry = page.getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  await stopFailing(page);
  await retry.click();
  await expect(content(page).locator("p")).toHaveText(["New.", "Owls, mostly."]);
});

test("loads the editor by Retry after its code could not be fetched, with what was typed early", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  allowErrors(page);
  let isFailing = true;
  const release = await holdScripts(page, editorCode, () => isFailing);
  await page.goto("/add-blog");
  await page.waitForFunction(() => !window.early);
  await page.keyboard.type("Owls");
  await page.keyboard.press("Enter");
  await page.keyboard.type("They call.");
  release();
  const retry = page.getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  isFailing = false;
  await retry.click();
  await expect(content(page).locator("p")).toHaveText(["They call."]);
  await expect(title(page)).toHaveValue("Owls");
  await expectSaved(page);
  await page.reload();
  await expect(content(page).locator("p")).toHaveText(["They call."]);
});

test("takes over lines once in development, where StrictMode creates the editor twice @more", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const folder = await createDatabaseFolder("reprise-browser-");
  const site = new TestSite(folder, { NODE_ENV: "development" }, "src/server/main.ts", "--dev");
  try {
    await site.start();
    const context = await browser.newContext({ baseURL: site.url, serviceWorkers: "block" });
    const page = await openPage(context, site, await site.createAccount("Ana Torres"));
    // The dev server compiles what this first page asks for, and may reload it.
    await page.goto("/add-blog");
    await expect(content(page)).toBeVisible({ timeout: 90_000 });
    const release = await holdScripts(page, /\/content-field\.tsx/);
    await page.goto("/add-blog");
    await page.waitForFunction(() => !window.early);
    await title(page).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("They call.");
    release();
    await expect(content(page)).toBeFocused({ timeout: 30_000 });
    await page.keyboard.type(" Twice.");
    await expect(content(page).locator("p")).toHaveText(["They call. Twice."]);
    await context.close();
  } finally {
    await site.close();
  }
});
