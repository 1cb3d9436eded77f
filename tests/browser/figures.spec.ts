import type { Page } from "@playwright/test";
import type { DocumentJson } from "../../src/shared/document/schema.ts";
import { CoWriter } from "../support/co-writer.ts";
import { paint, upload } from "../support/pictures.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { seriousViolations } from "./axe.ts";
import { toolbar, content, openBlogForm, expectSaved, openToolbar } from "./editor-helpers.ts";
import { expect, distanceMoved, sharedTest as test, visit } from "./test-site.ts";

const figure = (src: string, caption = "", [width, height] = [1200, 800], size = "text") => ({
  type: "figure",
  attrs: { size },
  content: [
    { type: "figure_image", attrs: { src, alt: "", width, height } },
    { type: "figure_caption", content: caption ? [{ type: "text", text: caption }] : [] },
  ],
});
/** Returns how far the page scrolls sideways, in pixels. */
const horizontalScroll = (page: Page) =>
  page.evaluate(() => {
    scrollTo({ left: 1_000, behavior: "instant" });
    return scrollX;
  });

test("captions, widens and pairs figures by keys alone, and enlarges them for readers", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Figures");
  const [wide, tall, other] = [
    await upload(ana, await paint(1200, 800)),
    await upload(ana, await paint(600, 900)),
    await upload(ana, await paint(1600, 900)),
  ];
  const long = paragraphs(...Array.from({ length: 30 }, () => "One hears owls, mostly. ".repeat(12)));
  const heading = (text: string) => ({
    type: "heading",
    attrs: { level: 2 },
    content: [{ type: "text", text }],
  });
  const document = {
    type: "doc",
    content: [
      ...paragraphs("Before them.").content,
      figure(wide.src),
      figure(tall.src, "Above the pond", [600, 900]),
      heading("Of owls"),
      ...long.content.slice(0, 3),
      figure(other.src, "As wide as the window", [1600, 900], "full"),
      heading("Of trains"),
      ...long.content.slice(3),
    ],
  } as DocumentJson;
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Pictures of a night", document }));
  const page = await open(ana);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openBlogForm(page, blog.slug);
  const pictureTools = page.getByRole("toolbar", { name: "Picture" });
  const first = content(page).locator("figure").first();
  await content(page).getByText("Before them.").click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  await expect(first).toHaveClass(/ProseMirror-selectednode/);
  await expect(pictureTools).toBeVisible();

  await page.keyboard.press("Enter");
  await page.keyboard.type("The barn");
  await expect(first.locator("figcaption")).toHaveText("The barn");
  await page.keyboard.press("Tab");
  await expect(pictureTools.getByRole("button", { name: "As wide as the text" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(first).toHaveClass(/figure-wide/);
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "What does the picture show?" }).fill("A barn by night");
  expect(await seriousViolations(page, { within: ".editor-popover" })).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(first.getByRole("img", { name: "A barn by night" })).toBeVisible();
  await expect(content(page)).toBeFocused();

  await pictureTools.getByRole("button", { name: "Link" }).click();
  await page.getByRole("textbox", { name: "Link address" }).fill("example.org/barn");
  await page.keyboard.press("Enter");
  const link = content(page).locator('a[href="https://example.org/barn"] img');
  await expect(link).toHaveCount(1);
  await expect(content(page)).toBeFocused();
  await pictureTools.getByRole("button", { name: "Link", pressed: true }).click();
  await page.getByRole("button", { name: "Remove link" }).click();
  await expect(link).toHaveCount(0);
  await pictureTools.getByRole("button", { name: "Remove" }).click();
  await expect(content(page).locator("figcaption", { hasText: "The barn" })).toHaveCount(0);
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(first.locator("figcaption")).toHaveText("The barn");
  await first.getByRole("img").click();

  await pictureTools.getByRole("button", { name: "Beside the next" }).click();
  await expect(content(page).locator(".figure-pair.figure-wide > figure")).toHaveCount(2);
  expect(await seriousViolations(page, { within: ".prose" })).toEqual([]);
  expect(await seriousViolations(page, { within: ".figure-bar" })).toEqual([]);
  await expectSaved(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Update/ })
    .click();
  await expect(page).toHaveURL(/\/blog\//);

  const requestUrls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/enlarge-")) requestUrls.push(request.url());
  });
  await page.reload();
  const text = page.locator("article .prose");
  const [left, right] = [text.locator("figure img").nth(0), text.locator("figure img").nth(1)];
  for (const width of [1440, 1280, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await horizontalScroll(page), `at ${width} px`).toBe(0);
    const [leftBox, rightBox] = [(await left.boundingBox())!, (await right.boundingBox())!];
    if (width > 480) expect(Math.abs(leftBox.height - rightBox.height), `at ${width} px`).toBeLessThan(2);
    else expect(rightBox.y).toBeGreaterThan(leftBox.y + leftBox.height);
  }
  // On a tablet the bottom bar stays above a picture that scrolls by.
  await page.setViewportSize({ width: 820, height: 900 });
  await text.locator(".figure-full").evaluate((full) => full.scrollIntoView({ block: "end" }));
  await page.locator(".article-bar button").first().click({ trial: true });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(requestUrls).toEqual([]);
  await left.click();
  const large = page.getByRole("dialog", { name: "Picture" });
  await expect(large.getByRole("img", { name: "A barn by night" })).toBeVisible();
  expect(requestUrls).not.toEqual([]);
  await expect(large).toContainText("The barn");
  expect(await seriousViolations(page, { within: "dialog" })).toEqual([]);
  await page.keyboard.press("ArrowRight");
  await expect(large).toContainText("Above the pond");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(large).toContainText("3 of 3");
  await page.keyboard.press("Escape");
  await expect(large).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Enlarge the picture: A barn by night" })).toBeFocused();
});

test("enlarges a picture alone in its paragraph or in a line, as figures' pictures, but no small one", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Lines");
  const [wide, icon] = [await upload(ana, await paint(1200, 800)), await upload(ana, await paint(40, 40))];
  const image = ({ src }: { src: string }, alt: string) => ({ type: "image", attrs: { src, alt } });
  const text = (words: string) => ({ type: "text", text: words });
  const document = {
    type: "doc",
    content: [
      { type: "paragraph", content: [image(wide, "alone")] },
      {
        type: "paragraph",
        content: [text("In "), image(icon, "icon"), text(" a line "), image(wide, "between")],
      },
      figure(wide.src, "Of a figure"),
    ],
  } as DocumentJson;
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ana);
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, `/blog/${slug}`);
  const shown = page.locator("article .prose");
  const alone = (await shown.getByRole("img", { name: "alone" }).boundingBox())!;
  const prose = (await shown.boundingBox())!;
  expect(Math.abs(alone.width - prose.width)).toBeLessThan(1);
  expect((await shown.getByRole("img", { name: "icon" }).boundingBox())!.width).toBe(40);
  await expect(shown.getByRole("button", { name: "Enlarge" })).toHaveCount(3);
  await shown.getByRole("img", { name: "between" }).click();
  const large = page.getByRole("dialog", { name: "Picture" });
  await expect(large.getByRole("img", { name: "between" })).toBeVisible();
  await expect(large).toContainText("2 of 3");
  await page.keyboard.press("ArrowRight");
  await expect(large).toContainText("Of a figure");
  await page.keyboard.press("ArrowRight");
  await expect(large.getByRole("img", { name: "alone" })).toBeVisible();
  await page.keyboard.press("Escape");
  const button = shown.getByRole("button", { name: "Enlarge the picture: between" });
  await expect(button).toBeFocused();
  expect(await seriousViolations(page, { within: ".prose" })).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(large.getByRole("img", { name: "between" })).toBeVisible();
  await page.keyboard.press("Escape");
  await shown.getByRole("img", { name: "icon" }).click();
  await expect(large).toHaveCount(0);
});

test("describes a picture in a line by keys alone: arrows select it, Enter or Tab opens its alt text", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Keys");
  const { src } = await upload(ana, await paint(40, 40));
  const image = { type: "image", attrs: { src } };
  const text = (words: string) => ({ type: "text", text: words });
  const document = {
    type: "doc",
    content: [
      { type: "paragraph", content: [text("An "), image, text(" owl")] },
      {
        type: "bullet_list",
        content: [{ type: "list_item", content: [{ type: "paragraph", content: [text("A "), image] }] }],
      },
    ],
  } as DocumentJson;
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  const alt = page.getByRole("textbox", { name: "What does the picture show?" });
  const selected = content(page).locator(".editor-picture.ProseMirror-selectednode");
  await content(page).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let letter = 0; letter < 4; letter++) await page.keyboard.press("ArrowRight");
  await expect(selected).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(alt).toBeFocused();
  await alt.fill("owl's eye");
  await page.keyboard.press("Enter");
  await expect(content(page).getByRole("img", { name: "owl's eye" })).toBeVisible();
  await expect(content(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(alt).toHaveValue("owl's eye");
  await page.keyboard.press("Escape");
  await expect(alt).toHaveCount(0);
  await expect(content(page)).toBeFocused();
  await expect(selected).toHaveCount(1);

  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await expect(alt).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("!");
  await expect(content(page).locator("p").last()).toHaveText(/^A.*!$/);
  await expect(content(page).locator("p")).toHaveCount(2);
});

test("has all tools of a picture within a small phone's window", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Small");
  const { src } = await upload(ana, await paint(1200, 800));
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({ document: { type: "doc", content: [figure(src)] } }),
  );
  const page = await open(ana, { viewport: { width: 320, height: 640 }, hasTouch: true });
  await openBlogForm(page, slug);
  await content(page).locator("figure img").tap();
  const tools = page.getByRole("toolbar", { name: "Picture" }).getByRole("button");
  await expect(tools).toHaveCount(8);
  for (const tool of await tools.all()) await expect(tool).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

/** Opens the form, types `lines` lines and chooses a picture for the empty line after them. */
async function writeAndChoose(page: Page, lines: number): Promise<void> {
  await page.goto("/add-blog");
  const tools = await openToolbar(page);
  await content(page).click();
  for (let line = 1; line <= lines; line++) {
    await page.keyboard.type(`Line ${line}`);
    await page.keyboard.press("Enter");
  }
  const chooser = page.waitForEvent("filechooser");
  await tools.getByRole("button", { name: "Image", exact: true }).click();
  await (await chooser).setFiles({ name: "field.png", mimeType: "image/png", buffer: await paint(900, 600) });
}

const uploadedImages = (page: Page) => content(page).locator("img[src^='/media/']");
const uploads = (page: Page) => page.getByRole("group", { name: "Uploading picture" });

test("keeps the tools of a picture under the pointer while it is resized", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Figures");
  const { src } = await upload(ana, await paint(1200, 800));
  const lines = paragraphs(...Array.from({ length: 12 }, () => "One hears owls, mostly. ".repeat(12)));
  const document = {
    type: "doc",
    content: [...lines.content, figure(src), ...lines.content],
  } as DocumentJson;
  const blog = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ana, { viewport: { width: 1440, height: 900 } });
  await openBlogForm(page, blog.slug);
  // Parts of the form that load late move the text, too.
  await page.waitForLoadState("networkidle");
  const picture = content(page).locator("figure");
  const tools = page.getByRole("toolbar", { name: "Picture" });
  await picture.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  await picture.locator("img").click();
  await expect(tools).toBeVisible();
  for (const [name, size] of [
    ["Wide", /figure-wide/],
    ["As wide as the window", /figure-full/],
    ["As wide as the text", /^(?!.*figure-(?:wide|full))/],
  ] as const) {
    const button = tools.getByRole("button", { name, exact: true });
    const [before, scroll] = [await button.boundingBox(), await page.evaluate(() => scrollY)];
    await button.click();
    await expect(picture).toHaveClass(size);
    await expect(button).toHaveAttribute("aria-pressed", "true");
    expect(await distanceMoved(button, before)).toBeLessThan(8);
    expect(await page.evaluate(() => scrollY)).toBe(scroll);
  }
});

test("scrolls a picture inserted at the cursor fully into view", async ({ site, open }) => {
  const page = await open(await site.createAccount("Iris Holm"), { viewport: { width: 1280, height: 900 } });
  await writeAndChoose(page, 14);
  await expect(uploadedImages(page)).toBeInViewport({ ratio: 1 });
  const top = (element: Element): number => element.getBoundingClientRect().top;
  const below = await toolbar(page).evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await uploadedImages(page).evaluate(top)).toBeGreaterThanOrEqual(below);
});

test("keeps the typed line in place when an upload above it finishes", async ({ site, open }) => {
  const jon = await site.createAccount("Jon Rask");
  const page = await open(jon);
  let answer = (): void => {};
  const released = new Promise<void>((resolve) => (answer = resolve));
  // Chromium loses the file of a delayed request, so the picture is uploaded from here.
  const picture = await upload(jon, await paint(900, 600));
  await page.route("**/upload", async (route) => {
    await released;
    await route.fulfill({ status: 201, json: picture });
  });
  await writeAndChoose(page, 6);
  await expect(uploads(page)).toBeVisible();
  await page.keyboard.type("Meanwhile");
  const line = content(page).getByText("Meanwhile");
  const before = await line.boundingBox();
  answer();
  await expect(uploadedImages(page)).toBeAttached();
  await expect(uploads(page)).toHaveCount(0);
  expect(await distanceMoved(line, before)).toBeLessThan(3);
});

test("stores an alt text at its picture, though another device writes above it meanwhile @more", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const { src } = await upload(ana, await paint(900, 600));
  const picture = {
    type: "figure",
    content: [{ type: "figure_image", attrs: { src } }, { type: "figure_caption" }],
  };
  const document = { type: "doc", content: [picture, ...paragraphs("Owls.").content] };
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog({ document }));
  const page = await open(ana);
  await openBlogForm(page, slug);
  await content(page).getByRole("button", { name: "Add alt text" }).click();
  await page.getByRole("textbox", { name: "What does the picture show?" }).fill("An owl");
  const writer = await CoWriter.open(() => ana.api, id);
  writer.edit((tr) => tr.insert(0, tr.doc.lastChild!));
  await writer.sync.push();
  await expect(content(page).getByText("Owls.")).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expectSaved(page);
  await expect(content(page).getByRole("button", { name: "Alt text: An owl" })).toBeVisible();
});
