import type { Page, WebSocketRoute } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import { maxWriters } from "../../src/shared/drafts.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { toolbar, content, openPublishSheet, expectSaved, openToolbar } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test, openPage, type TestSite } from "./test-site.ts";

/* Writers in one text see who else writes, and where. */

const carets = (page: Page) => page.locator(".editor-caret");
const now = (page: Page) => page.getByRole("list", { name: "Writing now:" });
const linesOf = (page: Page) => content(page).locator("> p").allTextContents();

async function createBlog(site: TestSite, ...texts: string[]) {
  const ana = await site.createAccount("Ana Torres");
  const { id, slug } = await ana.api.blogs.create.mutate(
    aBlog({ title: "Owls", document: paragraphs(...texts) }),
  );
  return { ana, id, slug };
}

/** Opens a blog's form with the caret at the beginning of its text. */
async function edit(page: Page, slug: string): Promise<Page> {
  await page.goto(`/edit/${slug}`);
  await openToolbar(page);
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  return page;
}

/** Returns the text with "|" where the other's caret is. */
const withCaret = (page: Page) =>
  content(page).evaluate((text) =>
    [...text.children]
      .map((block) => {
        const copy = block.cloneNode(true) as Element;
        for (const caret of copy.querySelectorAll(".editor-caret")) caret.replaceWith("|");
        return copy.textContent;
      })
      .join("\n"),
  );
const expectCarets = (page: Page, text: string) => expect.poll(() => withCaret(page)).toBe(text);

test("shows the carets of two windows by name, moves them with the text, and removes them when a window closes", async ({
  site,
  open,
  playwright,
}) => {
  const { ana, slug } = await createBlog(site, "One hears owls.", "And trains.");
  const firstPage = await edit(await open(ana), slug);
  let requestCount = 0;
  firstPage.on("request", (request) => (requestCount += Number(request.url().includes("blogs.here"))));
  await firstPage.keyboard.press("ArrowRight");
  await expect(now(firstPage)).toHaveCount(0);
  await firstPage.keyboard.type("x");
  await expectSaved(firstPage);
  await firstPage.keyboard.press("Backspace");
  // A lone writer sends no caret.
  expect(requestCount).toBe(0);
  const secondPage = await edit(await open(ana), slug);
  await expect(now(firstPage)).toHaveText("You, elsewhere");
  await expect(now(secondPage)).toHaveText("You, elsewhere");
  await expect(firstPage.getByText("Also writing here: You, elsewhere.")).toBeAttached();
  await expectCarets(secondPage, "O|ne hears owls.\nAnd trains.");
  await expect(carets(secondPage)).toHaveAttribute("data-name", "You, elsewhere");
  expect(await carets(secondPage).evaluate((mark) => getComputedStyle(mark, "::after").content)).toBe(
    '"You, elsewhere"',
  );

  await secondPage.keyboard.press("ArrowDown");
  await secondPage.keyboard.press("End");
  await expectCarets(firstPage, "One hears owls.\nAnd trains.|");
  // Typing before a caret moves it, and the writer's own caret moves without a request.
  await firstPage.keyboard.type("Here o");
  await expectCarets(secondPage, "OHere o|ne hears owls.\nAnd trains.");
  const before = requestCount;
  await firstPage.keyboard.type("h. ");
  await expectCarets(secondPage, "OHere oh. |ne hears owls.\nAnd trains.");
  await expectSaved(firstPage);
  expect(requestCount).toBe(before);
  await secondPage.keyboard.press("Enter");
  await secondPage.keyboard.type("Late ones.");
  await expectCarets(firstPage, "OHere oh. ne hears owls.\nAnd trains.\nLate ones.|");
  await firstPage.keyboard.press("ControlOrMeta+End");
  await firstPage.keyboard.type(" Slow.");
  await expectCarets(firstPage, "OHere oh. ne hears owls.\nAnd trains.\nLate ones.| Slow.");
  await expectCarets(secondPage, "OHere oh. ne hears owls.\nAnd trains.\nLate ones. Slow.|");
  await secondPage.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => linesOf(firstPage)).not.toContain("Late ones. Slow.");
  await secondPage.keyboard.press("ControlOrMeta+Shift+z");
  await expect.poll(() => linesOf(firstPage)).toContain("Late ones. Slow.");

  await secondPage.keyboard.press("ControlOrMeta+Home");
  await secondPage.keyboard.press("Shift+ControlOrMeta+ArrowRight");
  await expect(firstPage.locator(".editor-tint")).toHaveText("OHere ");
  await secondPage.close();
  await expect(now(firstPage)).toHaveCount(0);
  await expect(carets(firstPage)).toHaveCount(0);
  await expect(firstPage.getByText("No longer writing here: You, elsewhere.")).toBeAttached();

  // A killed browser says nothing; its connection breaks.
  const program = await playwright.chromium.launchServer(launchOptions());
  const chromium = await playwright.chromium.connect(program.wsEndpoint());
  const third = await openPage(await chromium.newContext({ baseURL: site.url }), site, ana);
  await edit(third, slug);
  await expect(carets(firstPage)).toHaveCount(1);
  await program.kill();
  await expect(carets(firstPage)).toHaveCount(0);
});

test("shows carets in tables, in an empty last line and across selected cells, and none while offline @more", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await createBlog(site, "One.");
  const cell = (text: string) => ({ type: "table_cell", content: paragraphs(text).content });
  const { etag } = await ana.api.blogs.forEdit.query({ slug });
  await ana.api.blogs.update.mutate({
    id,
    etag,
    document: {
      type: "doc",
      content: [
        ...paragraphs("One.").content,
        { type: "table", content: [{ type: "table_row", content: [cell("a"), cell("b")] }] },
        ...paragraphs("").content,
      ],
    },
  });
  const [firstPage, secondPage] = [await edit(await open(ana), slug), await edit(await open(ana), slug)];
  await secondPage.keyboard.press("ArrowDown");
  await expect(firstPage.locator("td .editor-caret")).toBeVisible();
  await secondPage.locator("td").last().click();
  await expect(firstPage.locator("td").last().locator(".editor-caret")).toBeVisible();
  await secondPage.keyboard.press("ControlOrMeta+End");
  await expect(firstPage.locator(".editor-content > p:last-child > .editor-caret")).toBeVisible();
  await secondPage.keyboard.press("ControlOrMeta+a");
  await expect(firstPage.locator(".editor-tint")).toHaveText(["One.", "a", "b"]);
  await firstPage.keyboard.press("ControlOrMeta+End");
  await firstPage.keyboard.type("Still here.");
  await expect(content(secondPage)).toContainText("Still here.");

  allowErrors(firstPage);
  await firstPage.context().setOffline(true);
  await expect(carets(firstPage)).toHaveCount(0);
  await firstPage.context().setOffline(false);
  await expect(carets(firstPage)).toHaveCount(1);
});

/** Opens the text in this many contexts of Ana. */
async function devices(
  open: (person: SignedInBrowser) => Promise<Page>,
  ana: SignedInBrowser,
  slug: string,
  count: number,
) {
  const pages = [];
  for (let index = 0; index < count; index++) pages.push(await edit(await open(ana), slug));
  return pages;
}

test("lets the ninth window read along and write once there is room, and keeps what it wrote offline @more", async ({
  site,
  open,
}) => {
  const { ana, slug } = await createBlog(site, "One hears owls.");
  const [first, second, ...others] = await devices(open, ana, slug, maxWriters - 1);
  const tab = await open(ana);
  const lines: WebSocketRoute[] = [];
  let isCut = false;
  // A routed WebSocket ignores the context's offline mode.
  await tab.routeWebSocket(/./, (line) => void (isCut ? line.close() : lines.push(line.connectToServer())));
  const offlinePage = await edit(tab, slug);
  await expect(now(offlinePage).locator(".avatar")).toHaveCount(maxWriters - 1);
  // It loses its place to another while it writes offline.
  allowErrors(offlinePage);
  await offlinePage.context().setOffline(true);
  isCut = true;
  for (const line of lines) await line.close();
  await offlinePage.keyboard.type("Far away. ");
  await expect(now(first!).locator(".avatar")).toHaveCount(maxWriters - 2);
  const eighth = await edit(await open(ana), slug);
  await eighth.keyboard.type("Near. ");
  isCut = false;
  await offlinePage.context().setOffline(false);
  const notice = offlinePage.getByText("Eight people are already writing here.");
  await expect(notice).toBeVisible();
  await expect(notice).toContainText("Your text is saved on this device");
  await expect(content(offlinePage)).toContainText("Near. ");
  await expect(content(offlinePage)).toContainText("Far away. ");
  await expect(content(offlinePage)).toHaveAttribute("contenteditable", "false");
  await expect(content(offlinePage)).toHaveAttribute("aria-readonly", "true");
  await expect(offlinePage.getByRole("textbox", { name: "Title" })).toHaveJSProperty("readOnly", true);
  const sheet = await openPublishSheet(offlinePage);
  await expect(offlinePage.getByRole("button", { name: "Update Blog" })).toBeDisabled();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(toolbar(offlinePage)).toHaveCount(0);
  await expect(offlinePage.getByText("Unpublished changes")).toBeVisible();
  await expect(offlinePage.getByRole("button", { name: "Discard" })).toHaveCount(0);
  await first!.keyboard.type("Live. ");
  await expect(content(offlinePage)).toContainText("Live. ");
  await expect(content(first!)).not.toContainText("Far away.");
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const)
    for (const page of [offlinePage, first!]) {
      await page.setViewportSize({ width, height: 900 });
      await setColorScheme(page, colorScheme);
      expect.soft(await seriousViolations(page)).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
        .toBeLessThanOrEqual(0);
    }

  await second!.close();
  await expect(notice).toHaveCount(0);
  await expect(offlinePage.getByText("You can write here now.")).toBeAttached();
  await expect(content(first!)).toContainText("Far away. ");
  await content(offlinePage).click();
  await offlinePage.keyboard.press("ControlOrMeta+End");
  await offlinePage.keyboard.type(" And I.");
  await expect(content(others[0]!)).toContainText("And I.");
});
