import type { Locator, Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { expect, sharedTest as test } from "./site.ts";

const content = (page: Page) => page.getByRole("textbox", { name: "Content" });
const bar = (page: Page) => page.getByRole("toolbar", { name: "Formatting" });
const bubble = (page: Page) => page.getByRole("toolbar", { name: "Selected text" });
const style = (part: Locator, name: string) =>
  part.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

/** Opens the form and writes a line for each text, all of it selected. */
async function write(page: Page, ...lines: string[]): Promise<void> {
  await page.goto("/add-blog");
  await expect(bar(page).getByRole("button", { name: "Bold" })).toBeVisible();
  await content(page).click();
  for (const [number, line] of lines.entries()) {
    if (number > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
  await page.keyboard.press("Control+A");
}

/** Opens one of the bar's menus. */
async function openMenu(page: Page, menu: string): Promise<Locator> {
  await bar(page)
    .getByRole("button", { name: new RegExp(`^${menu}`) })
    .click();
  const opened = page.getByRole("menu", { name: menu });
  await expect(opened).toBeVisible();
  return opened;
}

/** Chooses from one of the bar's menus, which then names what was chosen. */
async function choose(page: Page, menu: string, choice: string): Promise<void> {
  const opened = await openMenu(page, menu);
  await opened.getByRole("menuitemradio", { name: new RegExp(`^${choice}( |$)`) }).click();
  await expect(opened).toBeHidden();
  await expect(bar(page).getByRole("button", { name: `${menu}: ${choice}` })).toBeVisible();
  await expect(content(page)).toBeFocused();
}

/** Publishes what was written; the text as it is read. */
async function publish(page: Page, title: string): Promise<Locator> {
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await expect(page).toHaveURL(/\/blog\//);
  return page.getByRole("main").getByRole("article").first();
}

test.describe("the editor", () => {
  let ana: Resident;
  test.beforeEach(async ({ site }) => {
    ana = await site.resident("Ana Torres");
  });

  test("is at least 300 pixels high before anything is written, on a desk and a phone", async ({ open }) => {
    const page = await open(ana);
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto("/add-blog");
      await expect(content(page)).toHaveText("");
      expect((await content(page).boundingBox())?.height).toBeGreaterThanOrEqual(300);
    }
  });

  test("offers four headings, and back; they are read as headings", async ({ open }) => {
    const page = await open(ana);
    await write(page, "At dusk");
    for (const level of [1, 2, 3, 4]) {
      await choose(page, "Text style", `Heading ${level}`);
      await expect(content(page).getByRole("heading", { level })).toHaveText("At dusk");
    }
    await choose(page, "Text style", "Paragraph");
    await expect(content(page).getByRole("heading")).toHaveCount(0);
    await expect(content(page).getByRole("paragraph")).toHaveText("At dusk");
    await choose(page, "Text style", "Heading 3");
    const read = await publish(page, "Headings");
    await expect(read.getByRole("heading", { level: 3 })).toHaveText("At dusk");
  });

  test("offers three fonts and four sizes, which look like it there and where they are read", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, "Owls");
    const text = content(page).getByText("Owls");
    await expect((await openMenu(page, "Font")).getByRole("menuitemradio")).toHaveText([
      "Standard",
      "Serif",
      "Monospace",
    ]);
    await page.keyboard.press("Escape");
    const fonts = [await style(text, "font-family")];
    for (const font of ["Serif", "Monospace"]) {
      await choose(page, "Font", font);
      fonts.push(await style(text, "font-family"));
    }
    expect(new Set(fonts).size, fonts.join("; ")).toBe(3);
    await choose(page, "Font", "Standard");

    const sizes = [];
    for (const size of ["Small", "Normal", "Large", "Huge"]) {
      await choose(page, "Size", size);
      sizes.push(Number.parseFloat(await style(text, "font-size")));
    }
    expect(sizes, "each is larger than the one before").toEqual(
      [...new Set(sizes)].sort((one, other) => one - other),
    );
    expect(sizes).toHaveLength(4);

    await choose(page, "Font", "Monospace");
    const written = [await style(text, "font-family"), await style(text, "font-size")];
    const read = (await publish(page, "Fonts")).getByText("Owls");
    expect([await style(read, "font-family"), await style(read, "font-size")]).toEqual(written);
  });

  test("paints text and what is behind it, and takes either away", async ({ open }) => {
    const page = await open(ana);
    await write(page, "Owls");
    const text = content(page).getByText("Owls");
    const plain = [await style(text, "color"), await style(text, "background-color")];
    await choose(page, "Text colour", "Blue");
    await choose(page, "Background colour", "Yellow");
    const blue = "rgb(29, 95, 180)";
    const yellow = "rgb(255, 240, 163)";
    // One mark within the other: the letters have the one colour, what is around them the other.
    const painted = async (place: Locator) => [
      await style(place.locator("[style*=color]:not(:has([style]))"), "color"),
      await style(place.locator("[style*=background]"), "background-color"),
    ];
    expect(await painted(content(page))).toEqual([blue, yellow]);

    for (const [menu, clear] of [
      ["Text colour", "Clear colour"],
      ["Background colour", "Clear background"],
    ] as const) {
      await (await openMenu(page, menu)).getByRole("menuitemradio", { name: clear }).click();
      await expect(bar(page).getByRole("button", { name: menu, exact: true })).toBeVisible();
    }
    expect([await style(text, "color"), await style(text, "background-color")]).toEqual(plain);
    await choose(page, "Text colour", "Blue");
    await choose(page, "Background colour", "Yellow");
    expect(await painted(await publish(page, "Colours"))).toEqual([blue, yellow]);
  });

  test("sets lines to every side", async ({ open }) => {
    const page = await open(ana);
    await write(page, "Tawny", "Barn");
    const lines = content(page).getByRole("paragraph");
    for (const [side, value] of [
      ["Center", "center"],
      ["Right", "end"],
      ["Justify", "justify"],
      ["Left", "start"],
      ["Right", "end"],
    ] as const) {
      await choose(page, "Align", side);
      for (const line of await lines.all()) expect(await style(line, "text-align"), side).toBe(value);
    }
    const read = await publish(page, "Sides");
    expect(await style(read.getByText("Tawny"), "text-align")).toBe("end");
  });

  test("makes a link of what is selected, refuses an address that is none, and cleans all but it", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, "Owls");
    const press = (name: string) => bar(page).getByRole("button", { name, exact: true }).click();
    await press("Link");
    const question = page.getByRole("dialog", { name: "Link" });
    const address = question.getByRole("textbox", { name: "Link address" });
    await address.fill("javascript:alert(1)");
    await address.press("Enter");
    await expect(address).toHaveAccessibleDescription(/Please enter a web address/);
    await address.fill("https://example.org/owls");
    await question.getByRole("button", { name: "Add link" }).click();
    await expect(question).toBeHidden();
    await expect(bar(page).getByRole("button", { name: "Link", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.keyboard.press("Control+A");
    for (const name of ["Bold", "Strikethrough", "Bullet list"]) {
      await press(name);
      await expect(bar(page).getByRole("button", { name, exact: true })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
    }
    await choose(page, "Size", "Huge");
    await expect(content(page).getByRole("listitem")).toHaveText("Owls");
    await press("Clean formatting");
    for (const role of ["listitem", "strong", "deletion"] as const)
      await expect(content(page).getByRole(role)).toHaveCount(0);
    await expect(bar(page).getByRole("button", { name: "Size: Normal" })).toBeVisible();
    const read = await publish(page, "Links");
    await expect(read.getByRole("link", { name: "Owls" })).toHaveAttribute(
      "href",
      "https://example.org/owls",
    );
    await expect(read.getByRole("strong")).toHaveCount(0);
  });

  test("shows the tools that are used most over what is selected, and they work there", async ({ open }) => {
    const page = await open(ana);
    await write(page, "Owls");
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

  test("goes through the tools over the selection with the arrow keys, and back to the text with Escape", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, "Owls");
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
  });

  test("takes the tools over the selection away by Escape until something else is selected, and where the focus goes on", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, "Owls");
    await expect(bubble(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Control+B");
    await expect(content(page).getByRole("strong")).toHaveText("Owls");
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(bubble(page)).toBeVisible();

    await page.keyboard.press("Alt+F10");
    await expect(bar(page).getByRole("button", { name: "Bold" })).toBeFocused();
    await expect(bubble(page)).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(content(page)).toBeFocused();
    await expect(bubble(page)).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(bar(page).getByRole("button", { name: "Bold" })).toBeFocused();
    await expect(bubble(page)).toBeHidden();
  });

  test("shows no tools over code, nor while a word is composed, nor before the mouse button is released", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, "Tawny owls");
    await bar(page).getByRole("button", { name: "Code block" }).click();
    await expect(bar(page).getByRole("button", { name: /^Language/ })).toBeVisible();
    await expect(bubble(page)).toBeHidden();
    await bar(page).getByRole("button", { name: "Code block" }).click();
    await expect(bubble(page)).toBeVisible();

    await content(page).dispatchEvent("compositionstart");
    await expect(bubble(page)).toBeHidden();
    await content(page).dispatchEvent("compositionend");
    await expect(bubble(page)).toBeVisible();

    await page.keyboard.press("ArrowRight");
    await expect(bubble(page)).toBeHidden();
    // Dragged from bold letters to others, so that the bar tells when the editor knows of what is selected.
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await expect(bubble(page)).toBeVisible();
    await bubble(page).getByRole("button", { name: "Bold" }).click();
    const bold = bar(page).getByRole("button", { name: "Bold" });
    await expect(bold).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("ArrowRight");
    await expect(bubble(page)).toBeHidden();
    const letters = (await content(page).getByRole("strong").boundingBox())!;
    const y = letters.y + letters.height / 2;
    await page.mouse.move(letters.x + letters.width / 2, y);
    await page.mouse.down();
    await expect(bold).toHaveAttribute("aria-pressed", "true");
    await page.mouse.move(letters.x - 20, y, { steps: 4 });
    await expect(bold).toHaveAttribute("aria-pressed", "false");
    await expect(bubble(page)).toBeHidden();
    await page.mouse.up();
    await expect(bubble(page)).toBeVisible();
  });

  test("keeps the tools over the selection where they are seen: above it, below it, away with it", async ({
    open,
  }) => {
    const page = await open(ana);
    await write(page, ...Array.from({ length: 30 }, (_, line) => `Owl ${line}`));
    const line = content(page).getByText("Owl 15");
    await line.click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    const edges = async (part: Locator) => {
      const { y, height } = (await part.boundingBox())!;
      return { top: y, bottom: y + height };
    };
    const under = async (upper: Locator, lower: Locator) =>
      (await edges(lower)).top - (await edges(upper)).bottom;
    await expect(bubble(page)).toBeVisible();
    await expect.poll(() => under(bubble(page), line)).toBeGreaterThan(-8);

    // Right under the bar above is no room.
    const scroll = async (by: number) => {
      await page.evaluate((distance) => window.scrollBy({ top: distance, behavior: "instant" }), by);
    };
    await page.setViewportSize({ width: 1280, height: 500 });
    const bars = page.locator(".editor-bar-place");
    await scroll((await under(bars, line)) - 10);
    await expect.poll(() => under(line, bubble(page))).toBeGreaterThan(-8);

    await scroll(-1e4);
    await expect(bubble(page)).toHaveCSS("opacity", "0");
    await line.scrollIntoViewIfNeeded();
    await expect(bubble(page)).toHaveCSS("opacity", "1");
  });

  test("shows the tools below what fingers select, within the window", async ({ open }) => {
    const page = await open(ana, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await write(page, "Owls");
    await expect(bubble(page)).toBeVisible();
    const line = (await content(page).getByText("Owls").boundingBox())!;
    await expect
      .poll(async () => (await bubble(page).boundingBox())!.y)
      .toBeGreaterThanOrEqual(line.y + line.height);
    const { x, width } = (await bubble(page).boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
  });

  test("has the tools that are used most in sight on a phone, and fades where there are more", async ({
    open,
  }) => {
    const page = await open(ana, { viewport: { width: 390, height: 844 } });
    await write(page, "Owls");
    for (const name of ["Bold", "Italic", "Link", "Image", "Bullet list", "Numbered list"])
      await expect(bar(page).getByRole("button", { name, exact: true }), name).toBeInViewport({ ratio: 1 });
    const [first, ...rest] = await bar(page)
      .getByRole("button")
      .evaluateAll((tools) => tools.map((tool) => tool.getAttribute("aria-label")));
    expect(first).toBe("Bold");
    expect(rest.slice(-2)).toEqual(["Font: Standard", "Size: Normal"]);

    const fades = async () => {
      const [mask, before, after] = await Promise.all(
        ["mask-image", "--before", "--after"].map((name) => style(bar(page), name)),
      );
      expect(mask).toContain("gradient");
      return { before: before !== "", after: after !== "" };
    };
    await expect.poll(fades).toEqual({ before: false, after: true });
    await bar(page).evaluate((element) => element.scrollTo({ left: 100, behavior: "instant" }));
    await expect.poll(fades).toEqual({ before: true, after: true });
    // The End key goes to the last tool, and the bar with it.
    await page.keyboard.press("Alt+F10");
    await page.keyboard.press("End");
    await expect(bar(page).getByRole("button", { name: /^Size/ })).toBeFocused();
    await expect.poll(fades).toEqual({ before: true, after: false });
  });
});
