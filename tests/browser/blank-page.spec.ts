import type { Locator } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import {
  toolbar,
  content,
  openPublishSheet,
  moveCaretToEnd,
  openBlogForm,
  expectSaved,
  openToolbar,
} from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test } from "./test-site.ts";

test("begins as a blank page with all tools behind Aa, and publishes from the sheet at the second press", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const page = await open(ana);
  const title = page.getByRole("textbox", { name: "Title" });
  const sheet = page.getByRole("dialog", { name: "Publish" });
  await page.goto("/add-blog");
  await expect(title).toBeFocused();
  await expect(content(page)).toBeVisible();
  await expect(title).toHaveAttribute("placeholder", "Title");
  const [head, text] = [await title.boundingBox(), await content(page).boundingBox()];
  expect([text?.x, text?.width]).toEqual([head?.x, head?.width]);
  await page.keyboard.type("Owls at dusk");
  await page.keyboard.press("Enter");
  await expect(content(page)).toBeFocused();
  await page.keyboard.type("They call.");
  // To the start of the text, not to its last caret.
  await title.click();
  await page.keyboard.press("Enter");
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Backspace");
  await expect(title).toBeFocused();
  await page.keyboard.type(" again");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("Listen. ");
  await page.keyboard.press("ArrowUp");
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("Owls at dusk again");
  await expect(content(page)).toHaveText("Listen. They call.");
  await expectSaved(page);

  // An empty line has a + where there is room; it offers what a slash does and keeps the caret.
  const insert = page.getByRole("button", { name: "Insert", exact: true });
  const menu = page.getByRole("listbox", { name: "Insert" });
  const edgesOf = async (part: Locator) => {
    const { x, y, height } = (await part.boundingBox())!;
    return { x, top: y, bottom: y + height };
  };
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await expect(insert).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(insert).toBeVisible();
  const line = await edgesOf(content(page).locator("p").last());
  expect((await edgesOf(insert)).x).toBeLessThan(line.x);
  await insert.click();
  await expect(insert).toBeHidden();
  expect((await edgesOf(menu)).top).toBeGreaterThanOrEqual(line.bottom);
  await page.keyboard.type("bul");
  await expect(menu.getByRole("option")).toHaveText(["Bullet list"]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("By ear");
  await expect(content(page).locator("li")).toHaveText("By ear");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  for (let count = 0; count < 12; count++) await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  await expect(menu).toBeVisible();
  expect((await edgesOf(menu)).bottom).toBeLessThanOrEqual(
    (await edgesOf(content(page).getByText("/", { exact: true }))).top,
  );
  await page.keyboard.press("Escape");
  for (let count = 0; count < 14; count++) await page.keyboard.press("Backspace");
  await expectSaved(page);

  await expect(toolbar(page)).toBeHidden();
  await openToolbar(page);
  await page.reload();
  await expect(toolbar(page)).toBeVisible();
  await page.getByRole("button", { name: "All tools" }).click();
  await expect(toolbar(page)).toBeHidden();

  await content(page).click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(sheet).toBeFocused();
  await expect(sheet).toContainText("Everyone will be able to read it as it is now.");
  const card = sheet.locator(".card");
  await expect(card).toContainText("Owls at dusk again");
  await expect(card).toContainText("Listen. They call.");
  await sheet.getByRole("textbox", { name: "Description" }).fill("By ear.");
  await expect(card).toContainText("By ear.");
  expect(await ana.api.blogs.mine.query({})).toMatchObject({ blogs: [{ draft: true }] });

  await sheet.getByRole("button", { name: "Change the address" }).click();
  await sheet.getByRole("textbox", { name: "Address" }).fill("-");
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
  await content(page).press("ControlOrMeta+Enter");
  await expect(sheet.getByRole("textbox", { name: "Address" })).toBeFocused();
  await sheet.getByRole("button", { name: "Make it from the title" }).click();
  await title.fill("");
  await sheet.getByRole("button", { name: "Publish Blog" }).click();
  await expect(sheet).toBeHidden();
  await expect(title).toBeFocused();
  await expect(page.getByText("Please give your blog a title.")).toBeVisible();
  await title.fill("Owls at dawn");

  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(sheet).toBeFocused();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page).toHaveURL(/\/blog\/owls-at-dawn/);
  await expect(page.getByText("Published! Everyone can read your blog.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
});

test("has all of the publish sheet by scrolling, above its button, and moves no field while it loads", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ draft: true, tags: ["owls", "night"] }));
  const page = await open(ana);
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openBlogForm(page, slug);
    const sheet = page.getByRole("dialog", { name: "Publish" });
    const tops = () =>
      sheet.evaluate((part) =>
        [...part.querySelectorAll("input, textarea")].map((field) => field.getBoundingClientRect().top),
      );
    await page.getByRole("button", { name: "Publish…" }).click();
    const first = await tops();
    await page.waitForLoadState("networkidle");
    expect(await tops()).toEqual(first);
    const submit = sheet.locator(".blog-form-submit");
    for (const field of [
      sheet.getByLabel("Description"),
      sheet.getByLabel("Tags"),
      sheet.getByLabel("Private"),
    ]) {
      await field.scrollIntoViewIfNeeded();
      const [one, button] = [(await field.boundingBox())!, (await submit.boundingBox())!];
      expect(one.y + one.height).toBeLessThan(button.y);
      expect(button.y + button.height).toBeLessThanOrEqual(height);
    }
    expect(
      await sheet.evaluate(
        (part) =>
          [...part.querySelectorAll("*")].filter(
            (one) => one.scrollHeight > one.clientHeight && getComputedStyle(one).overflowY === "auto",
          ).length,
      ),
    ).toBe(0);
  }
});

test("traps the focus in a full-screen sheet on a phone, and keeps the offline message off the tools @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  await openBlogForm(page, slug);
  const opener = page.getByRole("button", { name: "Update…" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const sheet = await openPublishSheet(page);
  const box = await sheet.boundingBox();
  expect([box?.y, box?.height]).toEqual([0, 844]);
  for (let time = 0; time < 30; time++) {
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement!.closest("[role=dialog]"),
      ),
    ).toBeTruthy();
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
    expect.soft(await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await expect(sheet.locator(".card")).toBeVisible();
  expect(await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  await sheet.press("Escape");
  await expect(opener).toBeFocused();

  allowErrors(page);
  await page.context().setOffline(true);
  const message = page.getByText("You’re offline.");
  await expect(message).toBeVisible();
  const edgesOf = async (part: typeof message) => (await part.boundingBox())!;
  await expect
    .poll(async () => (await edgesOf(toolbar(page))).y + (await edgesOf(toolbar(page))).height)
    .toBeLessThanOrEqual((await edgesOf(message)).y);
});

test("has one bar on a phone: Close, the save status, more and Publish", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const page = await open(ana, { viewport: { width: 390, height: 844 } });
  const close = page.getByRole("link", { name: "Close", exact: true });
  const header = page.getByRole("banner");
  await page.goto("/my-blogs");
  await expect(header).toBeVisible();
  await page.waitForFunction(() => !window.early);
  await page.getByRole("button", { name: "More about “Owls”" }).click();
  await page.getByRole("menuitem", { name: "Edit Blog" }).click();
  await expect(content(page)).toBeVisible();
  await expect(header).toBeHidden();
  await moveCaretToEnd(page);
  await page.keyboard.type(" More.");
  await expectSaved(page);
  const parts = [
    close,
    page.getByText("Saved", { exact: true }),
    page.getByRole("button", { name: "More", exact: true }),
    page.getByRole("button", { name: "Update…" }),
  ];
  const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!));
  expect(boxes.map(({ x }) => x)).toEqual(boxes.map(({ x }) => x).toSorted((one, other) => one - other));
  for (const { y, height } of boxes) expect(y + height).toBeLessThanOrEqual(56);
  for (const { width, height } of [boxes[0]!, boxes[2]!, boxes[3]!])
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page)).toEqual([]);
  }
  await page.evaluate(() => scrollTo({ top: 10_000, behavior: "instant" }));
  expect((await close.boundingBox())!.y).toBe(boxes[0]!.y);
  const preview = page.waitForEvent("popup");
  await parts[2]!.click();
  await page.getByRole("menuitem", { name: "Preview" }).click();
  await expect((await preview).getByRole("heading", { name: "Owls" })).toBeVisible();
  await (await preview).close();
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(header).toBeVisible();
  await expect(close).toBeHidden();
  await expect(page.getByRole("button", { name: "History" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });

  // Where one came from; without a page before, to the blog or the own blogs.
  await close.click();
  await expect(page).toHaveURL("/my-blogs");
  await expect(header).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`/edit/${slug}`);
  const elsewhere = await open(ana, { viewport: { width: 390, height: 844 } });
  await openBlogForm(elsewhere, slug);
  await elsewhere.getByRole("link", { name: "Close", exact: true }).click();
  await expect(elsewhere).toHaveURL(`/blog/${slug}`);
  const fresh = await open(ana, { viewport: { width: 390, height: 844 } });
  await fresh.goto("/add-blog");
  await fresh.getByRole("link", { name: "Close", exact: true }).click();
  await expect(fresh).toHaveURL("/my-blogs");
});

test("ends the page above a phone's tools, also over the system's bar @more", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const page = await open(ana, { viewport: { width: 390, height: 500 }, hasTouch: true, isMobile: true });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride", { insets: { bottom: 34 } });
  await openBlogForm(page, slug);
  await page.evaluate(() => scrollTo({ top: 10_000, behavior: "instant" }));
  const [last, tools] = await Promise.all([
    page.getByRole("contentinfo").boundingBox(),
    page.locator(".editor-bar-place").boundingBox(),
  ]);
  expect(tools!.height).toBeGreaterThan(52 + 30);
  // The footer ends with empty space.
  expect(last!.y + last!.height).toBeLessThanOrEqual(tools!.y + 4);
});
