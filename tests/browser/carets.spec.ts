import type { Page, WebSocketRoute } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";
import { maxWriters } from "../../src/shared/writing.ts";
import type { SignedInBrowser } from "../support/browser.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { toolbar, content, openPublishSheet, expectSaved, openToolbar } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test, openPage, type TestSite } from "./test-site.ts";

/* Writers in one text see who else writes, and where. */

const carets = (page: Page) => page.locator(".editor-caret");
const now = (page: Page) => page.getByRole("list", { name: "Writing now:" });
const linesOf = (page: Page) => content(page).locator("> p").allTextContents();

async function owls(site: TestSite, ...texts: string[]) {
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
const sees = (page: Page, text: string) => expect.poll(() => withCaret(page)).toBe(text);

test("shows the carets of two windows by name, moves them with the text, and removes them when a window closes", async ({
  site,
  open,
  playwright,
}) => {
  const { ana, slug } = await owls(site, "One hears owls.", "And trains.");
  const one = await edit(await open(ana), slug);
  let sent = 0;
  one.on("request", (request) => (sent += Number(request.url().includes("blogs.here"))));
  await one.keyboard.press("ArrowRight");
  await expect(now(one)).toHaveCount(0);
  await one.keyboard.type("x");
  await expectSaved(one);
  await one.keyboard.press("Backspace");
  // A lone writer sends no caret.
  expect(sent).toBe(0);
  const two = await edit(await open(ana), slug);
  await expect(now(one)).toHaveText("You, elsewhere");
  await expect(now(two)).toHaveText("You, elsewhere");
  await expect(one.getByText("Also writing here: You, elsewhere.")).toBeAttached();
  await sees(two, "O|ne hears owls.\nAnd trains.");
  await expect(carets(two)).toHaveAttribute("data-name", "You, elsewhere");
  expect(await carets(two).evaluate((mark) => getComputedStyle(mark, "::after").content)).toBe(
    '"You, elsewhere"',
  );

  await two.keyboard.press("ArrowDown");
  await two.keyboard.press("End");
  await sees(one, "One hears owls.\nAnd trains.|");
  // Typing before a caret moves it, and the writer's own caret moves without a request.
  await one.keyboard.type("Here o");
  await sees(two, "OHere o|ne hears owls.\nAnd trains.");
  const before = sent;
  await one.keyboard.type("h. ");
  await sees(two, "OHere oh. |ne hears owls.\nAnd trains.");
  await expectSaved(one);
  expect(sent).toBe(before);
  await two.keyboard.press("Enter");
  await two.keyboard.type("Late ones.");
  await sees(one, "OHere oh. ne hears owls.\nAnd trains.\nLate ones.|");
  await one.keyboard.press("ControlOrMeta+End");
  await one.keyboard.type(" Slow.");
  await sees(one, "OHere oh. ne hears owls.\nAnd trains.\nLate ones.| Slow.");
  await sees(two, "OHere oh. ne hears owls.\nAnd trains.\nLate ones. Slow.|");
  await two.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => linesOf(one)).not.toContain("Late ones. Slow.");
  await two.keyboard.press("ControlOrMeta+Shift+z");
  await expect.poll(() => linesOf(one)).toContain("Late ones. Slow.");

  await two.keyboard.press("ControlOrMeta+Home");
  await two.keyboard.press("Shift+ControlOrMeta+ArrowRight");
  await expect(one.locator(".editor-tint")).toHaveText("OHere ");
  await two.close();
  await expect(now(one)).toHaveCount(0);
  await expect(carets(one)).toHaveCount(0);
  await expect(one.getByText("No longer writing here: You, elsewhere.")).toBeAttached();

  // A killed browser says nothing; its connection breaks.
  const program = await playwright.chromium.launchServer(launchOptions());
  const chromium = await playwright.chromium.connect(program.wsEndpoint());
  const third = await openPage(await chromium.newContext({ baseURL: site.url }), site, ana);
  await edit(third, slug);
  await expect(carets(one)).toHaveCount(1);
  await program.kill();
  await expect(carets(one)).toHaveCount(0);
});

test("shows carets in tables, in an empty last line and across selected cells, and none while offline @more", async ({
  site,
  open,
}) => {
  const { ana, id, slug } = await owls(site, "One.");
  const cell = (text: string) => ({ type: "table_cell", content: paragraphs(text).content });
  const { version } = await ana.api.blogs.forEdit.query({ slug });
  await ana.api.blogs.update.mutate({
    id,
    version,
    document: {
      type: "doc",
      content: [
        ...paragraphs("One.").content,
        { type: "table", content: [{ type: "table_row", content: [cell("a"), cell("b")] }] },
        ...paragraphs("").content,
      ],
    },
  });
  const [one, two] = [await edit(await open(ana), slug), await edit(await open(ana), slug)];
  await two.keyboard.press("ArrowDown");
  await expect(one.locator("td .editor-caret")).toBeVisible();
  await two.locator("td").last().click();
  await expect(one.locator("td").last().locator(".editor-caret")).toBeVisible();
  await two.keyboard.press("ControlOrMeta+End");
  await expect(one.locator(".editor-content > p:last-child > .editor-caret")).toBeVisible();
  await two.keyboard.press("ControlOrMeta+a");
  await expect(one.locator(".editor-tint")).toHaveText(["One.", "a", "b"]);
  await one.keyboard.press("ControlOrMeta+End");
  await one.keyboard.type("Still here.");
  await expect(content(two)).toContainText("Still here.");

  allowErrors(one);
  await one.context().setOffline(true);
  await expect(carets(one)).toHaveCount(0);
  await one.context().setOffline(false);
  await expect(carets(one)).toHaveCount(1);
});

/** Opens the text in this many contexts of Ana. */
async function devices(
  open: (person: SignedInBrowser) => Promise<Page>,
  ana: SignedInBrowser,
  slug: string,
  many: number,
) {
  const pages = [];
  for (let at = 0; at < many; at++) pages.push(await edit(await open(ana), slug));
  return pages;
}

test("lets the ninth window read along and write once there is room, and keeps what it wrote offline @more", async ({
  site,
  open,
}) => {
  const { ana, slug } = await owls(site, "One hears owls.");
  const [first, second, ...others] = await devices(open, ana, slug, maxWriters - 1);
  const tab = await open(ana);
  const lines: WebSocketRoute[] = [];
  let isCut = false;
  // A routed WebSocket ignores the context's offline mode.
  await tab.routeWebSocket(/./, (line) => void (isCut ? line.close() : lines.push(line.connectToServer())));
  const away = await edit(tab, slug);
  await expect(now(away).locator(".avatar")).toHaveCount(maxWriters - 1);
  // It loses its place to another while it writes offline.
  allowErrors(away);
  await away.context().setOffline(true);
  isCut = true;
  for (const line of lines) await line.close();
  await away.keyboard.type("Far away. ");
  await expect(now(first!).locator(".avatar")).toHaveCount(maxWriters - 2);
  const eighth = await edit(await open(ana), slug);
  await eighth.keyboard.type("Near. ");
  isCut = false;
  await away.context().setOffline(false);
  const strip = away.getByText("Eight people are already writing here.");
  await expect(strip).toBeVisible();
  await expect(strip).toContainText("Your text is saved on this device");
  await expect(content(away)).toContainText("Near. ");
  await expect(content(away)).toContainText("Far away. ");
  await expect(content(away)).toHaveAttribute("contenteditable", "false");
  await expect(content(away)).toHaveAttribute("aria-readonly", "true");
  await expect(away.getByRole("textbox", { name: "Title" })).toHaveJSProperty("readOnly", true);
  const sheet = await openPublishSheet(away);
  await expect(away.getByRole("button", { name: "Update Blog" })).toBeDisabled();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(toolbar(away)).toHaveCount(0);
  await first!.keyboard.type("Live. ");
  await expect(content(away)).toContainText("Live. ");
  await expect(content(first!)).not.toContainText("Far away.");
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const)
    for (const page of [away, first!]) {
      await page.setViewportSize({ width, height: 900 });
      await setColorScheme(page, colorScheme);
      expect.soft(await seriousViolations(page)).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
        .toBeLessThanOrEqual(0);
    }

  await second!.close();
  await expect(strip).toHaveCount(0);
  await expect(away.getByText("You can write here now.")).toBeAttached();
  await expect(content(first!)).toContainText("Far away. ");
  await content(away).click();
  await away.keyboard.press("ControlOrMeta+End");
  await away.keyboard.type(" And I.");
  await expect(content(others[0]!)).toContainText("And I.");
});
