import { seriousViolations } from "./axe.ts";
import { content, openPublishSheet, writeNewBlog } from "./editor-helpers.ts";
import { expect, allowErrors, sharedTest as test } from "./test-site.ts";

test("inserts tasks, pull quotes, callouts, fold-outs and footnotes by slash and Markdown, for readers too", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Dora Blocks"));
  const type = (text: string) => page.keyboard.type(text);
  const enter = () => page.keyboard.press("Enter");
  const slash = async (name: string) => {
    await type(`/${name.toLowerCase()}`);
    await expect(page.getByRole("option", { name, exact: true })).toBeVisible();
    await enter();
  };
  await writeNewBlog(page, "## Of owls", "Owls fly");
  await page.keyboard.press("ControlOrMeta+End");
  await type("[^1]Most of them.");
  await expect(content(page).locator(".footnotes li")).toHaveText("Most of them.");
  // Back behind the footnote's sign.
  await enter();
  await enter();
  await type(" far.");
  await expect(content(page).locator("> p").first()).toHaveText("Owls fly far.");
  await enter();

  await slash("Task list");
  await type("Bread");
  await enter();
  await type("Soup");
  await page.keyboard.press("Alt+Enter");
  await enter();
  await type("Salt");
  const boxes = content(page).getByRole("checkbox");
  await boxes.nth(2).click();
  await expect(boxes.nth(0)).not.toBeChecked();
  await expect(boxes.nth(1)).toBeChecked();
  await expect(boxes.nth(2)).toBeChecked();
  await enter();
  await enter();
  await type("- [x] Also by Markdown");
  await enter();
  await enter();
  for (const name of ["Pull quote", "Note", "Tip"]) {
    await slash(name);
    await type(`A ${name.toLowerCase()}.`);
    await enter();
    await enter();
  }
  await type(">> Another.");
  await enter();
  await enter();
  await type("[!warning]Mind the owl.");
  await enter();
  await enter();
  await slash("Fold-out");
  await type("More");
  await enter();
  await type("Hidden words.");
  await enter();
  await enter();
  await type("<details>Even more");
  await enter();
  await type("Further words.");
  await enter();
  await enter();
  await type("The end");
  await page.keyboard.press("ControlOrMeta+Alt+f");
  await type("Of all.");
  await expect(content(page).locator(".footnote-ref")).toHaveCount(2);
  expect(await seriousViolations(page, { within: ".prose" })).toEqual([]);

  await page.getByRole("textbox", { name: "Title" }).fill("Blocks of all kinds");
  await (await openPublishSheet(page)).getByRole("button", { name: "Publish Blog" }).click();
  await expect(page).toHaveURL(/\/blog\//);
  const text = page.locator("article .prose");
  await expect(text.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await expect(text.getByRole("checkbox").first()).toBeDisabled();
  await expect(text.locator(".pull-quote")).toHaveText(["A pull quote.", "Another."]);
  await expect(text.locator(".callout")).toHaveText(["NoteA note.", "TipA tip.", "WarningMind the owl."]);

  await expect(text.getByText("Hidden words.")).toBeHidden();
  await text.getByText("More", { exact: true }).click();
  await expect(text.getByText("Hidden words.")).toBeVisible();

  const heading = text.getByRole("heading", { name: "Of owls" });
  await heading.hover();
  await heading.locator(".heading-link").click();
  await expect(page).toHaveURL(/#h-of-owls$/);

  const note = text.locator(".footnotes li").first();
  const reference = text.locator("[role=doc-noteref]").first();
  await reference.click();
  await expect(note).toBeFocused();
  await expect(note).toHaveCSS("position", "fixed");
  await expect(page).toHaveURL(/#h-of-owls$/);
  expect(await seriousViolations(page, { within: ".prose" })).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(note).toHaveCSS("position", "static");
  await expect(reference).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await reference.click();
  const sheet = await note.boundingBox();
  expect(Math.round(sheet!.y + sheet!.height)).toBe(844);
  await note.locator("[role=doc-backlink]").click();
  await expect(note).toHaveCSS("position", "static");

  const plain = await open(undefined, { javaScriptEnabled: false });
  // Chromium logs the blocked scripts as failures.
  allowErrors(plain);
  await plain.goto(page.url());
  await plain.locator("[role=doc-noteref]").last().click();
  await expect(plain.locator(".footnotes li").last()).toBeInViewport();
  await plain.locator("[role=doc-backlink]").last().click();
  await expect(plain).toHaveURL(/#fnref-/);
});
