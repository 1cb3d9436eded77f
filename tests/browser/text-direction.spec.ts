import type { Page } from "@playwright/test";
import { aBlog } from "../support/sample-content.ts";
import type { NodeJson } from "../../src/shared/document/schema.ts";
import { content, moveCaretToEnd, openBlogForm } from "./editor-helpers.ts";
import { expect, sharedTest as test, visit } from "./test-site.ts";

const inNode = (type: string, children: NodeJson[], attrs = {}): NodeJson => ({
  type,
  attrs,
  content: children,
});
const line = (text: string, type = "paragraph") => inNode(type, [{ type: "text", text }]);
const hebrew = "ינשופים עפים בלילה";

/** Returns the direction of each block of a text. */
const directionsOf = (page: Page) =>
  page
    .locator(".prose")
    .evaluate((text) => [...text.children].map((block) => getComputedStyle(block).direction));

/** Returns the distances of the first words in an element from its left and right edges. */
const distancesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [words, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return { left: Math.round(words.left - box.left), right: Math.round(box.right - words.right) };
  });

test("shows right-to-left text in the editor as in the article, with bullets, boxes, bars and labels on its side", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const blocks = (text: string) => [
    inNode("bullet_list", [inNode("list_item", [line(text)])]),
    inNode("ordered_list", [inNode("list_item", [line(text)])]),
    inNode("bullet_list", [inNode("task_item", [line(text)], { checked: true })]),
    inNode("blockquote", [line(text)]),
    inNode("callout", [line(text)], { kind: "tip" }),
    inNode("fold", [line(text, "fold_summary"), line(text)]),
    line(text),
  ];
  const document = { type: "doc" as const, content: [...blocks(hebrew), ...blocks("Owls fly")] };
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  const expected = [...Array<string>(7).fill("rtl"), ...Array<string>(7).fill("ltr")];
  expect(await directionsOf(page)).toEqual(expected);
  const summary = await distancesOf(page, ".fold-summary >> nth=0");
  expect(summary.right).toBeGreaterThan(10);
  expect(summary.left).toBeGreaterThan(summary.right);

  const article = await open();
  await visit(article, `/blog/${slug}`);
  expect(await directionsOf(article)).toEqual(expected);
  expect(await distancesOf(article, ".prose summary >> nth=0")).toEqual(summary);
  const label = await distancesOf(article, ".callout-label >> nth=0");
  expect(label.right).toBe(0);
  expect((await distancesOf(article, ".callout-label >> nth=1")).left).toBe(0);

  // In a list of both directions each item has its bullet at its side.
  const mixed = {
    type: "doc" as const,
    content: [
      inNode(
        "bullet_list",
        ["Owls fly", hebrew, "At night"].map((words) => inNode("list_item", [line(words)])),
      ),
    ],
  };
  const other = await ana.api.blogs.create.mutate(aBlog({ document: mixed }));
  const editor = await open(ana);
  await openBlogForm(editor, other.slug);
  await visit(article, `/blog/${other.slug}`);
  for (const shown of [editor, article]) {
    const items = shown.locator(".prose li");
    await expect(items.nth(1)).toHaveCSS("direction", "rtl");
    await expect(items.nth(2)).toHaveCSS("direction", "ltr");
    // Inside the text's column, where a bullet has room.
    const [list, left, right] = await Promise.all(
      [shown.locator(".prose ul"), items.nth(0), items.nth(1)].map(
        async (part) => (await part.boundingBox())!,
      ),
    );
    expect(left!.x - list!.x).toBeGreaterThan(20);
    expect(right!.x - list!.x).toBeLessThan(1);
    expect(list!.x + list!.width - right!.x - right!.width).toBeGreaterThan(20);
  }

  // A block turns with its first letters, and back without them.
  await moveCaretToEnd(page);
  await page.keyboard.press("Enter");
  await page.keyboard.type("- ");
  const list = content(page).locator("> ul").last();
  await page.keyboard.type(hebrew);
  await expect(list).toHaveCSS("direction", "rtl");
  await page.keyboard.press("Home");
  await page.keyboard.type("Owls ");
  await expect(list).toHaveCSS("direction", "ltr");
});
