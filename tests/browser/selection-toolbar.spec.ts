import type { Locator, Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { toolbar, content, writeNewBlog } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

const bubble = (page: Page) => page.getByRole("toolbar", { name: "Selected text" });

test.describe("the editor", () => {
  let ana: SignedInBrowser;
  test.beforeEach(async ({ site }) => {
    ana = await site.createAccount("Ana Torres");
  });

  test("shows the five most-used tools over the selection, and each works there", async ({ open }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls");
    const tool = (name: string) => bubble(page).getByRole("button", { name, exact: true });
    await expect(bubble(page).getByRole("button")).toHaveCount(5);
    await expect(content(page)).toBeFocused();
    for (const [name, role] of [
      ["Bold", "strong"],
      ["Italic", "emphasis"],
      ["Heading 2", "heading"],
      ["Blockquote", "blockquote"],
    ] as const) {
      await expect(tool(name)).toHaveAttribute("aria-pressed", "false");
      await tool(name).click();
      await expect(tool(name)).toHaveAttribute("aria-pressed", "true");
      await expect(content(page).getByRole(role)).toHaveText("Owls");
      await expect(content(page)).toBeFocused();
    }
    await tool("Heading 2").click();
    await expect(content(page).getByRole("heading")).toHaveCount(0);
    await tool("Link").click();
    await page.getByRole("dialog", { name: "Link" }).getByRole("textbox").fill("example.org");
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Enter");
    await expect(content(page).getByRole("link", { name: "Owls" })).toHaveAttribute(
      "href",
      "https://example.org",
    );
    await expect(tool("Link")).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("ArrowRight");
    await expect(bubble(page)).toBeHidden();
  });

  test("shows a link's address and tools at the caret in it; a new address replaces the old", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls call");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "All tools" }).click();
    const bar = page.getByRole("toolbar", { name: "Link" });
    const link = content(page).getByRole("link", { name: "Owls", exact: true });
    await expect(bar).toHaveCount(0);
    // No selection: the word with the caret.
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("a.org");
    await page.keyboard.press("Enter");
    await expect(link).toHaveAttribute("href", "https://a.org");
    await expect(content(page)).toHaveText("Owls call");
    const opener = bar.getByRole("link", { name: "Open https://a.org in a new tab" });
    await expect(opener).toHaveText("a.org");
    await expect(opener).toHaveAttribute("target", "_blank");
    const [line, tools] = [(await link.boundingBox())!, (await bar.boundingBox())!];
    expect(tools.y).toBeGreaterThanOrEqual(line.y + line.height);
    for (const colorScheme of ["light", "dark"] as const) {
      await setColorScheme(page, colorScheme);
      expect.soft(await seriousViolations(page, { within: ".link-bar" })).toEqual([]);
    }

    await page.keyboard.press("Alt+F10");
    await expect(opener).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Link address" })).toBeFocused();
    await page.keyboard.type("https://b.org");
    await page.keyboard.press("Enter");
    await expect(link).toHaveAttribute("href", "https://b.org");
    await expect(content(page)).toBeFocused();
    await content(page).click();
    await page.keyboard.press("End");
    await expect(bar).toHaveCount(0);
    await link.click();
    await bar.getByRole("button", { name: "Remove" }).click();
    await expect(content(page).getByRole("link")).toHaveCount(0);
    await expect(bar).toHaveCount(0);
    await expect(content(page)).toBeFocused();
  });

  test("moves through the tools over the selection by arrow keys; Escape hides them until the selection changes @more", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls");
    const tool = (name: string) => bubble(page).getByRole("button", { name, exact: true });
    await tool("Bold").focus();
    await page.keyboard.press("ArrowRight");
    await expect(tool("Italic")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(content(page).getByRole("emphasis")).toHaveText("Owls");
    await expect(content(page)).toBeFocused();
    await tool("Bold").focus();
    await page.keyboard.press("Escape");
    await expect(content(page)).toBeFocused();
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Control+B");
    await expect(content(page).getByRole("strong")).toHaveText("Owls");
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(bubble(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Shift+ArrowRight");
    await expect(bubble(page)).toBeVisible();

    await page.keyboard.press("Alt+F10");
    await expect(toolbar(page).getByRole("button", { name: "Bold" })).toBeFocused();
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(content(page)).toBeFocused();
    await expect(bubble(page)).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(toolbar(page).getByRole("button", { name: "Bold" })).toBeFocused();
    await expect(bubble(page)).toBeHidden();
  });

  test("shows no tools during composition or before the mouse button is released @more", async ({ open }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Tawny owls");
    await expect(bubble(page)).toBeVisible();
    await content(page).dispatchEvent("compositionstart");
    await expect(bubble(page)).toBeHidden();
    await content(page).dispatchEvent("compositionend");
    await expect(bubble(page)).toBeVisible();

    await page.keyboard.press("ArrowRight");
    await expect(bubble(page)).toBeHidden();
    // Dragged from bold to plain letters, so that the bar shows when the editor knows the new selection.
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await expect(bubble(page)).toBeVisible();
    await bubble(page).getByRole("button", { name: "Bold" }).click();
    const bold = toolbar(page).getByRole("button", { name: "Bold" });
    await expect(bold).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("ArrowRight");
    await expect(bubble(page)).toBeHidden();
    const textBox = (await content(page).getByRole("strong").boundingBox())!;
    const y = textBox.y + textBox.height / 2;
    await page.mouse.move(textBox.x + textBox.width / 2, y);
    await page.mouse.down();
    await expect(bold).toHaveAttribute("aria-pressed", "true");
    await page.mouse.move(textBox.x - 20, y, { steps: 4 });
    await expect(bold).toHaveAttribute("aria-pressed", "false");
    await expect(bubble(page)).toBeHidden();
    await page.mouse.up();
    await expect(bubble(page)).toBeVisible();
  });

  test("places the tools above the selection, below it without room, and hides them with it @more", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, ...Array.from({ length: 30 }, (_, line) => `Owl ${line}`));
    const line = content(page).getByText("Owl 15");
    await line.click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    const edgesOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!;
      return { top: y, bottom: y + height };
    };
    const gapBetween = async (upper: Locator, lower: Locator) =>
      (await edgesOf(lower)).top - (await edgesOf(upper)).bottom;
    await expect(bubble(page)).toBeVisible();
    await expect.poll(() => gapBetween(bubble(page), line)).toBeGreaterThan(-8);

    const scroll = async (amount: number) => {
      await page.evaluate((distance) => window.scrollBy({ top: distance, behavior: "instant" }), amount);
    };
    await page.setViewportSize({ width: 1280, height: 500 });
    const bars = page.locator(".editor-bar-place");
    await scroll((await gapBetween(bars, line)) - 10);
    await expect.poll(() => gapBetween(line, bubble(page))).toBeGreaterThan(-8);

    await scroll(-1e4);
    await expect(bubble(page)).toHaveCSS("opacity", "0");
    await line.scrollIntoViewIfNeeded();
    await expect(bubble(page)).toHaveCSS("opacity", "1");
  });

  test("shows the tools below a touch selection, within the window @more", async ({ open }) => {
    const page = await open(ana, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await writeNewBlog(page, "Owls");
    await expect(bubble(page)).toBeVisible();
    const line = (await content(page).getByText("Owls").boundingBox())!;
    await expect
      .poll(async () => (await bubble(page).boundingBox())!.y)
      .toBeGreaterThanOrEqual(line.y + line.height);
    const isWithin = async () => {
      const { x, width } = (await bubble(page).boundingBox())!;
      return x >= 0 && x + width <= 390;
    };
    expect(await isWithin()).toBe(true);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await expect.poll(isWithin).toBe(true);
  });
});
