import type { Locator, Page } from "@playwright/test";
import type { SignedInBrowser } from "../support/browser.ts";
import { bitmap, icon, noise, paint } from "../support/pictures.ts";
import { toolbar, content, openPublishSheet, expectSaved, writeNewBlog } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

const style = (part: Locator, name: string) =>
  part.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

/** Opens one of the bar's menus. */
async function openMenu(page: Page, menu: string): Promise<Locator> {
  await toolbar(page)
    .getByRole("button", { name: new RegExp(`^${menu}`) })
    .click();
  const popup = page.getByRole("menu", { name: menu });
  await expect(popup).toBeVisible();
  return popup;
}

/** Chooses an entry of one of the bar's menus and waits until the menu's button names it. */
async function choose(page: Page, menu: string, choice: string): Promise<void> {
  const popup = await openMenu(page, menu);
  await popup.getByRole("menuitemradio", { name: new RegExp(`^${choice}( |$)`) }).click();
  await expect(popup).toBeHidden();
  await expect(toolbar(page).getByRole("button", { name: `${menu}: ${choice}` })).toBeVisible();
  await expect(content(page)).toBeFocused();
}

/** Publishes the text and returns its article. */
async function publish(page: Page, title: string): Promise<Locator> {
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await openPublishSheet(page);
  await page.getByRole("button", { name: "Publish Blog" }).click();
  await expect(page).toHaveURL(/\/blog\//);
  return page.getByRole("main").getByRole("article").first();
}

/** A drawing without a size; its script must not run and its image must not be fetched. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><script>alert(1)</script>
  <image href="https://example.org/a.png" width="9" height="9"/><rect width="40" height="30" fill="#1a5"/></svg>`;

test.describe("the editor", () => {
  let ana: SignedInBrowser;
  test.beforeEach(async ({ site }) => {
    ana = await site.createAccount("Ana Torres");
  });

  test("is at least 300 pixels high while empty, on a desktop and a phone @more", async ({ open }) => {
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

  test("handles a key at the caret even before the browser reports the click that moved it @more", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "First.", "Second.");
    await page.keyboard.press("ControlOrMeta+Home");
    await content(page).evaluate((text) => {
      getSelection()!.setPosition(text.lastElementChild!.firstChild, "Second.".length);
      text.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true }));
    });
    await expect(content(page).locator("> p")).toHaveText(["First.", "Second.", ""]);
  });

  test("keeps the slash menu open while another device writes above it @more", async ({ open }) => {
    const page = await open(ana);
    await writeNewBlog(page, "First.");
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/ta");
    const table = page.getByRole("option", { name: "Table" });
    await expect(table).toBeVisible();
    await expectSaved(page);
    const otherPage = await open(ana);
    await otherPage.goto("/add-blog");
    await expect(content(otherPage)).toContainText("First.");
    await content(otherPage).click();
    await otherPage.keyboard.press("ControlOrMeta+Home");
    await otherPage.keyboard.type("The very ");
    await expect(content(page)).toContainText("The very First.");
    await expect(table).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(content(page).getByRole("table")).toBeVisible();
    await expect(content(page).locator("> p").first()).toHaveText("The very First.");
  });

  test("stores pasted pictures of every kind, some converted to PNG, and shrinks one that is too large", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Look:");
    await page.keyboard.press("End");
    const pictures = [
      ["image/png", await paint()],
      ["image/gif", await paint(64, 48, "gif")],
      ["image/jpeg", await paint(64, 48, "jpeg")],
      ["image/webp", await paint(64, 48, "webp")],
      ["image/bmp", bitmap(8, 6)],
      ["image/x-icon", icon(await paint(16, 16))],
      ["image/avif", await paint(64, 48, "avif")],
      ["image/svg+xml", Buffer.from(drawing)],
      ["image/png", await noise(1900, 1500)],
    ] as const;
    const stored = content(page).locator('img[src^="/media/"]');
    for (const [index, [type, bytes]] of pictures.entries()) {
      await content(page).evaluate(
        (element, { kind, base64 }) => {
          const data = new DataTransfer();
          const fileBytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          data.items.add(new File([fileBytes], "pasted", { type: kind }));
          element.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
          );
        },
        { kind: type, base64: bytes.toString("base64") },
      );
      await expect(stored, type).toHaveCount(index + 1);
    }
    const read = await publish(page, "Six kinds");
    await expect(read.locator('img[src^="/media/"]')).toHaveCount(pictures.length);
  });

  test("offers four headings, three fonts, four sizes and every alignment, the same in editor and article @more", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls", "Bats");
    const lines = content(page).getByRole("paragraph");
    for (const level of [1, 2, 3, 4]) {
      await choose(page, "Text style", `Heading ${level}`);
      await expect(content(page).getByRole("heading", { level })).toHaveText(["Owls", "Bats"]);
    }
    await choose(page, "Text style", "Paragraph");
    await expect(lines).toHaveText(["Owls", "Bats"]);
    for (const [alignment, value] of [
      ["Center", "center"],
      ["Right", "end"],
      ["Justify", "justify"],
      ["Left", "start"],
      ["Right", "end"],
    ] as const) {
      await choose(page, "Align", alignment);
      for (const line of await lines.all()) expect(await style(line, "text-align"), alignment).toBe(value);
    }

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
    const editorStyle = [await style(text, "font-family"), await style(text, "font-size")];
    const read = (await publish(page, "Looks")).getByText("Owls");
    expect([await style(read, "font-family"), await style(read, "font-size")]).toEqual(editorStyle);
    expect(await style(read, "text-align")).toBe("end");
  });

  test("colours text and background and clears both @more", async ({ open }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls");
    const text = content(page).getByText("Owls");
    const plain = [await style(text, "color"), await style(text, "background-color")];
    await choose(page, "Text color", "Blue");
    await choose(page, "Background color", "Yellow");
    const blue = "rgb(29, 95, 180)";
    const yellow = "rgb(255, 240, 163)";
    // One mark is inside the other.
    const painted = async (part: Locator) => [
      await style(part.locator("[style*=color]:not(:has([style]))"), "color"),
      await style(part.locator("[style*=background]"), "background-color"),
    ];
    expect(await painted(content(page))).toEqual([blue, yellow]);

    for (const [menu, clear] of [
      ["Text color", "Clear color"],
      ["Background color", "Clear background"],
    ] as const) {
      await (await openMenu(page, menu)).getByRole("menuitemradio", { name: clear }).click();
      await expect(toolbar(page).getByRole("button", { name: menu, exact: true })).toBeVisible();
    }
    expect([await style(text, "color"), await style(text, "background-color")]).toEqual(plain);
    await choose(page, "Text color", "Blue");
    await choose(page, "Background color", "Yellow");
    expect(await painted(await publish(page, "Colours"))).toEqual([blue, yellow]);
  });

  test("makes a link of the selection, refuses an invalid address, and cleans all formatting but the link", async ({
    open,
  }) => {
    const page = await open(ana);
    await writeNewBlog(page, "Owls");
    const press = (name: string) => toolbar(page).getByRole("button", { name, exact: true }).click();
    await press("Link");
    const dialog = page.getByRole("dialog", { name: "Link" });
    const address = dialog.getByRole("textbox", { name: "Link address" });
    await address.fill("javascript:alert(1)");
    await address.press("Enter");
    await expect(address).toHaveAccessibleDescription(/Enter a web address/);
    await address.fill("https://example.org/owls");
    await dialog.getByRole("button", { name: "Add link" }).click();
    await expect(dialog).toBeHidden();
    await expect(toolbar(page).getByRole("button", { name: "Link", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.keyboard.press("Control+A");
    for (const name of ["Bold", "Strikethrough", "Bullet list"]) {
      await press(name);
      await expect(toolbar(page).getByRole("button", { name, exact: true })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
    }
    await choose(page, "Size", "Huge");
    await expect(content(page).getByRole("listitem")).toHaveText("Owls");
    await press("Clean formatting");
    for (const role of ["listitem", "strong", "deletion"] as const)
      await expect(content(page).getByRole(role)).toHaveCount(0);
    await expect(toolbar(page).getByRole("button", { name: "Size: Normal" })).toBeVisible();
    const read = await publish(page, "Links");
    await expect(read.getByRole("link", { name: "Owls" })).toHaveAttribute(
      "href",
      "https://example.org/owls",
    );
    await expect(read.getByRole("strong")).toHaveCount(0);
  });

  test("shows the most-used tools on a phone without scrolling, and fades where there are more @more", async ({
    open,
  }) => {
    const page = await open(ana, { viewport: { width: 390, height: 844 } });
    await writeNewBlog(page, "Owls");
    for (const name of ["Undo", "Bold", "Italic", "Link", "Image", "Bullet list", "Numbered list"])
      await expect(toolbar(page).getByRole("button", { name, exact: true }), name).toBeInViewport({
        ratio: 1,
      });
    const [first, ...rest] = await toolbar(page)
      .getByRole("button")
      .evaluateAll((tools) => tools.map((tool) => tool.getAttribute("aria-label")));
    expect(first).toBe("Undo");
    expect(rest.slice(-2)).toEqual(["Font: Standard", "Size: Normal"]);

    const fadedEnds = async () => {
      const [mask, before, after] = await Promise.all(
        ["mask-image", "--before", "--after"].map((name) => style(toolbar(page), name)),
      );
      expect(mask).toContain("gradient");
      return { before: before !== "", after: after !== "" };
    };
    await expect.poll(fadedEnds).toEqual({ before: false, after: true });
    await toolbar(page).evaluate((element) => element.scrollTo({ left: 100, behavior: "instant" }));
    await expect.poll(fadedEnds).toEqual({ before: true, after: true });
    await page.keyboard.press("Alt+F10");
    await page.keyboard.press("End");
    await expect(toolbar(page).getByRole("button", { name: /^Size/ })).toBeFocused();
    await expect.poll(fadedEnds).toEqual({ before: true, after: false });
  });
});
