import { seriousViolations } from "./axe.ts";
import {
  content,
  openPublishSheet,
  openBlogForm,
  expectSaved,
  moveCaretToEnd,
  writeNewBlog,
} from "./editor-helpers.ts";
import { waitForHydration, expect, allowErrors, sharedTest as test } from "./test-site.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";

test("keeps the caret in the text when an undo removes or reopens a formula’s field", async ({
  site,
  open,
}) => {
  const page = await open(await site.createAccount("Ana Torres"));
  await writeNewBlog(page, "Let ");
  const { keyboard } = page;
  const text = content(page);
  const field = page.getByRole("textbox", { name: "Formula, as TeX" });
  await keyboard.press("End");
  await expectSaved(page);
  await keyboard.type("$x$");
  await expect(text.locator("math")).toHaveCount(1);
  await keyboard.press("ArrowLeft");
  await expect(field).toBeFocused();
  await keyboard.press("ControlOrMeta+z");
  await expect(text.locator(".editor-formula")).toHaveCount(0);
  await expect(text).toBeFocused();
  await keyboard.type("y");
  await expect(text).toHaveText("Let y");

  await expectSaved(page);
  await keyboard.type(" $x$");
  await expect(text.locator("math")).toHaveCount(1);
  await keyboard.press("ArrowLeft");
  await expect(field).toBeFocused();
  await keyboard.press("End");
  await keyboard.type("+1");
  await expect(text.locator("mn")).toHaveText("1");
  await keyboard.press("Enter");
  await keyboard.press("ControlOrMeta+z");
  await expect(field).toHaveValue("x+");
  await keyboard.press("ControlOrMeta+z");
  await expect(field).toHaveValue("x");
  await keyboard.press("ControlOrMeta+a");
  await keyboard.press("Backspace");
  await keyboard.press("ControlOrMeta+z");
  await expect(field).toHaveValue("x");
  await keyboard.press("ControlOrMeta+z");
  await expect(field).toHaveCount(0);
  await expect(text).toBeFocused();
  await keyboard.type("!");
  await expect(text).toHaveText("Let y!");
});

test("edits formulas by keyboard with a preview, and shows them and cards to readers without a script", async ({
  site,
  open,
}) => {
  const ana = await site.createAccount("Ana Torres");
  const video = "https://youtu.be/aaaaaaaaaaa";
  const card = { type: "embed", attrs: { href: video, title: "Owls at night", author: "Ben" } };
  const ben = await site.createAccount("Ben Strix");
  const benBlogs = await Promise.all(
    ["Barn owls", "Tawny owls"].map((title, index) =>
      ben.api.blogs.create.mutate(aBlog({ title, slug: `bens-${index}`, private: index === 1 })),
    ),
  );
  const unknownEmbed = { type: "embed", attrs: { href: "https://vimeo.com/54321" } };
  const document = paragraphs("Say");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls",
      document: { ...document, content: [card, unknownEmbed, ...document.content] },
    }),
  );
  const page = await open(ana);
  await openBlogForm(page, slug);
  await moveCaretToEnd(page);
  const { keyboard } = page;
  const field = page.getByRole("textbox", { name: "Formula, as TeX" });
  await keyboard.type(" $x^2$ it is, for $5 and $6.");
  await expect(content(page).locator(".editor-formula msup")).toHaveCount(1);
  // An arrow key enters the source and leaves it on the other side.
  await keyboard.press("Home");
  for (let index = 0; index < 5; index++) await keyboard.press("ArrowRight");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("x^2");
  await keyboard.type("y^3");
  await expect(content(page).locator(".editor-formula msup mi")).toHaveText("y");
  await keyboard.press("Enter");
  await expect(field).toHaveCount(0);
  await keyboard.type(" sure");
  await expect(content(page).locator("p").first()).toContainText(" sure it is, for $5 and $6.");
  await moveCaretToEnd(page);
  await keyboard.press("Enter");
  await keyboard.type("/formula");
  await expect(page.getByRole("option", { name: "Formula" })).toBeVisible();
  await keyboard.press("Enter");
  await keyboard.type("\\frac{a}{b");
  await expect(content(page).locator(".editor-formula-wrong")).toContainText("expected");
  await keyboard.type("}");
  await expect(content(page).locator("mfrac")).toHaveCount(1);
  await keyboard.press("Enter");
  await keyboard.type("https://vimeo.com/12345");
  await keyboard.press("Enter");
  await expect(content(page).locator(".embed")).toHaveText([
    /Owls at night.*Ben · YouTube/,
    "https://vimeo.com/54321",
    "https://vimeo.com/12345",
  ]);
  await keyboard.press("Backspace");
  await expect(content(page).locator(".embed")).toHaveCount(2);
  await keyboard.type(" it was");
  await keyboard.press("Enter");
  for (const blog of benBlogs) {
    await keyboard.type(`${site.url}/blog/${blog.slug}`);
    await keyboard.press("Enter");
  }
  const blogCards = content(page).locator("[data-blog]");
  await expect(blogCards).toHaveText([/^Barn owls\s*Ben Strix · 1 min read$/, /blog\/bens-1$/]);
  // A formula wider than the text can be scrolled by keys.
  await page.setViewportSize({ width: 390, height: 800 });
  await keyboard.type(`So $${Array.from({ length: 20 }, (_, at) => `a_{${at}}`).join("+")}$`);
  const wide = content(page).locator(".editor-formula > [tabindex]");
  await expect(wide).toHaveCount(1);
  expect(await wide.evaluate((box) => box.clientWidth)).toBeLessThan(390);
  await keyboard.press("Enter");
  await keyboard.type("$$ x = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_0 + b_1 + b_2 + b_3");
  await expect(content(page).locator(".editor-formula-block > [tabindex]")).toHaveCount(1);
  expect(await seriousViolations(page, { within: ".prose" })).toEqual([]);
  await expectSaved(page);
  await (await openPublishSheet(page)).getByRole("button", { name: "Update Blog" }).click();
  await page.waitForURL(`**/blog/${slug}`);

  const requestUrls: string[] = [];
  await page.context().route("https://www.youtube-nocookie.com/**", (route) => {
    requestUrls.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>It plays.</p>" });
  });
  await page.reload();
  await waitForHydration(page.getByRole("button", { name: "Share" }).first());
  expect(requestUrls).toEqual([]);
  // A known video has a frame and starts at the text's edge; an unknown one is a link.
  await expect(page.locator(".prose .embed a").nth(0)).toHaveCSS("border-top-width", "1px");
  await expect(page.locator(".prose .embed a").nth(0)).toHaveCSS("text-align", "start");
  await expect(page.getByRole("link", { name: "https://vimeo.com/54321" })).toHaveCSS(
    "border-top-width",
    "0px",
  );
  await page.getByRole("link", { name: "Owls at night" }).click();
  await expect(page.frameLocator(".embed iframe").getByText("It plays.")).toBeVisible();
  expect(requestUrls).toEqual(["https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1"]);

  const cards = page.locator(".prose [data-blog]");
  await expect(cards).toHaveText([/^Barn owls\s*Ben Strix · 1 min read$/, /blog\/bens-1$/]);
  const heights = await cards.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().height),
  );
  expect(heights[0]).toBe(heights[1]);
  await ben.api.blogs.create.mutate(aBlog({ title: "Snowy owls", slug: "bens-2" }));
  const now = await ana.api.blogs.forEdit.query({ slug });
  const { document: writtenDocument } = await ana.api.blogs.openDraft.mutate({ id: now.id });
  await ana.api.blogs.update.mutate(
    aBlog({
      id: now.id,
      etag: now.etag,
      title: "Owls",
      document: {
        type: "doc",
        content: [
          ...(writtenDocument as typeof document).content,
          { type: "embed", attrs: { href: "http://localhost:0/blog/bens-2" } },
        ],
      },
    }),
  );
  await expect(cards.last()).toHaveText(/^Snowy owls\s*Ben Strix · 1 min read$/);

  const reader = await open(undefined, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  // Chromium logs the blocked scripts.
  allowErrors(reader);
  // A busy machine renders the TeX source first.
  await expect(async () => {
    await reader.goto(`/blog/${slug}`);
    await expect(reader.locator(".prose .formula mfrac")).toBeVisible();
  }).toPass();
  await expect(reader.locator(".prose p").first()).toContainText("for $5 and $6.");
  await expect(reader.locator(".prose .ql-formula msup")).toHaveCount(1);
  await expect(reader.locator(".prose [data-blog]").first()).toHaveText(/blog\/bens-0$/);
});
