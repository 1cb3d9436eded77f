import type { Page } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import type { Resident } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { aBlog, paragraphs } from "../support/writing.ts";
import { graveFaults, turnTo } from "./axe.ts";
import { content, details, edit, saved, toEnd } from "./editor.ts";
import {
  expect,
  forgive,
  logIn,
  sharedTest as test,
  test as testAlone,
  windowOf,
  type Site,
  visit,
} from "./site.ts";

/* What is written is on the server as it is written, in one text for all who write, and read when it is published. */

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const description = (page: Page) => page.getByRole("textbox", { name: "Description" });
const says = (page: Page, words: string) => expect(page.getByText(words, { exact: true })).toBeVisible();
const unpublished = (page: Page) => page.getByText("Unpublished changes");

/** Ana's published blog of these paragraphs. */
async function owls(site: Site, ...texts: string[]) {
  const ana = await site.resident("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", document: paragraphs(...texts) }),
  );
  return { ana, id, slug };
}

/** The text as who writes sees it, a line for each paragraph. */
const linesOf = (page: Page) => content(page).locator("> p").allTextContents();

/** What is selected in the text, from where its text begins. */
const selected = (page: Page) =>
  page.evaluate(() => {
    const selection = getSelection()!;
    return [selection.toString(), selection.focusNode?.textContent, selection.focusOffset];
  });

test("two devices write in one blog: text and fields both ways, and neither moves the other's caret or selection", async ({
  site,
  open,
}) => {
  const { ana, slug } = await owls(site, "First.", "Second.", "Third.");
  const [one, two] = [await open(ana), await open(ana)];
  for (const page of [one, two]) await edit(page, slug);
  await toEnd(one);
  await one.keyboard.press("Shift+ArrowLeft");
  await one.keyboard.press("Shift+ArrowLeft");
  const before = await selected(one);
  expect(before).toEqual(["d.", "Third.", 4]);
  await content(two).click();
  await two.keyboard.press("ControlOrMeta+Home");
  await two.keyboard.type("Before all. ");
  await expect(content(one)).toContainText("Before all. First.");
  expect(await selected(one)).toEqual(before);
  // It is replaced by what is typed now, where it stands.
  await one.keyboard.type("d of three.");
  await expect(content(two)).toContainText("Third of three.");
  await two.keyboard.type("Still here. ");
  await expect
    .poll(() => linesOf(one))
    .toEqual(["Before all. Still here. First.", "Second.", "Third of three."]);
  expect(await linesOf(two)).toEqual(await linesOf(one));

  await title(one).fill("Owls of the valley");
  await expect(title(two)).toHaveValue("Owls of the valley");
  await details(two);
  await description(two).fill("By ear.");
  await two.getByRole("textbox", { name: "Tags" }).fill("dusk");
  await two.keyboard.press("Enter");
  await two.getByRole("checkbox", { name: "Private" }).check();
  await details(one);
  await expect(description(one)).toHaveValue("By ear.");
  await expect(one.getByRole("button", { name: "Remove dusk" })).toBeVisible();
  await expect(one.getByRole("checkbox", { name: "Private" })).toBeChecked();
  // One's own steps are taken back, not those of the other.
  await toEnd(one);
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
  for (const page of [one, two]) await saved(page);
});

/** What another device shows of a new blog: these words, each once. */
async function isThere(page: Page, ana: Resident, words: string[]): Promise<void> {
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
  "whatever ends while somebody types, the tab, the browser or the server, another device has every word that was saved, once",
  async ({ site, open, playwright }) => {
    const ana = await site.resident("Ana Torres");
    const other = await open(ana);
    const first = await open(ana);
    await first.goto("/add-blog");
    await title(first).fill("Night trains");
    await content(first).click();
    await first.keyboard.type("They leave late.");
    await saved(first);
    await first.close();
    await isThere(other, ana, ["They leave late."]);
    await expect(other.getByText("Restored your unsaved changes.")).toBeVisible();

    // A browser of its own, which is killed.
    const program = await playwright.chromium.launchServer(launchOptions());
    const chromium = await playwright.chromium.connect(program.wsEndpoint());
    const second = await windowOf(await chromium.newContext({ baseURL: site.url }), site, ana);
    await second.goto("/add-blog");
    await toEnd(second);
    await second.keyboard.type(" They arrive");
    await saved(second);
    await second.keyboard.type(" ear");
    await program.kill();
    await isThere(other, ana, ["They leave late.", "They arrive"]);

    forgive(other);
    await toEnd(other);
    await other.keyboard.type(" Nobody sleeps");
    await saved(other);
    await other.keyboard.type(" wel");
    await site.kill("SIGKILL");
    await other.keyboard.type("l.");
    await says(other, "Offline: saved on this device");
    await site.start();
    await saved(other);
    await isThere(await open(ana), ana, ["They leave late.", "They arrive", "Nobody sleeps well."]);
  },
);

test("a session that ends elsewhere while somebody writes says so, and what was written is saved after signing in", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await owls(site, "First.");
  const page = await open(ana);
  await edit(page, slug);
  await toEnd(page);
  await page.keyboard.type(" Before.");
  await saved(page);
  forgive(page);
  // It has expired: the page hears of it when what it writes is refused.
  await page.context().clearCookies();
  await page.keyboard.type(" And after.");
  await says(page, "You’re signed out. Your text is saved on this device.");
  await says(page, "Saved on this device");
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/signin/);
  await logIn(page, ana.email);
  await expect(page).toHaveURL(`/edit/${slug}`);
  await expect(content(page)).toContainText("First. Before. And after.");
  await saved(page);

  // It is ended from another device while a word is typed: the page is told at once.
  await toEnd(page);
  await page.route("**/trpc/**pushCommit**", (route) => route.abort());
  await page.keyboard.type(" At last.");
  await says(page, "Offline: saved on this device");
  await ana.api.users.revokeOtherSessions.mutate();
  await expect(page).toHaveURL(/\/signin/);
  await page.unrouteAll();
  await logIn(page, ana.email);
  await expect(page).toHaveURL(`/edit/${slug}`);
  await expect(content(page)).toContainText("First. Before. And after. At last.");
  await saved(page);
  await until(async () => {
    const { document } = await ana.api.blogs.openWriting.mutate({ id });
    return JSON.stringify(document).includes("First. Before. And after. At last.");
  });
});

test("where nothing can be kept on the device and nothing sent, leaving is asked first @more", async ({
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
  await edit(page, slug);
  await toEnd(page);
  await page.keyboard.type(" Sent.");
  await saved(page);
  forgive(page);
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
  await saved(page);
  // Nothing would be lost any more, and nothing is asked.
  await page.reload();
  await expect(content(page)).toContainText("First. Sent. Not sent.");
  // Signing in leads away from here: that is not proposed where it would lose something.
  await page.context().clearCookies();
  await toEnd(page);
  await page.keyboard.type(" Nowhere.");
  await expect(
    page.getByText("You are signed out, and what you wrote is not kept on this device."),
  ).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: "Sign in" })).toBeHidden();
});

test("readers see a published blog as it was until it is updated, and then at once", async ({
  site,
  open,
}) => {
  const { ana, slug } = await owls(site, "Owls, mostly.");
  const [reader, page] = [await open(), await open(ana)];
  await visit(reader, `/blog/${slug}`);
  const article = reader.getByRole("main").getByRole("article").first();
  await edit(page, slug);
  await expect(unpublished(page)).toBeHidden();
  await title(page).fill("Owls and bats");
  await toEnd(page);
  await page.keyboard.type(" And bats.");
  await expect(unpublished(page)).toBeVisible();
  await saved(page);
  // It is so after it was opened again, too.
  await page.reload();
  await expect(unpublished(page)).toBeVisible();
  await expect(content(page)).toContainText("And bats.");
  expect((await ana.api.blogs.bySlug.query({ slug })).html).not.toContain("bats");
  await expect(article).toHaveText(/Owls, mostly\.(?!.*bats)/);
  await details(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(article).toContainText("And bats.");
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Owls and bats");
  await expect(page).toHaveURL(`/blog/${slug}`);
  await edit(page, slug);
  await expect(unpublished(page)).toBeHidden();
});

test("on a phone what is said of a text can be read and pressed, by day and by night @more", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const names = ["Night trains", "Slow ships", "Owls, and what they say to each other at night"];
  for (const [index, name] of names.entries()) {
    const writer = await open(ana);
    await writer.goto("/add-blog");
    await expect(content(writer)).toBeVisible();
    // Every form after the first opens on the blog before it.
    if (index > 0) await writer.getByRole("button", { name: "Start another" }).click();
    await title(writer).fill(name);
    await saved(writer);
    await writer.close();
  }
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await page.goto("/add-blog");
  await page.getByText("2 more unfinished blogs").click();
  await toEnd(page);
  await page.keyboard.type("Late.");
  await saved(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await turnTo(page, colorScheme);
    expect.soft(await graveFaults(page)).toEqual([]);
    for (const name of ["Start another", "Discard", "Close"]) {
      const box = await page.getByRole("button", { name, exact: true }).boundingBox();
      expect(box?.height, name).toBeGreaterThanOrEqual(32);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  }
});
