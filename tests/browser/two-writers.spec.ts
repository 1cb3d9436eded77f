import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { Resident } from "../support/browser.ts";
import { aBlog, paragraphs } from "../support/writing.ts";
import { content } from "./editor.ts";
import { expect, forgive, sharedTest as test, type Site } from "./site.ts";

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const kept = (page: Page) => expect(page.getByText("Saved on this device")).toBeVisible();
const strip = (page: Page) => page.getByText("This blog was changed elsewhere. What you wrote here is kept.");
const comparison = (page: Page) => page.getByRole("dialog", { name: "This blog was changed elsewhere" });
const article = (page: Page) => page.getByRole("main").getByRole("article").first();

/** Ana's blog of these paragraphs, and a window of hers. */
async function owls(site: Site, open: (person: Resident) => Promise<Page>, ...texts: string[]) {
  const ana = await site.resident("Ana Torres");
  const blog = await ana.api.blogs.create.mutate(aBlog({ title: "Owls", document: paragraphs(...texts) }));
  return { ana, id: blog.id, slug: blog.slug, page: await open(ana) };
}

/** Opens the form of a blog and waits until it can be written in. */
async function edit(page: Page, slug: string): Promise<void> {
  await page.goto(`/edit/${slug}`);
  await expect(content(page)).toBeVisible();
}

/** Puts words at the end of the text. */
async function add(page: Page, words: string): Promise<void> {
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(words);
  await kept(page);
}

/** By everybody: nothing that axe calls grave, nothing wider than the window, by day on a desk and by night on a phone. */
async function canBeUsed(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours on their way from day to night are neither.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined),
    );
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .include("[role=dialog]")
      .exclude("[data-focus-trap]")
      .analyze();
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect.soft(grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
    expect(await page.getByRole("dialog").evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("an open form takes what was changed elsewhere, and one that was written in says so and loses nothing", async ({
  site,
  open,
}) => {
  const { ana, id, slug, page } = await owls(site, open, "First.", "Second.", "Third.");
  await edit(page, slug);
  await ana.api.blogs.update.mutate({
    id,
    version: 1,
    title: "Owls, heard",
    document: paragraphs("First.", "Second.", "Third."),
  });
  await expect(title(page)).toHaveValue("Owls, heard");
  await expect(strip(page)).toBeHidden();

  await add(page, " And mine.");
  await ana.api.blogs.update.mutate({
    id,
    version: 2,
    title: "Owls, seen",
    document: paragraphs("First, by another.", "Second.", "Third."),
  });
  await expect(strip(page)).toBeVisible();
  await expect(title(page)).toHaveValue("Owls, heard");
  await page.getByRole("button", { name: "Compare" }).click();
  const dialog = comparison(page);
  // What one side alone changed is proposed as that side has it.
  await expect(
    dialog.getByRole("group", { name: "Title" }).getByRole("radio", { name: /On the site/ }),
  ).toBeChecked();
  await expect(
    dialog.getByRole("group", { name: "Paragraph 1" }).getByRole("radio", { name: /On the site/ }),
  ).toBeChecked();
  await expect(
    dialog.getByRole("group", { name: "Paragraph 3" }).getByRole("radio", { name: /Yours/ }),
  ).toBeChecked();
  await expect(dialog.getByText("1 paragraph is the same")).toBeVisible();
  await canBeUsed(page);
  await dialog.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(page.getByRole("heading", { name: "Owls, seen", level: 1 })).toBeVisible();
  for (const words of ["First, by another.", "Second.", "Third. And mine."])
    await expect(article(page)).toContainText(words);
});

test("a save that comes too late overwrites nothing, also the second time, and the tab may close meanwhile", async ({
  site,
  open,
}) => {
  const { ana, id, slug, page } = await owls(site, open, "Before.");
  // Nobody tells this window of anything: it learns by the answer.
  await page.routeWebSocket(/\/trpc/, () => {});
  forgive(page);
  await edit(page, slug);
  await add(page, " Mine.");
  const save = (version: number, words: string) =>
    ana.api.blogs.update.mutate({ id, version, document: paragraphs(words) });
  await save(1, "Theirs.");
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(comparison(page)).toBeVisible();
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Theirs.");

  await page.reload();
  await expect(content(page)).toContainText("Before. Mine.");
  await page.getByRole("button", { name: "Update Blog" }).click();
  await comparison(page).getByRole("radio", { name: "Both, one after the other" }).check();
  const both = comparison(page).locator("label", { hasText: "Both, one after the other" });
  const [box, name] = [await both.boundingBox(), await both.locator("span").boundingBox()];
  expect(Math.round((box?.height ?? 0) - (name?.height ?? 0)), "as high as its words and its edges").toBe(18);
  await save(2, "Theirs, again.");
  await comparison(page).getByRole("button", { name: "Update Blog" }).click();
  const again = comparison(page)
    .getByRole("group", { name: /Paragraph/ })
    .first();
  await expect(again).toContainText("Theirs, again.");
  await expect(again).toContainText("Before. Mine.");
  expect((await ana.api.blogs.bySlug.query({ slug })).html).toContain("Theirs, again.");

  // By the keyboard alone: theirs, looked at, and taken back.
  await comparison(page).getByRole("button", { name: "Take all from the site" }).press("Enter");
  await comparison(page).getByRole("button", { name: "Use what is on the site" }).press("Enter");
  await expect(content(page)).toHaveText("Theirs, again.");
  await page.getByRole("status").getByRole("button", { name: "Undo" }).press("Enter");
  await expect(content(page)).toContainText("Before. Mine.");
  await page.getByRole("button", { name: "Update Blog" }).click();
  await comparison(page).getByRole("button", { name: "Keep all of mine" }).click();
  await comparison(page).getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await expect(article(page)).toContainText("Before. Mine.");
});

test("what was made private elsewhere stays so, and what was deleted elsewhere can be saved as a new draft", async ({
  site,
  open,
}) => {
  const { ana, id, slug, page } = await owls(site, open, "Before.");
  await edit(page, slug);
  await add(page, " Mine.");
  await ana.api.blogs.update.mutate({ id, private: true });
  await expect(strip(page)).toBeVisible();
  await page.getByRole("button", { name: "Update Blog" }).click();
  const readers = comparison(page).getByRole("group", { name: "Who can read it" });
  await expect(readers.getByRole("radio", { name: /On the site/ })).toBeChecked();
  await comparison(page).getByRole("button", { name: "Use this, and write on" }).click();
  await expect(page.getByRole("checkbox", { name: "Private" })).toBeChecked();

  forgive(page);
  await ana.api.blogs.remove.mutate({ id });
  await expect(page.getByText(/This blog was deleted elsewhere/)).toBeVisible();
  await expect(content(page)).toContainText("Before. Mine.");
  await page.goto("/add-blog");
  await expect(content(page)).toContainText("Before. Mine.");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expect(article(page)).toContainText("Before. Mine.");
  expect(await ana.api.blogs.mine.query({})).toMatchObject({ blogs: [{ draft: true, title: "Owls" }] });
});

test("the keys publish nothing at once, however long they are held, and a draft is saved by them", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const page = await open(ana);
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  const blogs = async () =>
    (await ana.api.blogs.mine.query({})).blogs.map((blog) => [blog.title, blog.draft]);
  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  await title(page).fill("Owls");
  await page.keyboard.down("Meta");
  // The first one asks; what repeats while it is held answers nothing.
  for (let time = 0; time < 5; time++) await page.keyboard.down("Enter");
  const question = page.getByRole("alertdialog", { name: "Publish this blog?" });
  await expect(question).toContainText(
    "Everybody will be able to read it as it stands here. Press ⌘ and Enter again to do so.",
  );
  for (let time = 0; time < 20; time++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.up("Meta");
  await expect(question).toBeVisible();
  expect(await blogs()).toEqual([]);
  // Enter alone is the harmless answer.
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  expect(await blogs()).toEqual([]);

  await title(page).press("Control+Enter");
  await expect(question).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/blog\/owls-/);
  expect(await blogs()).toEqual([["Owls", false]]);

  await page.goto("/add-blog");
  await expect(content(page)).toBeVisible();
  await title(page).fill("Bats");
  await page.getByRole("checkbox", { name: "Save as draft" }).check();
  await title(page).press("Control+Enter");
  await expect(page).toHaveURL(/\/blog\/bats-/);
  expect(await blogs()).toEqual([
    ["Bats", true],
    ["Owls", false],
  ]);
});

test("an author gives a blog an address of their own, and the one before leads there", async ({
  site,
  open,
}) => {
  const ana = await site.resident("Ana Torres");
  const word = ana.me.username.replaceAll(/[^a-z0-9]/g, "");
  await ana.api.blogs.create.mutate(aBlog({ slug: `${word}-taken` }));
  const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
  const page = await open(ana);
  await edit(page, slug);
  await expect(page.getByText(`/blog/${slug}`)).toBeVisible();
  const change = page.getByRole("button", { name: "Change the address" });
  const [edge, description] = [
    await change.boundingBox(),
    await page.getByLabel("Description").boundingBox(),
  ];
  expect((edge?.x ?? 0) + (edge?.width ?? 0)).toBe((description?.x ?? 0) + (description?.width ?? 0));
  await change.click();
  const address = page.getByRole("textbox", { name: "Address" });
  await expect(address).toBeFocused();
  await page.keyboard.type(`${word} taken`);
  await page.keyboard.press("Enter");
  await expect(address).toHaveValue(`${word}-taken`);
  forgive(page);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(
    page.getByText(`The address ${word}-taken is taken. Please choose another one.`),
  ).toBeVisible();
  await expect(address).toBeFocused();
  await address.fill("-");
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page.getByText(/Letters from a to z/)).toBeVisible();
  await address.fill(`${word}-owls`);
  await page.getByRole("button", { name: "Update Blog" }).click();
  await expect(page).toHaveURL(`/blog/${word}-owls`);
  await page.goto(`/blog/${slug}`);
  await expect(page).toHaveURL(`/blog/${word}-owls`);
});
