import { graveFaults } from "./axe.ts";
import { content, details, edit, saved, toEnd } from "./editor.ts";
import { awake, expect, forgive, sharedTest as test } from "./site.ts";
import { aBlog, paragraphs } from "../support/writing.ts";

test("formulas are written by the keyboard alone, drawn beside their source, and readers have them without a script", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const video = "https://youtu.be/aaaaaaaaaaa";
  const card = { type: "embed", attrs: { href: video, title: "Owls at night", author: "Ben" } };
  const ben = await site.resident("Ben Strix");
  const bens = await Promise.all(
    ["Barn owls", "Tawny owls"].map((title, at) =>
      ben.api.blogs.create.mutate(aBlog({ title, slug: `bens-${at}`, private: at === 1 })),
    ),
  );
  const unknown = { type: "embed", attrs: { href: "https://vimeo.com/54321" } };
  const document = paragraphs("Say");
  const { slug } = await ana.api.blogs.create.mutate(
    aBlog({
      title: "Owls",
      document: { ...document, content: [card, unknown, ...document.content] },
    }),
  );
  const page = await open(ana);
  await edit(page, slug);
  await toEnd(page);
  const { keyboard } = page;
  const field = page.getByRole("textbox", { name: "Formula, as TeX" });
  await keyboard.type(" $x^2$ it is, for $5 and $6.");
  await expect(content(page).locator(".editor-formula msup")).toHaveCount(1);
  // An arrow comes to its source, and out of it again on the other side.
  await keyboard.press("Home");
  for (let at = 0; at < 5; at++) await keyboard.press("ArrowRight");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("x^2");
  await keyboard.type("y^3");
  await expect(content(page).locator(".editor-formula msup mi")).toHaveText("y");
  await keyboard.press("Enter");
  await expect(field).toHaveCount(0);
  await keyboard.type(" sure");
  await expect(content(page).locator("p").first()).toContainText(" sure it is, for $5 and $6.");
  // As a block: from the menu, with what is wrong said while it is.
  await toEnd(page);
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
  // Of this site's own blogs each sees what they may.
  await keyboard.type(" it was");
  await keyboard.press("Enter");
  for (const blog of bens) {
    await keyboard.type(`${site.url}/blog/${blog.slug}`);
    await keyboard.press("Enter");
  }
  const linked = content(page).locator("[data-blog]");
  await expect(linked).toHaveText([/^Barn owls\s*Ben Strix · 1 min read$/, /blog\/bens-1$/]);
  // One that is wider than the text is moved sideways by keys, too.
  await page.setViewportSize({ width: 390, height: 800 });
  await keyboard.press("Enter");
  await keyboard.type("$$ x = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_0 + b_1 + b_2 + b_3");
  await expect(content(page).locator(".editor-formula-drawn[tabindex]")).toHaveCount(1);
  expect(await graveFaults(page, { within: ".prose" })).toEqual([]);
  await saved(page);
  await (await details(page)).getByRole("button", { name: "Update Blog" }).click();
  await page.waitForURL(`**/blog/${slug}`);

  // A card loads nothing from elsewhere until it is pressed, and then what plays it.
  const asked: string[] = [];
  await page.context().route("https://www.youtube-nocookie.com/**", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<p>It plays.</p>" });
  });
  await page.reload();
  await awake(page.getByRole("button", { name: "Share" }).first());
  expect(asked).toEqual([]);
  // What is known stands in a frame, and begins where texts do; the rest is a link.
  await expect(page.locator(".prose .embed a").nth(0)).toHaveCSS("border-top-width", "1px");
  await expect(page.locator(".prose .embed a").nth(0)).toHaveCSS("text-align", "start");
  await expect(page.getByRole("link", { name: "https://vimeo.com/54321" })).toHaveCSS(
    "border-top-width",
    "0px",
  );
  await page.getByRole("link", { name: "Owls at night" }).click();
  await expect(page.frameLocator(".embed iframe").getByText("It plays.")).toBeVisible();
  expect(asked).toEqual(["https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1"]);

  const cards = page.locator(".prose [data-blog]");
  await expect(cards).toHaveText([/^Barn owls\s*Ben Strix · 1 min read$/, /blog\/bens-1$/]);
  const heights = await cards.evaluateAll((all) => all.map((place) => place.getBoundingClientRect().height));
  expect(heights[0]).toBe(heights[1]);
  // What comes into the page as it is open has cards, too.
  await ben.api.blogs.create.mutate(aBlog({ title: "Snowy owls", slug: "bens-2" }));
  const now = await ana.api.blogs.forEdit.query({ slug });
  const { document: written } = await ana.api.blogs.openWriting.mutate({ id: now.id });
  await ana.api.blogs.update.mutate(
    aBlog({
      id: now.id,
      version: now.version,
      title: "Owls",
      document: {
        type: "doc",
        content: [
          ...(written as typeof document).content,
          { type: "embed", attrs: { href: "http://localhost:0/blog/bens-2" } },
        ],
      },
    }),
  );
  await expect(cards.last()).toHaveText(/^Snowy owls\s*Ben Strix · 1 min read$/);

  const reader = await open(undefined, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  // Its browser says that it runs none.
  forgive(reader);
  // On a busy machine the first who ask have their sources.
  await expect(async () => {
    await reader.goto(`/blog/${slug}`);
    await expect(reader.locator(".prose .formula mfrac")).toBeVisible();
  }).toPass();
  await expect(reader.locator(".prose p").first()).toContainText("for $5 and $6.");
  await expect(reader.locator(".prose .ql-formula msup")).toHaveCount(1);
  await expect(reader.locator(".prose [data-blog]").first()).toHaveText(/blog\/bens-0$/);
});
