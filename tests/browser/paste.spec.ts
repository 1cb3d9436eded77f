import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { content, expectSaved, writeNewBlog } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

/** Pastes this content by its MIME types, as from another program. */
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

test("formats pasted Markdown, and makes it plain text again by undo or the message", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
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
  await expectSaved(page);
});

test("keeps the language of pasted code and Word's lists, and refuses a text that is too long @more", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "Look: ");
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
  await expectSaved(page);

  const before = await text.innerText();
  await paste(page, { "text/plain": "Owls call. ".repeat(480_000) });
  await expect(toast(page)).toContainText("This is too long to paste: 5,280,000 characters.");
  expect(await text.innerText()).toBe(before);
});

test("keeps the colours of text copied from the editor, and drops those of other programs", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  const line = (text: string, more = "") =>
    `<p${more}><span style="color: #333333">${text}</span> <a href="https://example.org/"><u>guide</u></a></p>`;
  await paste(page, { "text/html": line("Own", ' data-pm-slice="0 0 []"') });
  await paste(page, { "text/html": line("Foreign") });
  const text = content(page);
  await expect(text.locator("a")).toHaveCount(2);
  await expect(text.locator("[style*='color']")).toHaveText(["Own"]);
  await expect(text.locator("u")).toHaveCount(1);
});
