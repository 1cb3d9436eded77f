import type { DocumentJson } from "../../src/shared/document/schema.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations, setColorScheme } from "./axe.ts";
import { content, expectSaved, openBlogForm, toolbar } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

const cell = (text: string) => ({ type: "table_cell", content: paragraphs(text).content });
const text = {
  type: "doc",
  content: [
    ...paragraphs("Before the table, a line that is long enough to be below its tools.").content,
    {
      type: "table",
      content: [
        { type: "table_row", content: [cell("Owl"), cell("Night")] },
        { type: "table_row", content: [cell("Lark"), cell("Morning")] },
      ],
    },
    ...paragraphs("Between them, another line that is long enough to be below the language.").content,
    { type: "code_block", content: [{ type: "text", text: "let owl = 1;" }] },
    ...paragraphs("After both.").content,
  ],
} as DocumentJson;

test("shows the tools of a table and the language of code where the caret is, for pointer and keys", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: text }));
  const page = await open(ana, { viewport: { width: 1440, height: 900 } });
  await openBlogForm(page, slug);
  const table = page.getByRole("toolbar", { name: "Table" });
  const code = page.getByRole("toolbar", { name: "Code" });
  const cells = content(page).getByRole("cell");
  await expect(toolbar(page)).toBeHidden();
  await expect(table).toHaveCount(0);

  await content(page).getByText("Owl", { exact: true }).click();
  await expect(table).toBeVisible();
  await expect(code).toHaveCount(0);
  const [tools, first, above] = await Promise.all(
    [table, content(page).getByRole("table"), content(page).locator("p").first()].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(tools!.y + tools!.height).toBeLessThanOrEqual(first!.y);
  expect(tools!.y).toBeGreaterThanOrEqual(above!.y + above!.height);
  await table.getByRole("button", { name: "Add column after" }).click();
  await expect(cells).toHaveCount(6);
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Alt+F10");
  await expect(table.getByRole("button", { name: "Add row below" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(cells).toHaveCount(9);
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("Escape");
  await expect(content(page)).toBeFocused();
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    expect.soft(await seriousViolations(page, { within: ".editor-block-bar" })).toEqual([]);
  }
  // The first row, whichever row has the caret.
  const header = table.getByRole("button", { name: "Header row" });
  await content(page).getByText("Lark", { exact: true }).click();
  await expect(header).toHaveAttribute("aria-pressed", "false");
  await header.click();
  await expect(header).toHaveAttribute("aria-pressed", "true");
  await expect(content(page).getByRole("columnheader")).toHaveText(["Owl", "", "Night"]);
  await header.click();
  await expect(content(page).getByRole("columnheader")).toHaveCount(0);
  await content(page).getByText("Owl", { exact: true }).click();
  await table.getByRole("button", { name: "Delete row" }).click();
  await table.getByRole("button", { name: "Delete column" }).click();
  await expect(cells).toHaveCount(4);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(cells).toHaveCount(6);
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("Alt+F10");
  await expect(toolbar(page).getByRole("button", { name: "Bold" })).toBeFocused();
  await page.getByRole("button", { name: "All tools" }).click();

  await content(page).getByText("let owl").click();
  await expect(table).toHaveCount(0);
  await page.keyboard.press("Alt+F10");
  await expect(code.getByRole("button", { name: "Language: Plain text" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitemradio", { name: "JavaScript" }).click();
  await expect(code.getByRole("button", { name: "Language: JavaScript" })).toBeVisible();
  await expect(content(page)).toBeFocused();
  expect(await seriousViolations(page, { within: ".editor-block-bar" })).toEqual([]);
  await page.getByRole("textbox", { name: "Title" }).focus();
  await expect(code).toHaveCount(0);
  await expectSaved(page);
});

test("has the tools of a table and code in a phone's strip, beside the others", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: text }));
  const page = await open(ana, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await openBlogForm(page, slug);
  const table = page.getByRole("toolbar", { name: "Table" });
  const code = page.getByRole("toolbar", { name: "Code" });
  await content(page).getByText("Lark").tap();
  await expect(toolbar(page).getByRole("button").first()).toHaveAccessibleName("Undo");
  await table.getByRole("button", { name: "Table" }).tap();
  await page.getByRole("menuitem", { name: "Delete row" }).tap();
  await expect(content(page).getByRole("cell")).toHaveText(["Owl", "Night"]);
  await content(page).getByText("let owl").tap();
  await expect(table).toHaveCount(0);
  const choice = code.getByRole("button", { name: "Language: Plain text" });
  await expect(choice).toBeInViewport({ ratio: 1 });
  const { width, height } = (await choice.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await seriousViolations(page, { within: ".editor-bar-place" })).toEqual([]);
});
