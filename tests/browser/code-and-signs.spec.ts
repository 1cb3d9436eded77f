import { content, details, edit, saved, toEnd, tools } from "./editor.ts";
import { expect, sharedTest as test } from "./site.ts";
import { aBlog, paragraphs } from "../support/writing.ts";

test("signs and addresses are set as one types, code stays; a reader sees it in colours, copies it, and gets its update so", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const german =
    "Man hört vor allem Eulen und ab und zu einen Zug, und am Sonntag kommt der Markt auf den Platz vor der Kirche.";
  const blog = aBlog({ title: "Eulen", document: paragraphs(german) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const page = await open(ana);
  await edit(page, slug);
  await toEnd(page);
  const { keyboard } = page;
  await keyboard.press("Enter");
  await keyboard.type('Sie sagt "geht\'s" und zeigt https://example.org/a ');
  await expect(content(page)).toContainText("Sie sagt „geht’s“ und zeigt");
  await expect(content(page).getByRole("link")).toHaveAttribute("href", "https://example.org/a");
  await keyboard.press("Backspace");
  await expect(content(page).getByRole("link")).toHaveCount(0);
  await keyboard.type('"');
  await keyboard.press("Backspace");
  await expect(content(page)).toContainText('https://example.org/a "');
  // Said to be in another language, it has the signs of that; switched off, none.
  const sheet = await details(page);
  await sheet.getByRole("combobox", { name: "Language" }).selectOption("en");
  await page.keyboard.press("Escape");
  await tools(page);
  await toEnd(page);
  await keyboard.type(' "so" -- ');
  await expect(content(page)).toContainText("“so” – ");
  const signs = page.getByRole("button", { name: "Smart quotes and dashes" });
  await signs.click();
  await expect(signs).toHaveAttribute("aria-pressed", "false");
  await toEnd(page);
  await keyboard.type('"no"');
  await expect(content(page)).toContainText('– "no"');
  await signs.click();
  await toEnd(page);
  await keyboard.press("Enter");
  await keyboard.type('```js const owls = "three"; // -- many');
  await expect(content(page).locator("pre")).toHaveText('const owls = "three"; // -- many');
  await saved(page);
  await (await details(page)).getByRole("button", { name: "Update Blog" }).click();

  await page.waitForURL(`**/blog/${slug}`);

  const reader = await open();
  await reader.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  // On a busy machine the first who ask have it plain.
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

  await edit(page, slug);
  await content(page).locator("pre").click();
  await keyboard.press("ControlOrMeta+End");
  await keyboard.press("Enter");
  await keyboard.type("let bats = 2;");
  await saved(page);
  await (await details(page)).getByRole("button", { name: "Update Blog" }).click();
  await expect(reader.locator(".code-word")).toHaveText(["const", "let"]);
  await expect(reader.locator(".code-head")).toHaveCount(1);
  await reader.getByRole("button", { name: "Copy the code" }).click();
  await expect
    .poll(() => reader.evaluate(() => navigator.clipboard.readText()))
    .toBe('const owls = "three"; // -- many\nlet bats = 2;');
});
