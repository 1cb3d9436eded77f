import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { paint } from "../support/pictures.ts";
import { content, expectSaved, writeNewBlog } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

/** Pastes this content by its MIME types, as from another program. */
async function paste(page: Page, kinds: Record<string, string>): Promise<void> {
  await content(page).evaluate((text, contents) => {
    const clipboardData = new DataTransfer();
    for (const [kind, data] of Object.entries(contents)) clipboardData.setData(kind, data);
    text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, kinds);
}

/** Pastes HTML with pictures beside it, as Safari copies them. */
async function pasteWithFiles(page: Page, html: string, pictures: Buffer[]): Promise<void> {
  const files = pictures.map((bytes) => bytes.toString("base64"));
  await content(page).evaluate(
    (text, { html: copied, files: encoded }) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", copied);
      for (const base64 of encoded) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        clipboardData.items.add(new File([bytes], "picture.png", { type: "image/png" }));
      }
      text.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { html, files },
  );
}

/** Drops this content at the end of the first line that has these words. */
async function drop(page: Page, text: string, kinds: Record<string, string>): Promise<void> {
  await content(page)
    .locator("> p", { hasText: text })
    .first()
    .evaluate((line, contents) => {
      const dataTransfer = new DataTransfer();
      for (const [kind, data] of Object.entries(contents)) dataTransfer.setData(kind, data);
      const range = document.createRange();
      range.selectNodeContents(line);
      const { right, top, height } = range.getBoundingClientRect();
      const position = { clientX: right - 1, clientY: top + height / 2 };
      line.dispatchEvent(
        new DragEvent("drop", { ...position, dataTransfer, bubbles: true, cancelable: true }),
      );
    }, kinds);
}

const dataUrl = async (...size: [number, number]) =>
  `data:image/png;base64,${(await paint(...size)).toString("base64")}`;
/** HTML of two pictures, 30 and 40 pixels wide, between texts. */
const twoPictures = async () =>
  `<p>Owl:</p><p><img src="${await dataUrl(30, 20)}"></p><p>Bat:</p><p><img src="${await dataUrl(40, 20)}"></p><p>End.</p>`;
/** Returns the text of each block, or the width of its picture. */
const blocksOf = (page: Page) =>
  content(page).evaluate((text) =>
    [...text.children].map((block) => block.querySelector("img")?.getAttribute("width") ?? block.textContent),
  );

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
  await page.keyboard.type("And on");
  await expect(text).toContainText(/They call \*\*twice\*\*:.*And on$/s);
  for (const left of [/And on$/, /```$/, /^$/]) {
    await expect(text).toHaveText(left);
    await page.keyboard.press("ControlOrMeta+z");
  }
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

test("puts the caret before the footnotes of a paste, and its message above a phone's tools", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  await page.setViewportSize({ width: 390, height: 700 });
  const text = content(page);
  await paste(page, { "text/plain": "## Owls\n\nThey **call**.[^1] They\n\n[^1]: At dusk.\n" });
  await expect(text.locator(".footnotes li")).toHaveText("At dusk.");
  const tools = page.getByRole("toolbar", { name: "Formatting" });
  await expect
    .poll(async () => {
      const [message, strip] = await Promise.all([
        toast(page).getByText("Read as Markdown.").locator("..").boundingBox(),
        tools.boundingBox(),
      ]);
      return message && strip && message.y + message.height <= strip.y;
    })
    .toBe(true);
  await page.keyboard.type(" sleep at dawn.");
  await expect(text.locator("> p")).toContainText("They sleep at dawn.");
  await expect(text.locator(".footnotes li")).toHaveText("At dusk.");
  await toast(page).getByRole("button", { name: "Paste as plain text" }).click();
  await expect(text.locator(".footnotes")).toHaveCount(0);
  await expect(text).toContainText("[^1]: At dusk.");
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

test("pastes links without their redirect, lines of an email as a paragraph, and a spreadsheet's bold cells", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  const text = content(page);
  await paste(page, {
    "text/html": '<p><a href="https://www.google.com/url?q=https://example.org/owls&sa=D">Owls</a></p>',
  });
  await expect(text.getByRole("link", { name: "Owls" })).toHaveAttribute("href", "https://example.org/owls");
  await page.keyboard.press("ControlOrMeta+a");
  const lines = [
    "They call at dusk, mostly from the wall behind the old church, and",
    "nobody knows why they stop when the last train of the evening goes",
    "over the bridge; some people in the village say that they listen.",
  ];
  await paste(page, { "text/plain": lines.join("\n") });
  await expect(text.locator("> p")).toHaveText([lines.join(" ")]);
  await page.keyboard.press("ControlOrMeta+a");
  await paste(page, { "text/html": fixture("excel-merged") });
  await expect(text.locator("strong").first()).toBeVisible();
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

test("keeps each footnote sign with its own note when texts are pasted one after the other", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  const sign = '<sup class="footnote-ref" data-note="1"></sup>';
  const article = (text: string) =>
    `<p>${text}${sign}</p><section class="footnotes"><ol><li data-note="1"><p>Of ${text}.</p></li></ol></section>`;
  const text = content(page);
  for (const [at, bird] of ["owls", "bats"].entries()) {
    await page.keyboard.press("ControlOrMeta+End");
    await paste(page, { "text/html": article(bird) });
    await expect(text.locator("section.footnotes li")).toHaveCount(at + 1);
  }
  await expect(text.locator("sup.footnote-ref")).toHaveCount(2);
  const signs = () =>
    text.evaluate((box) =>
      [...box.querySelectorAll("sup.footnote-ref")].map((one) => [
        one.getAttribute("data-number"),
        box.querySelector(`li[data-note="${one.getAttribute("data-note")}"]`)?.textContent,
      ]),
    );
  expect(await signs()).toEqual([
    ["1", "Of owls."],
    ["2", "Of bats."],
  ]);
  // A sign of another text has no note here, one copied here has.
  await paste(page, { "text/html": `<p>and ${sign}</p>` });
  await expect(text.locator('sup[data-number="*"]')).toHaveCount(1);
  // At once, before the browser reports the selection.
  const copied = await text.evaluate((box) => {
    getSelection()!.selectAllChildren(box.querySelector("sup")!.parentElement!);
    const clipboardData = new DataTransfer();
    box.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData("text/html");
  });
  await page.keyboard.press("ArrowRight");
  await paste(page, { "text/html": copied });
  await expect(text.locator('sup[data-number="1"]')).toHaveCount(2);
});

test("uploads the pictures in dropped HTML where they were dropped, and reads the next paste by itself", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "First.", "Second.");
  await drop(page, "First.", { "text/html": await twoPictures(), "text/plain": "Owl:" });
  await expect.poll(() => blocksOf(page)).toEqual(["First.Owl:", "30", "Bat:", "40", "End.", "Second."]);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Enter");
  await paste(page, { "text/plain": "- at dusk\n- at dawn\n" });
  await expect(content(page).locator("li")).toHaveText(["at dusk", "at dawn"]);
  await expectSaved(page);
});

test("takes pictures copied in Safari from the files beside the text, and names those that it can't take", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  const [owl, bat] = [await paint(30, 20), await paint(40, 20)];
  const blob = (name: string) => `<img src="blob:https://example.org/${name}" alt="${name}">`;
  await pasteWithFiles(page, `<p>Owl:</p><p>${blob("owl")}</p><p>Bat:</p><p>${blob("bat")}</p><p>End.</p>`, [
    owl,
    bat,
  ]);
  await expect.poll(() => blocksOf(page)).toEqual(["Owl:", "30", "Bat:", "40", "End."]);
  await expect(toast(page)).not.toContainText("copy");

  await page.keyboard.press("ControlOrMeta+A");
  await pasteWithFiles(page, `<p>Owl: ${blob("owl")}</p><p>Bat: ${blob("bat")}</p>`, [bat]);
  await expect(toast(page)).toContainText("We couldn’t copy 2 pictures: “owl”, “bat”. Add them from files.");
  expect(await blocksOf(page)).toEqual(["Owl:", "Bat:"]);

  await page.keyboard.press("ControlOrMeta+A");
  await pasteWithFiles(page, '<img src="http://example.org/a.png"><img src="https://example.org/b.png">', [
    bat,
  ]);
  // The server copies them, or makes them links.
  await expect(content(page).getByText(/example\.org/)).toHaveCount(2);

  await page.keyboard.press("ControlOrMeta+A");
  await pasteWithFiles(page, '<img src="file:///C:/clip.png">', [bat]);
  await expect.poll(() => blocksOf(page)).toContain("40");
  await expect(toast(page)).not.toContainText("We couldn’t copy");
});

test("undoes a paste with two pictures in one step after their uploads", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "");
  await paste(page, { "text/html": await twoPictures(), "text/plain": "Owl:" });
  await expect.poll(() => blocksOf(page)).toEqual(["Owl:", "30", "Bat:", "40", "End."]);
  for (let time = 0; time < 2; time++) await page.keyboard.press("ControlOrMeta+z");
  expect(await blocksOf(page)).toEqual(["Owl:", "Bat:", "End."]);
  await page.keyboard.press("ControlOrMeta+z");
  expect(await blocksOf(page)).toEqual([""]);
});

test("refuses dropped HTML with too many paragraphs, like a paste", async ({ site, open }) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "First.");
  await drop(page, "First.", { "text/html": "<p>x</p>".repeat(11_000) });
  await expect(toast(page)).toContainText("This is too much to paste at once.");
  expect(await blocksOf(page)).toEqual(["First."]);
});
