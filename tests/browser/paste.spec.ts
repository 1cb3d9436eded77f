import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { content, saved, write } from "./editor.ts";
import { expect, sharedTest as test } from "./site.ts";

/** Pastes what another program would have put on the clipboard. */
async function paste(page: Page, kinds: Record<string, string>): Promise<void> {
  await content(page).evaluate((text, given) => {
    const clipboardData = new DataTransfer();
    for (const [kind, data] of Object.entries(given)) clipboardData.setData(kind, data);
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, kinds);
}

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/clipboard/${name}.clip`, import.meta.url), "utf8");
const toast = (page: Page) => page.locator(".toasts");

test("Markdown is read as what it means, and is plain text again by an undo or the message", async ({
  site,
  open,
}) => {
  const page = await open(await site.resident("Ana Torres"));
  await write(page, "");
  const markdown = "# Owls\n\nThey call **twice**:\n\n- at dusk\n- at *dawn*\n\n```js\nhoot();\n```\n";
  const text = content(page);
  await paste(page, { "text/plain": markdown });
  await expect(text.locator("h1")).toHaveText("Owls");
  await expect(text.locator("li")).toHaveText(["at dusk", "at dawn"]);
  await expect(text.locator("pre")).toHaveText("hoot();");
  await expect(text.locator("strong")).toHaveText("twice");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(text.locator("h1, li, pre, strong")).toHaveCount(0);
  await expect(text).toContainText("They call **twice**:");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(text).toHaveText("");

  await page.keyboard.type("Before. ");
  await paste(page, { "text/plain": markdown });
  await expect(text.locator("li")).toHaveCount(2);
  await toast(page).getByRole("button", { name: "Paste as plain text" }).click();
  await expect(text.locator("h1, li, pre, strong")).toHaveCount(0);
  await expect(text.locator("> p").first()).toHaveText("Before. # Owls");
  await page.keyboard.type(" And on.");
  await expect(text).toContainText("And on.");
  await saved(page);
});

test("code stays code in its language, lists of Word are lists, and what is too long is told so in its own words @more", async ({
  site,
  open,
}) => {
  const page = await open(await site.resident("Ana Torres"));
  await write(page, "Look: ");
  const text = content(page);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await paste(page, {
    "text/html": fixture("vs-code"),
    "text/plain": "function hoot(times) {\n  return times;\n\n}",
    "vscode-editor-data": JSON.stringify({ version: 1, mode: "typescriptreact" }),
  });
  const code = text.locator("pre");
  await expect(code).toHaveText("function hoot(times) {\n  return times;\n\n}");
  await expect(code).toHaveAttribute("data-language", "typescript");
  await expect(text.locator("[style*=color]")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+a");
  await paste(page, { "text/html": fixture("word"), "text/plain": "Field notes" });
  await expect(text.locator("> ul > li > ul > li > ul > li")).toHaveText("At dusk");
  await expect(text.locator("> ol")).toHaveAttribute("start", "3");
  await saved(page);

  const before = await text.innerText();
  await paste(page, { "text/plain": "Owls call. ".repeat(480_000) });
  await expect(toast(page)).toContainText("This is too long to paste: 5,280,000 characters.");
  expect(await text.innerText()).toBe(before);
});

test("colours are kept in what was copied from the editor, and dropped from other programs", async ({
  site,
  open,
}) => {
  const page = await open(await site.resident("Ana Torres"));
  await write(page, "");
  const line = (text: string, more = "") =>
    `<p${more}><span style="color: #333333">${text}</span> <a href="https://example.org/"><u>guide</u></a></p>`;
  await paste(page, { "text/html": line("Own", ' data-pm-slice="0 0 []"') });
  await paste(page, { "text/html": line("Foreign") });
  const text = content(page);
  await expect(text.locator("a")).toHaveCount(2);
  await expect(text.locator("[style*='color']")).toHaveText(["Own"]);
  await expect(text.locator("u")).toHaveCount(1);
});
