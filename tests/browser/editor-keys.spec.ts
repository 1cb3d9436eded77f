import type { DocumentJson } from "../../src/shared/document/schema.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { content, expectSaved, moveCaretToEnd, openBlogForm, openPublishSheet } from "./editor-helpers.ts";
import { expect, sharedTest as test } from "./test-site.ts";

const text = (words: string) => [{ type: "text", text: words }];

test("types below a selected figure, by keys, insertions and an input method", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Typing");
  const { src } = await upload(ana, await paint(600, 400));
  const document = {
    type: "doc",
    content: [
      {
        type: "figure",
        content: [
          { type: "figure_image", attrs: { src, alt: "An owl", width: 600, height: 400 } },
          { type: "figure_caption", content: text("By the pond") },
        ],
      },
      { type: "paragraph", content: text("After it.") },
    ],
  } as DocumentJson;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Typed beside", document }));
  const page = await open(ana);
  await openBlogForm(page, blog.slug);
  const figure = content(page).locator("figure");
  const devtools = await page.context().newCDPSession(page);
  const ways: Record<string, () => Promise<void>> = {
    key: () => page.keyboard.press("k"),
    insertion: () => page.keyboard.insertText("k"),
    composition: async () => {
      await devtools.send("Input.dispatchKeyEvent", {
        type: "rawKeyDown",
        key: "Process",
        windowsVirtualKeyCode: 229,
      });
      await devtools.send("Input.imeSetComposition", { text: "k", selectionStart: 1, selectionEnd: 1 });
      await devtools.send("Input.insertText", { text: "k" });
    },
  };
  await content(page).getByText("After it.").click();
  for (const [name, type] of Object.entries(ways)) {
    // From the line below by the caption.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(figure, name).toHaveClass(/ProseMirror-selectednode/);
    await type();
    await page.keyboard.type("in");
    await expect(content(page).locator("figure + p"), name).toHaveText("kin");
    await expect(figure.getByRole("img", { name: "An owl" })).toBeVisible();
    await expect(figure.locator("figcaption")).toHaveText("By the pond");
  }
  await expect(content(page).locator("> p")).toHaveText(["kin", "kin", "kin", "After it."]);
});

test("completes a composition while a co-writer types in the same paragraph", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Typing");
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls at dusk.") }));
  const [page, other] = [await open(ana), await open(ana)];
  for (const one of [page, other]) await openBlogForm(one, slug);
  await moveCaretToEnd(page);
  const devtools = await page.context().newCDPSession(page);
  const compose = (word: string) =>
    devtools.send("Input.imeSetComposition", {
      text: word,
      selectionStart: word.length,
      selectionEnd: word.length,
    });
  await compose("ふ");
  await content(other).click();
  await other.keyboard.press("ControlOrMeta+Home");
  await other.keyboard.type("Two ");
  await expectSaved(other);
  await compose("ふく");
  await expect(content(page)).toHaveText("Owls at dusk.ふく");
  await compose("ふくろう");
  await devtools.send("Input.insertText", { text: "梟" });
  for (const one of [page, other]) await expect(content(one)).toHaveText("Two Owls at dusk.梟");
});

test("leaves title and tags as they are at the Enter that confirms a word in Safari", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Typing"));
  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  const title = page.getByRole("textbox", { name: "Title" });
  await title.fill("ふくろう");
  const confirm = (field: HTMLElement) =>
    field.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }),
    );
  expect(await title.evaluate(confirm)).toBe(true);
  await expect(title).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(content(page)).toBeFocused();
  const tags = (await openPublishSheet(page)).getByRole("textbox", { name: "Tags" });
  await tags.fill("夜");
  expect(await tags.evaluate(confirm)).toBe(true);
  await expect(tags).toHaveValue("夜");
  await tags.press("Enter");
  await expect(tags).toHaveValue("");
});

test("keeps the lines of code pasted into a paragraph, and Tab in the text", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Lines");
  const item = (words: string) => ({
    type: "list_item",
    content: [{ type: "paragraph", content: text(words) }],
  });
  const document = {
    type: "doc",
    content: [
      { type: "code_block", content: text("one\ntwo\nthree") },
      { type: "paragraph", content: text("Lines: ") },
      { type: "bullet_list", content: ["a", "b", "c"].map(item) },
    ],
  } as DocumentJson;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Lines of code", document }));
  const page = await open(ana);
  await openBlogForm(page, blog.slug);
  await content(page).locator("pre").click();
  await page.keyboard.press("Shift+Tab");
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("ControlOrMeta+c");
  await content(page).getByText("Lines:").click();
  await page.keyboard.press("End");
  await page.keyboard.press("ControlOrMeta+v");
  const pasted = content(page).locator("> p").first();
  await expect(pasted.locator("br:not(.ProseMirror-trailingBreak)")).toHaveCount(1);
  await expect(pasted).toHaveText("Lines: onetwo");

  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Tab");
  await expect(content(page)).toBeFocused();
  await expect(content(page).locator("li li")).toHaveText(["b", "c"]);
  await page.keyboard.press("Shift+Tab");
  await expect(content(page).locator("li li")).toHaveCount(0);
  await expect(content(page).locator("li")).toHaveText(["a", "b", "c"]);
});
