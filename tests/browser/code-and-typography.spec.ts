import {
  content,
  openPublishSheet,
  openBlogForm,
  expectSaved,
  moveCaretToEnd,
  openToolbar,
} from "./editor-helpers.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";

test("sets smart quotes and links while typing, none in code, and shows readers coloured code to copy, live", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const german =
    "Man hört vor allem Eulen und ab und zu einen Zug, und am Sonntag kommt der Markt auf den Platz vor der Kirche.";
  const blog = aBlog({ title: "Eulen", document: paragraphs(german) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const page = await open(ana);
  await openBlogForm(page, slug);
  const { keyboard } = page;
  const title = page.getByRole("textbox", { name: "Title" });
  await title.click();
  await keyboard.press("End");
  await keyboard.type(' -- "Uhu"');
  await expect(title).toHaveValue("Eulen – „Uhu“");
  await keyboard.press("Backspace");
  await expect(title).toHaveValue('Eulen – „Uhu"');
  await keyboard.press("Backspace");
  await keyboard.type("s' Ruf\"");
  await expect(title).toHaveValue("Eulen – „Uhus’ Ruf“");
  await keyboard.press("ControlOrMeta+z");
  await expect(title).toHaveValue('Eulen – „Uhus’ Ruf"');
  await moveCaretToEnd(page);
  await keyboard.press("Enter");
  await keyboard.type('Sie sagt "geht\'s" und zeigt https://example.org/a ');
  await expect(content(page)).toContainText("Sie sagt „geht’s“ und zeigt");
  await expect(content(page).getByRole("link")).toHaveAttribute("href", "https://example.org/a");
  await keyboard.press("Backspace");
  await expect(content(page).getByRole("link")).toHaveCount(0);
  await keyboard.type('"');
  await keyboard.press("Backspace");
  await expect(content(page)).toContainText('https://example.org/a "');
  // Another language has its own quotes; switched off, they stay straight.
  const sheet = await openPublishSheet(page);
  await sheet.getByRole("combobox", { name: "Language" }).selectOption("en");
  await page.keyboard.press("Escape");
  await openToolbar(page);
  await moveCaretToEnd(page);
  await keyboard.type(' "so" -- ');
  await expect(content(page)).toContainText("“so” – ");
  const button = page.getByRole("button", { name: "Smart quotes and dashes" });
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await moveCaretToEnd(page);
  await keyboard.type('"no"');
  await expect(content(page)).toContainText('– "no"');
  await button.click();
  await moveCaretToEnd(page);
  await keyboard.press("Enter");
  await keyboard.type('```js const owls = "three"; // -- many');
  await expect(content(page).locator("pre")).toHaveText('const owls = "three"; // -- many');
  await expectSaved(page);
  await (await openPublishSheet(page)).getByRole("button", { name: "Update Blog" }).click();

  await page.waitForURL(`**/blog/${slug}`);

  const reader = await open();
  await reader.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  // A busy machine renders it plain first.
  await expect(async () => {
    await reader.goto(`/blog/${slug}`);
    await expect(reader.locator(".code-word")).toHaveText("const");
  }).toPass();
  await expect(reader.locator(".code pre")).toHaveText('const owls = "three"; // -- many');
  await expect(reader.locator(".prose")).toHaveAttribute("lang", "en");
  await expect(reader.locator(".code-head")).toHaveText("JavaScript");
  await reader.getByRole("button", { name: "Copy the code" }).click();
  await expect(reader.getByText("Code copied.")).toBeVisible();
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(
    'const owls = "three"; // -- many',
  );

  await openBlogForm(page, slug);
  await content(page).locator("pre").click();
  await keyboard.press("ControlOrMeta+End");
  await keyboard.press("Enter");
  await keyboard.type("let bats = 2;");
  await expectSaved(page);
  await (await openPublishSheet(page)).getByRole("button", { name: "Update Blog" }).click();
  await expect(reader.locator(".code-word")).toHaveText(["const", "let"]);
  await expect(reader.locator(".code-head")).toHaveCount(1);
  await reader.getByRole("button", { name: "Copy the code" }).click();
  await expect
    .poll(() => reader.evaluate(() => navigator.clipboard.readText()))
    .toBe('const owls = "three"; // -- many\nlet bats = 2;');
});

test("has the button that copies code above its first line, however long that is", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const code = { type: "code_block", content: [{ type: "text", text: "curl --location ".repeat(20) }] };
  const document = { type: "doc" as const, content: [code] };
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open();
  await visit(page, `/blog/${slug}`);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const copy = (await page.getByRole("button", { name: "Copy the code" }).boundingBox())!;
    expect(copy.y + copy.height).toBeLessThanOrEqual((await page.locator(".code pre").boundingBox())!.y);
  }
});

test("keeps a typed mark in a title that has no room for its space", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ language: "fr" }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  const title = page.getByRole("textbox", { name: "Title" });
  const almost = `« ${"a".repeat(147)}`;
  await title.fill(almost);
  await page.keyboard.press("End");
  await page.keyboard.type('"');
  await expect(title).toHaveValue(`${almost}"`);
});
